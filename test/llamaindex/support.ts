/** What the topics of LlamaIndex's recorded cases share: their conventions for text, models and nodes, and how answers are compared. */
import { expect } from "vitest";
import { englishSentenceTexts, type SentenceTokenizer } from "../../src/ingest/index.ts";
import {
  type Document,
  document,
  type EmbeddingModel,
  imageNode,
  indexNode,
  type Metadata,
  type Node,
  type NodeWithScore,
  type RelatedNode,
  type Relationships,
  sha256,
  type Tokenizer,
  textNode,
} from "../../src/schema/index.ts";

/** A case as it is recorded. */
export interface Case {
  name: string;
  input: never;
  expected: unknown;
  quirk?: string;
}

/** How a topic's cases are run. */
export interface Topic<Input> {
  /** `expected` for what a recording tells only there, such as what the model answered. */
  run(input: Input, name: string, expected: never): unknown;
  /** Cases that say nothing of this library, by a part of the name, each with the reason. */
  notRun?: readonly (readonly [RegExp, string])[];
  /** Default: equal within the tolerance. */
  compare?(actual: never, expected: never, input: Input, name: string): void | Promise<void>;
  /**
   * Where the original is known to be weak and this library does better: by a part of the quirk's words, what must hold instead. Called
   * with what was recorded; throwing means that the difference is not the one that was meant.
   */
  quirks?: Record<string, (outcome: Outcome, expected: never, input: Input, name: string) => void>;
  tolerance?: number;
}

/** What came out: a value, or an error. */
export type Outcome = { value: never; error?: undefined } | { value?: undefined; error: unknown };

export interface JsonNode {
  id: string;
  text: string;
  metadata?: Metadata;
  score?: number | null;
  type?: "index" | "image" | "document" | "text";
  index_id?: string;
  excluded_llm?: string[];
  excluded_embed?: string[];
  embedding?: number[];
  relationships?: { source?: string; prev?: string; next?: string; parent?: string; children?: string[] };
  start?: number | null;
  end?: number | null;
}

const TOKENS: Record<string, (text: string) => string[]> = {
  chars: (text) => [...text],
  words: (text) => text.split(/\s+/).filter((word) => word !== ""),
  mixed: (text) => text.match(/[A-Za-z0-9_]+|[^\sA-Za-z0-9_]/gu) ?? [],
};

export function tokenizer(name: string): Tokenizer {
  const tokens = TOKENS[name]!;
  return { name, count: (text) => tokens(text).length };
}

export const SENTENCES: Record<string, SentenceTokenizer> = {
  zh: (text) => (text.match(/.*?(?:[。！？!?]+|\.(?=\s)|$)/gsu) ?? []).filter((part) => part !== ""),
  punkt: englishSentenceTexts,
};

/** The vector that the recordings' models give a text. */
export function hashVector(text: string, dimensions = 8): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const token of TOKENS["mixed"]!(text.toLowerCase())) {
    const hash = sha256(token);
    const at = Number(BigInt(`0x${hash.slice(0, 16)}`) % BigInt(dimensions));
    vector[at]! += Number.parseInt(hash.slice(16, 18), 16) % 2 === 0 ? 1 : -1;
  }
  const length = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
  return length > 0 ? vector.map((x) => x / length) : vector.map((_, i) => (i === 0 ? 1 : 0));
}

/** The recordings' embedding model, which remembers what it was asked. */
export function hashEmbedding(dimensions = 8): EmbeddingModel & { seen: [string, string][] } {
  const seen: [string, string][] = [];
  return {
    name: `hash-${dimensions}`,
    dimensions,
    similarity: "cosine",
    seen,
    async embed(texts, options) {
      for (const text of texts) seen.push([options?.kind === "query" ? "query" : "text", text]);
      // Doubles, as in the recordings.
      return texts.map((text) => Float64Array.from(hashVector(text, dimensions)) as unknown as Float32Array);
    },
  };
}

const RELATIONS = { source: "source", prev: "previous", next: "next", parent: "parent" } as const;

export function toNode(json: JsonNode): Node {
  const relationships: Relationships = {};
  for (const [theirs, ours] of Object.entries(RELATIONS) as ["source", "source"][]) {
    const id = json.relationships?.[theirs];
    if (id !== undefined && id !== null) relationships[ours] = { id };
  }
  if (json.relationships?.children) relationships.children = json.relationships.children.map((id) => ({ id }));
  const input = {
    id: json.id,
    text: json.text,
    metadata: { ...json.metadata },
    relationships,
    excludedLlmMetadataKeys: [...(json.excluded_llm ?? [])],
    excludedEmbedMetadataKeys: [...(json.excluded_embed ?? [])],
  };
  if (json.type === "index") return indexNode({ ...input, indexId: json.index_id! });
  if (json.type === "image") return imageNode(input);
  return textNode(input);
}

export function toScored(json: JsonNode): NodeWithScore {
  return { node: toNode(json), ...(json.score === null || json.score === undefined ? {} : { score: json.score }) };
}

export function toDocument(
  text: string,
  metadata: Metadata = {},
  excluded?: { llm?: string[]; embed?: string[] },
): Document {
  return document({
    id: "doc",
    text,
    metadata,
    excludedLlmMetadataKeys: excluded?.llm ?? [],
    excludedEmbedMetadataKeys: excluded?.embed ?? [],
  });
}

/** A node as the recordings print it; `text` of the document tells code points from UTF-16 units. */
export function fromNode(node: Node, documentText?: string): JsonNode {
  const points = (at: number) => [...documentText!.slice(0, at)].length;
  const related = (name: keyof typeof RELATIONS): RelatedNode | undefined => node.relationships[RELATIONS[name]];
  return {
    id: node.id,
    text: node.text,
    ...(Object.keys(node.metadata).length > 0 ? { metadata: node.metadata } : {}),
    ...(node.type === "index" ? { type: "index", index_id: node.indexId } : {}),
    ...(documentText === undefined
      ? {}
      : {
          start: node.startCharIdx === undefined ? null : points(node.startCharIdx),
          end: node.endCharIdx === undefined ? null : points(node.endCharIdx),
          relationships: {
            ...(related("source") ? { source: related("source")!.id } : {}),
            ...(related("prev") ? { prev: related("prev")!.id } : {}),
            ...(related("next") ? { next: related("next")!.id } : {}),
            ...(related("parent") ? { parent: related("parent")!.id } : {}),
            ...(node.relationships.children ? { children: node.relationships.children.map((child) => child.id) } : {}),
          },
        }),
  };
}

export function fromScored({ node, score }: NodeWithScore, documentText?: string): JsonNode {
  return { ...fromNode(node, documentText), score: score ?? null };
}

export function idsScores(nodes: readonly NodeWithScore[]): [string, number | null][] {
  return nodes.map(({ node, score }) => [node.id, score ?? null]);
}

/** Every number within the tolerance, everything else equal; `<new>` stands for any id. */
export function expectClose(actual: unknown, expected: unknown, tolerance: number): void {
  expect(rounded(actual, expected, tolerance)).toEqual(expected);
}

/** `actual` with each number that is near the expected one replaced by it. */
function rounded(actual: unknown, expected: unknown, tolerance: number): unknown {
  if (typeof actual === "number" && typeof expected === "number") {
    return Math.abs(actual - expected) <= tolerance * Math.max(1, Math.abs(expected)) ? expected : actual;
  }
  if (expected === "<new>" && typeof actual === "string") return expected;
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.map((item, i) => rounded(item, expected[i], tolerance));
  }
  if (isRecord(actual) && isRecord(expected)) {
    return Object.fromEntries(
      Object.entries(actual).map(([key, item]) => [key, rounded(item, expected[key], tolerance)]),
    );
  }
  return actual;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Results in order, where neighbours with scores that differ by less than 1e-9 may be swapped unless ties are what the case is about. */
export function expectRanked<T>(
  actual: readonly T[],
  expected: readonly T[],
  {
    score,
    key,
    name,
    tolerance = 1e-9,
  }: { score(item: T): number | null; key(item: T): string; name: string; tolerance?: number },
): void {
  const order = (items: readonly T[]): T[] => {
    if (/\bties?\b/.test(name)) return [...items];
    const out: T[] = [];
    let group: T[] = [];
    for (const item of items) {
      const last = group[group.length - 1];
      if (last !== undefined && Math.abs((score(last) ?? 0) - (score(item) ?? 0)) >= 1e-9) {
        out.push(...group.sort(byKey));
        group = [];
      }
      group.push(item);
    }
    return [...out, ...group.sort(byKey)];
  };
  const byKey = (a: T, b: T) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
  expectClose(order(actual), order(expected), tolerance);
}
