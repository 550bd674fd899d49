/** What a request asks of highlighting: options for all fields, and for each. */
import type { QueryBuilder } from "../query/dsl/index.ts";

export type BoundaryScanner = "chars" | "word" | "sentence";

export interface HighlightOptions {
  readonly type: string;
  readonly preTags: readonly string[];
  readonly postTags: readonly string[];
  /** Fragments by their scores, the best first. */
  readonly scoreOrdered: boolean;
  readonly fragmentSize: number;
  /** 0: the whole field. */
  readonly numberOfFragments: number;
  /** Of a fast vector highlighter's fragment: characters before what is marked. */
  readonly fragmentOffset: number;
  /** "html" encodes; anything else does not. */
  readonly encoder: string;
  /** Only what a query looks for in the field is marked. */
  readonly requireFieldMatch: boolean;
  readonly noMatchSize: number;
  readonly fragmenter?: string;
  readonly boundaryScanner?: BoundaryScanner;
  readonly boundaryMaxScan: number;
  readonly boundaryChars: string;
  readonly boundaryScannerLocale: string;
  readonly phraseLimit: number;
  readonly maxAnalyzedOffset?: number;
  readonly matchedFields?: readonly string[];
  readonly highlightQuery?: QueryBuilder;
}

/** A field, or fields by a pattern with `*`. */
export interface HighlightField {
  readonly name: string;
  readonly options: HighlightOptions;
}

export interface HighlightRequest {
  readonly fields: readonly HighlightField[];
  /** Every query in it. */
  readonly queries: readonly QueryBuilder[];
}

export const DEFAULT_OPTIONS: HighlightOptions = {
  type: "unified",
  preTags: ["<em>"],
  postTags: ["</em>"],
  scoreOrdered: false,
  fragmentSize: 100,
  numberOfFragments: 5,
  fragmentOffset: -1,
  encoder: "default",
  requireFieldMatch: true,
  noMatchSize: 0,
  boundaryMaxScan: 20,
  boundaryChars: ".,!? \t\n",
  boundaryScannerLocale: "",
  phraseLimit: 256,
};

export const STYLED_TAGS = {
  preTags: Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`),
  postTags: ["</em>"],
};
