/** What a highlighter is given: a field, and then document by document its values. */
import type { Analyzer } from "../analysis/types.ts";
import { illegalArgument } from "../errors.ts";
import type { IndexSearcher, Query } from "../query/types.ts";
import type { LeafReader } from "../segment/types.ts";
import type { HighlightOptions } from "./options.ts";

/** A field as it is analysed: a single token where it has no analyzer. */
export interface AnalyzedField {
  /** In the index, whatever other name it is called by. */
  readonly name: string;
  readonly analyzer: Analyzer | undefined;
  /** What the mapping keeps beside a document's terms in term vectors, where it keeps the places of tokens. */
  readonly termVectors: "none" | "offsets" | "positions";
}

export interface FieldToHighlight extends AnalyzedField {
  readonly options: HighlightOptions;
  readonly query: Query;
  /** The index, for queries that depend on its terms. */
  readonly searcher: IndexSearcher;
  /** Fields over the same text whose terms are marked too. */
  readonly matchedFields: readonly AnalyzedField[];
  /** Whether its values are cut into tokens. */
  readonly tokenized: boolean;
  /** A keyword that is stored: its values are bytes, which the plain highlighter shows as such where it finds nothing in them. */
  readonly bytes: boolean;
  /** Where Elasticsearch has the places of its tokens from. Here a text is always analysed again. */
  readonly offsets: "analysis" | "postings" | "term_vectors";
  /** False: its tokens lie in other documents, the nested ones of the hit, where neither postings nor term vectors are looked at. */
  readonly inDocument: boolean;
  readonly indexName: string;
  readonly settings: HighlightSettings;
}

/** @throws for a text that is longer than what is analysed, unless the request bounds that itself */
export function checkLength(field: FieldToHighlight, length: number, doc: number | string): void {
  const { name, settings, options, indexName } = field;
  const limit = settings.maxAnalyzedOffset;
  const own = options.maxAnalyzedOffset;
  if (length <= limit || (own !== undefined && own <= limit)) return;
  throw illegalArgument(
    `The length [${length}] of field [${name}] in doc[${doc}]/index[${indexName}] exceeds the [index.highlight.max_analyzed_offset] ` +
      `limit [${limit}]. To avoid this error, set the query parameter [max_analyzed_offset] to a value less than index setting [${limit}] and ` +
      "this will tolerate long field values by truncating them.",
  );
}

/** Settings of the index. */
export interface HighlightSettings {
  /** `index.highlight.max_analyzed_offset` */
  readonly maxAnalyzedOffset: number;
  /** `index.highlight.weight_matches_mode.enabled` */
  readonly weightMatches: boolean;
}

/** What the document has in another field. */
export interface OtherText {
  readonly analyzer: Analyzer | undefined;
  readonly values: readonly string[];
}

/**
 * Fragments of the values of a document; none where there is nothing to show.
 *
 * @param others texts of the document's fields that are indexed with the places of their tokens
 */
export type HighlightDocument = (
  leaf: LeafReader,
  doc: number,
  values: readonly string[],
  others: (field: string) => OtherText | undefined,
) => readonly string[];

export interface Highlighter {
  /** Whether a pattern of fields takes in a field. */
  canHighlight(field: AnalyzedField): boolean;
  /** @throws for a field that it cannot highlight */
  highlighterOf(field: FieldToHighlight): HighlightDocument;
}
