/**
 * Collects what one document gives to a segment. Values of one field that arrive one by one (arrays, `copy_to`) join: tokens go on in the
 * positions after a gap, as Lucene's indexing chain counts them.
 */
import type { Analyzer } from "../analysis/types.ts";
import { EngineError, illegalArgument } from "../errors.ts";
import { utf8Length } from "../json/utf8.ts";
import { TokensWriter } from "../segment/tokens.ts";
import type { FieldInfo, IndexableField, LuceneDoc } from "../segment/types.ts";
import type { StoredVector } from "../vectors/types.ts";
import type { MappedField } from "./types.ts";

/** Lucene's longest term, in bytes of UTF-8. */
export const MAX_TERM_BYTES = 32766;

interface TermsBuffer {
  readonly kind: "terms";
  readonly field: FieldInfo;
  readonly terms: string[];
  readonly positions: number[] | undefined;
  length: number;
  /** Position of the last token, gaps included. */
  position: number;
}

interface TokensBuffer {
  readonly field: FieldInfo;
  readonly tokens: TokensWriter;
  /** Of fields whose length is the number of different terms. */
  readonly distinct: Set<string> | undefined;
  length: number;
  position: number;
}

/** What a document does not have is left out: most have a few kinds of fields, and are made by the thousand. */
export interface DocBuffer {
  readonly nestedPath: string | undefined;
  readonly parent: DocBuffer | undefined;
  terms?: Map<FieldInfo, TermsBuffer>;
  /** Tokens of texts. */
  tokens?: Map<FieldInfo, TokensBuffer>;
  numbers?: Map<FieldInfo, (number | bigint)[]>;
  ordinals?: Map<FieldInfo, string[]>;
  vectors?: Map<FieldInfo, StoredVector>;
  /** Tokens with weights. */
  features?: Map<FieldInfo, Map<string, number>>;
  /** Texts of fields as they were given, where something else is made of them. */
  texts?: Map<string, string[]>;
  /** Fields of the mapping. */
  fieldOf?: (path: string) => MappedField | undefined;
  /** What is added when all fields are there. */
  later?: (() => void)[];
}

export function newDocBuffer(nestedPath?: string, parent?: DocBuffer): DocBuffer {
  return { nestedPath, parent };
}

function termsBuffer(doc: DocBuffer, field: FieldInfo): TermsBuffer {
  doc.terms ??= new Map();
  let buffer = doc.terms.get(field);
  if (buffer === undefined) {
    const positions = field.index === "positions" ? ([] as number[]) : undefined;
    buffer = { kind: "terms", field, terms: [], positions, length: 0, position: -1 };
    doc.terms.set(field, buffer);
  }
  return buffer;
}

/** Adds a value that is one term (keyword). The caller has checked its length. */
export function addTerm(doc: DocBuffer, field: FieldInfo, term: string): void {
  const buffer = termsBuffer(doc, field);
  buffer.terms.push(term);
  buffer.length++;
  buffer.positions?.push(++buffer.position);
}

/** Adds a value that is several terms at one position; `gap` as the analyzer says it of two values. */
export function addAlternatives(doc: DocBuffer, field: FieldInfo, terms: readonly string[], gap: number): void {
  const buffer = termsBuffer(doc, field);
  if (terms.length > 0) {
    buffer.length++;
    buffer.position++;
  }
  for (const term of terms) {
    if (term.length > MAX_TERM_BYTES / 3 && utf8Length(term) > MAX_TERM_BYTES) throw immenseTerm(field.name, term);
    buffer.terms.push(term);
    buffer.positions?.push(buffer.position);
  }
  buffer.position += gap;
}

export function addNumber(doc: DocBuffer, field: FieldInfo, value: number | bigint): void {
  doc.numbers ??= new Map();
  const values = doc.numbers.get(field);
  if (values === undefined) doc.numbers.set(field, [value]);
  else values.push(value);
}

export function addOrdinal(doc: DocBuffer, field: FieldInfo, value: string): void {
  doc.ordinals ??= new Map();
  const values = doc.ordinals.get(field);
  if (values === undefined) doc.ordinals.set(field, [value]);
  else values.push(value);
}

/** Adds a token with a weight; of two weights the larger one counts. */
export function addFeature(doc: DocBuffer, field: FieldInfo, token: string, weight: number): void {
  doc.features ??= new Map();
  const features = doc.features.get(field) ?? new Map<string, number>();
  doc.features.set(field, features.set(token, Math.max(weight, features.get(token) ?? 0)));
}

export function setVector(doc: DocBuffer, field: FieldInfo, vector: StoredVector): boolean {
  doc.vectors ??= new Map();
  if (doc.vectors.has(field)) return false;
  doc.vectors.set(field, vector);
  return true;
}

/** Writers that no document uses now. */
const writers: TokensWriter[] = [];

function tokensBuffer(doc: DocBuffer, field: FieldInfo): TokensBuffer {
  doc.tokens ??= new Map();
  let buffer = doc.tokens.get(field);
  if (buffer === undefined) {
    const tokens = (writers.pop() ?? new TokensWriter()).start(field.index === "positions");
    // Where frequencies are not kept, Lucene's length is the number of different terms (Similarity.computeNorm).
    const distinct = field.index === "docs" ? new Set<string>() : undefined;
    buffer = { field, tokens, distinct, length: 0, position: -1 };
    doc.tokens.set(field, buffer);
  }
  return buffer;
}

// The sink's state: one for all fields, because analysis is synchronous.
let current: TokensBuffer;
let position = 0;
let length = 0;
let seen: ((term: string) => void) | undefined;

function sink(term: string, _start: number, _end: number, increment: number): void {
  if (increment > 0) {
    position += increment;
    length++;
  } else if (position < 0) {
    throw illegalArgument(`first position increment must be > 0 (got ${increment}) for field '${current.field.name}'`);
  }
  if (term.length > MAX_TERM_BYTES / 3 && utf8Length(term) > MAX_TERM_BYTES)
    throw immenseTerm(current.field.name, term);
  current.tokens.add(term, position);
  current.distinct?.add(term);
  seen?.(term);
}

/**
 * Adds an analysed value; the analyzer says how far in positions two values of the field are apart.
 * @param visit is given each of its terms
 */
export function addText(
  doc: DocBuffer,
  field: FieldInfo,
  text: string,
  analyzer: Analyzer,
  visit?: (term: string) => void,
): void {
  const buffer = tokensBuffer(doc, field);
  current = buffer;
  position = buffer.position;
  length = 0;
  seen = visit;
  const end = analyzer.analyze(text, sink);
  buffer.length += length;
  buffer.position = position + end.increment + analyzer.positionIncrementGap;
}

function firstBytes(term: string): { readonly length: number; readonly shown: string } {
  const bytes = new TextEncoder().encode(term);
  return { length: bytes.length, shown: `[${Array.from(new Int8Array(bytes.buffer, 0, 30)).join(", ")}]` };
}

/** Lucene's error for a token that is too long; it shows the first 30 bytes. */
function immenseTerm(field: string, term: string): EngineError {
  const { length: bytes, shown } = firstBytes(term);
  const original = `bytes can be at most ${MAX_TERM_BYTES} in length; got ${bytes}`;
  return illegalArgument(
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is longer than the max length ${MAX_TERM_BYTES}), all of which were skipped.  Please correct the analyzer to not produce such terms.  The prefix of the first immense term is: '${shown}...', original message: ${original}`,
    { cause: new EngineError("max_bytes_length_exceeded_exception", original) },
  );
}

/** Elasticsearch's error for a keyword that is too long. */
export function immenseKeyword(field: string, term: string): EngineError {
  return illegalArgument(
    `Document contains at least one immense term in field="${field}" (whose UTF8 encoding is longer than the max length ${MAX_TERM_BYTES}), all of which were skipped. Please correct the analyzer to not produce such terms. The prefix of the first immense term is: '${firstBytes(term).shown}...'`,
  );
}

/** The document for the segment. */
export function finishDoc(doc: DocBuffer): LuceneDoc {
  const fields: IndexableField[] = [];
  for (const { kind, field, terms, positions, length: count } of doc.terms?.values() ?? []) {
    // Where frequencies are not kept, Lucene's length is the number of different terms (Similarity.computeNorm).
    const length = field.index === "docs" ? new Set(terms).size : count;
    fields.push({ kind, field, terms, positions, length });
  }
  for (const { field, tokens, distinct, length } of doc.tokens?.values() ?? []) {
    fields.push({ kind: "tokens", field, tokens: tokens.finish(), length: distinct?.size ?? length });
    writers.push(tokens);
  }
  for (const [field, values] of doc.numbers ?? []) fields.push({ kind: "numbers", field, values });
  for (const [field, values] of doc.ordinals ?? []) fields.push({ kind: "ordinals", field, values });
  for (const [field, features] of doc.features ?? []) {
    const sorted = [...features].sort((a, b) => a[1] - b[1]);
    const [terms, weights] = [sorted.map(([token]) => token), sorted.map(([, weight]) => weight)];
    fields.push({ kind: "terms", field, terms, weights, length: terms.length });
  }
  for (const [field, vector] of doc.vectors ?? []) fields.push({ kind: "vector", field, vector });
  return doc.nestedPath === undefined ? { fields } : { nestedPath: doc.nestedPath, fields };
}
