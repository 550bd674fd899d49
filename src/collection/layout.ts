/**
 * The two indices of a collection: passages, in ElasticsearchStore's layout, and a record for each file. What the collection was made
 * with (embedding, analysis, weights) stands in the passages' mapping under `_meta`, so it travels with the index to any place.
 */
import type { Client, estypes } from "@elastic/elasticsearch";
import { MARK, type Mark } from "../elasticsearch/copy-index.ts";
import {
  KEYWORD_LENGTH,
  METADATA_FIELD,
  METADATA_TEXT,
  TEXT_FIELD,
  VECTOR_FIELD,
  WINDOW_VECTOR_FIELD,
  WINDOWS_FIELD,
} from "../elasticsearch/layout.ts";
import { type EmbeddingModel, HuiliuError, InvalidArgumentError } from "../schema/index.ts";
import { QUESTION_WORDS } from "./question-words.ts";
import type { AnalysisName } from "./types.ts";

/** What an index remembers of how it was made. */
export interface CollectionMeta {
  version: 1;
  embedding: {
    name: string;
    dimensions: number;
    similarity: "cosine" | "dot_product";
    windows: boolean;
    /** Whether the model gives vectors of length one. */
    normalized?: boolean;
  };
  analysis: AnalysisName;
  weights: { bm25: number; dense: number };
  /** Whether whole texts are kept in a `wildcard` field. */
  wildcard?: boolean;
}

/** The collection is not there. Code `COLLECTION_NOT_FOUND`. */
export class CollectionNotFoundError extends HuiliuError {
  readonly collection: string;
  constructor(collection: string, place: string) {
    super(
      "COLLECTION_NOT_FOUND",
      `there is no collection "${collection}" in ${place}: add files to it first (huiliu add PATH), or name the place that has it (--data, --elasticsearch)`,
    );
    this.collection = collection;
  }
}

/** A copy that was cut short, or is still being made. Code `COLLECTION_INCOMPLETE`. */
export class CollectionIncompleteError extends HuiliuError {
  readonly collection: string;
  constructor(collection: string) {
    super(
      "COLLECTION_INCOMPLETE",
      `the collection "${collection}" is a copy that is not whole: run the same huiliu copy again, which goes on where it stopped`,
    );
    this.collection = collection;
  }
}

/** The index was made with another embedding model. Code `EMBEDDING_DIFFERS`. */
export class EmbeddingDiffersError extends HuiliuError {
  readonly expected: string;
  readonly actual: string;
  constructor(collection: string, expected: string, actual: string) {
    super(
      "EMBEDDING_DIFFERS",
      `the collection "${collection}" was made with the embedding ${expected}; vectors of ${actual} cannot be compared with its own. ` +
        "Open it with that model (--embedding, or the configuration), or make another collection",
    );
    this.expected = expected;
    this.actual = actual;
  }
}

/** The index that keeps a record for each file. */
export function recordsIndex(collection: string): string {
  return `${collection}.files`;
}

/**
 * Fields of a full-text question with their weights. `default` joins whole words and single Han characters, pairs of Han characters, and
 * English stems. How the weights were chosen: docs/analysis.md.
 */
export const TEXT_FIELDS: Record<AnalysisName, readonly string[]> = {
  default: [`${TEXT_FIELD}^0.5`, `${TEXT_FIELD}.cjk^0.5`, `${TEXT_FIELD}.english`],
  standard: [TEXT_FIELD, `${TEXT_FIELD}.english`],
  cjk: [TEXT_FIELD, `${TEXT_FIELD}.english`],
  ik: [TEXT_FIELD, `${TEXT_FIELD}.english`],
  ik_smart: [TEXT_FIELD, `${TEXT_FIELD}.english`],
};

/** Question words say nothing of what is asked for, and stand in few documents, which makes them weigh much: questions leave them out. */
const QUESTION_ANALYSIS: estypes.IndicesIndexSettings["analysis"] = {
  filter: {
    question_words: { type: "stop", stopwords: [...QUESTION_WORDS] },
    possessive_english: { type: "stemmer", language: "possessive_english" },
  },
  analyzer: {
    question: { type: "custom", tokenizer: "standard", filter: ["lowercase", "question_words"] },
    // The analyzer `english` with the question words left out before its stems are taken.
    question_english: {
      type: "custom",
      tokenizer: "standard",
      filter: ["possessive_english", "lowercase", "question_words", "stop", "porter_stem"],
    },
  },
};

const ENGLISH: estypes.MappingProperty = {
  type: "text",
  analyzer: "english",
  search_analyzer: "question_english",
};

const CONTENT: Record<AnalysisName, estypes.MappingProperty> = {
  default: {
    type: "text",
    analyzer: "standard",
    search_analyzer: "question",
    fields: { cjk: { type: "text", analyzer: "cjk" }, english: ENGLISH },
  },
  standard: { type: "text", analyzer: "standard", search_analyzer: "question", fields: { english: ENGLISH } },
  cjk: { type: "text", analyzer: "cjk", fields: { english: ENGLISH } },
  ik: {
    type: "text",
    analyzer: "ik_max_word",
    search_analyzer: "ik_smart",
    fields: { english: ENGLISH },
  },
  ik_smart: { type: "text", analyzer: "ik_smart", fields: { english: ENGLISH } },
};

/** The text's field, with its whole value beside it where that was asked for. */
function contentProperty({ analysis, wildcard }: CollectionMeta): estypes.MappingProperty {
  const property = CONTENT[analysis];
  if (!wildcard) return property;
  const fields = "fields" in property ? property.fields : {};
  return { ...property, fields: { ...fields, wildcard: { type: "wildcard" } } } as estypes.MappingProperty;
}

/** Metadata whose names say that they are dates have them indexed as dates too, to be scored and counted by time. */
const DATE_NAMES = ["*date", "*_at", "*time", "effective", "expires", "published", "created", "updated", "modified"];
const DATE_TEMPLATE: estypes.MappingDynamicTemplate = {
  path_match: DATE_NAMES.map((name) => `${METADATA_FIELD}.${name}`),
  match_mapping_type: "string",
  mapping: {
    type: "text",
    fields: {
      keyword: { type: "keyword", ignore_above: KEYWORD_LENGTH },
      date: { type: "date", ignore_malformed: true },
    },
  },
};

/** Vectors of sentence windows for a model without a context of its own; one for each passage otherwise. */
function vectorProperties(meta: CollectionMeta): Record<string, estypes.MappingProperty> {
  const vector: estypes.MappingProperty = {
    type: "dense_vector",
    dims: meta.embedding.dimensions,
    index: true,
    similarity: meta.embedding.similarity,
    index_options: { type: meta.embedding.windows ? "flat" : "hnsw" },
  };
  if (!meta.embedding.windows) return { [VECTOR_FIELD]: vector };
  const place: estypes.MappingProperty = { type: "integer", index: false, doc_values: false };
  return { [WINDOWS_FIELD]: { type: "nested", dynamic: "strict", properties: { vector, start: place, end: place } } };
}

export function vectorField(meta: CollectionMeta): string {
  return meta.embedding.windows ? WINDOW_VECTOR_FIELD : VECTOR_FIELD;
}

/** A value that is no number in the next file is ignored as one and still found as the word that it is. */
function metadataTemplate(kind: string): estypes.MappingDynamicTemplate {
  return {
    path_match: `${METADATA_FIELD}.*`,
    match_mapping_type: kind,
    mapping: {
      type: kind === "boolean" ? "boolean" : "double",
      ignore_malformed: true,
      fields: { keyword: { type: "keyword", ignore_above: KEYWORD_LENGTH } },
    },
  };
}

export function passagesBody(meta: CollectionMeta): {
  settings: estypes.IndicesIndexSettings;
  mappings: estypes.MappingTypeMapping;
} {
  const unindexed: estypes.MappingProperty = { type: "keyword", index: false, doc_values: false };
  return {
    settings: { number_of_shards: 1, number_of_replicas: 0, analysis: QUESTION_ANALYSIS },
    mappings: {
      _meta: { huiliu: meta },
      dynamic: "strict",
      // Metadata come from anybody's files: a value that looks like a date or a number in one may be words in the next.
      date_detection: false,
      dynamic_templates: [
        ...["long", "double", "boolean"].map((kind) => ({ [`${kind}s`]: metadataTemplate(kind) })),
        { dates: DATE_TEMPLATE },
        { texts: { path_match: `${METADATA_FIELD}.*`, match_mapping_type: "string", mapping: METADATA_TEXT } },
      ],
      properties: {
        [TEXT_FIELD]: contentProperty(meta),
        ...vectorProperties(meta),
        [METADATA_FIELD]: {
          type: "object",
          dynamic: true,
          properties: {
            document_id: { type: "keyword" },
            doc_id: { type: "keyword" },
            ref_doc_id: { type: "keyword" },
            _node_content: unindexed,
            _node_type: { type: "keyword" },
          },
        },
      },
    },
  };
}

export const RECORDS_BODY = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    dynamic: "strict",
    properties: {
      file: { type: "keyword", ignore_above: KEYWORD_LENGTH },
      key: { type: "keyword" },
      hash: { type: "keyword", index: false, doc_values: false },
      title: { type: "keyword", index: false, doc_values: false },
      state: { type: "keyword" },
      passages: { type: "integer" },
      documents: { type: "integer" },
      bytes: { type: "long" },
      added: { type: "date" },
      origin: { type: "keyword", index: false, doc_values: false },
    },
  },
} satisfies { settings: estypes.IndicesIndexSettings; mappings: estypes.MappingTypeMapping };

/** What the index says of itself, or undefined when there is no such index. Throws when it is not a collection's. */
export async function readMeta(client: Client, collection: string): Promise<CollectionMeta | undefined> {
  const answer = await client.indices.getMapping({ index: collection }, { ignore: [404], meta: true });
  if (answer.statusCode === 404) return undefined;
  const own = Object.values(answer.body)[0]?.mappings._meta;
  const meta = own?.["huiliu"] as CollectionMeta | undefined;
  if (!meta) {
    throw new InvalidArgumentError(
      "collection",
      collection,
      `the index "${collection}" was not made by Huiliu: choose another name`,
    );
  }
  if (meta.version !== 1) {
    throw new InvalidArgumentError(
      "collection",
      collection,
      `the collection "${collection}" was made by a newer Huiliu (layout ${String(meta.version)}): update this one`,
    );
  }
  if ((own?.[MARK] as Mark | undefined)?.state === "copying") throw new CollectionIncompleteError(collection);
  return meta;
}

/** @throws EmbeddingDiffersError unless the model is the one that the index was made with */
export function checkEmbedding(collection: string, meta: CollectionMeta, model: EmbeddingModel): void {
  const { name, dimensions } = meta.embedding;
  if (model.name !== name) throw new EmbeddingDiffersError(collection, name, model.name);
  const actual = model.dimensions ?? dimensions;
  if (actual !== dimensions)
    throw new EmbeddingDiffersError(collection, `${name} of ${dimensions} dimensions`, `${actual} dimensions`);
}

/** A collection's name is an index name: lower case, no spaces and none of Elasticsearch's reserved characters. */
export function checkName(name: string): void {
  if (
    !/^[a-z0-9\p{Script=Han}][a-z0-9_.\-\p{Script=Han}]*$/u.test(name) ||
    new TextEncoder().encode(name).length > 200
  ) {
    throw new InvalidArgumentError(
      "name",
      name,
      `"${name}" cannot be the name of a collection: use lower-case letters, digits, Chinese characters, "-", "_" and ".", at most 200 bytes`,
    );
  }
}
