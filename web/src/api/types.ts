/** What the server's routes give: see `/_huiliu/openapi.json`. */

export type Scalar = string | number | boolean | null;
export type Metadata = Record<string, unknown>;

export interface CollectionStatus {
  name: string;
  documents: number;
  passages: number;
  embedding: { name: string; dimensions: number };
  analysis: string;
  weights: { bm25: number; dense: number };
}

export interface DocumentRecord {
  id: string;
  file: string;
  title?: string;
  passages: number;
  bytes: number;
  added: string;
}

export interface Passage {
  id: string;
  text: string;
  metadata: Metadata;
  /** Where it stands in the document's text. */
  at?: { from: number; to: number };
}

export interface StoredDocument extends DocumentRecord {
  text: string;
  nodes: Passage[];
}

export interface ListRank {
  list: string;
  rank: number;
  score?: number;
  similarity?: number;
}

export interface Hit {
  rank: number;
  id: string;
  score?: number;
  similarity?: number;
  file?: string;
  heading?: string;
  text: string;
  metadata: Metadata;
  ranks?: ListRank[];
  highlights?: Record<string, string[]>;
  reranked?: { before: number; score?: number };
}

export interface Notice {
  code: string;
  message: string;
}

export interface Source {
  n: number;
  id: string;
  file?: string;
  heading?: string;
  score?: number;
  text: string;
  ranks?: ListRank[];
}

export interface AnswerEnd {
  kind: string;
  cited: number[];
  unknownCitations: number[];
  notices: Notice[];
}

export interface OptionSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: OptionSchema;
  anyOf?: OptionSchema[];
}

export interface StrategyInfo {
  name: string;
  title: string;
  goodFor: string;
  needs: string[];
  options: { properties?: Record<string, OptionSchema>; required?: string[] };
}

export interface Job {
  id: string;
  collection: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  file?: string;
  result?: {
    added: number;
    replaced: number;
    unchanged: number;
    passages: number;
    failed: { file: string; message: string }[];
  };
  error?: { code: string; message: string };
}

export interface Neighbourhood {
  origin: { x: number; y: number; text: string; id?: string };
  neighbours: (Hit & { x: number; y: number })[];
  shares: [number, number];
}

export interface Facet {
  field: string;
  kind: "values" | "dates" | "numbers";
  interval?: string;
  buckets: { key: string | number | boolean; label: string; count: number }[];
  other: number;
}
