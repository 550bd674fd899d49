/**
 * A static embedding: a text's vector is the weighted sum of one vector for each of its tokens. No word order, no network,
 * no native code; thousands of texts a second. How the file was made and what to expect of it: docs/embedding.md.
 */

import { hanTrie } from "./static-embedding-trie.ts";
import { aligned, invalidFile, parseStaticFile } from "./static-file.ts";

const WORD_START = "▁";
const IMPOSSIBLE = -1e18;
const RUN_CACHE_LIMIT = 50_000;

export interface StaticEmbedding {
  readonly name: string;
  readonly dimensions: number;
  /** Token ids in order, repetitions included. */
  encode(text: string, options?: StaticEmbedOptions): number[];
  /** A vector of length one; all zeros if no token is known. */
  embed(text: string, options?: StaticEmbedOptions): Float32Array;
}

export interface StaticEmbedOptions {
  /** Reads a word that is not known as the words that its capitals tell apart: `getUserName`. Default false. */
  identifiers?: boolean | undefined;
}

/**
 * Opens a model from the bytes of its file; they are kept, not copied, where their address allows it.
 *
 * @throws HuiliuError `MODEL_FILE_INVALID` for bytes that are not such a file
 */
export function staticEmbedding(bytes: Uint8Array): StaticEmbedding {
  const { header, section } = parseStaticFile(bytes);
  const { dims, rows, maxPiece, maxWord, unknown } = header;
  const thousandths = new Uint16Array(aligned(section("scores")));
  const scores = new Float64Array(thousandths.length);
  for (let i = 0; i < scores.length; i++) scores[i] = thousandths[i]! / -1000;
  const scales = new Float32Array(aligned(section("scales")));
  const matrix = words32(section("matrix"));
  const decoder = new TextDecoder();
  const entries = decoder.decode(section("vocab")).split("\n");
  if (entries.length !== rows || scores.length < rows || scales.length < rows || matrix.length * 8 < rows * dims) {
    throw invalidFile("its sections do not have the lengths that its header promises");
  }

  // Chinese entries live in a trie over character codes, all others in a map.
  const latin = new Map<string, number>();
  const han: [string, number][] = [];
  for (let i = 0; i < rows; i++) {
    const entry = entries[i]!;
    if (isHan(entry.charCodeAt(0))) han.push([entry, i]);
    else latin.set(entry, i);
  }
  const trie = hanTrie(han);
  const simplified = new Uint16Array(65_536);
  for (let code = 0; code < simplified.length; code++) simplified[code] = code;
  const pairs = decoder.decode(section("t2s"));
  for (let i = 0; i + 1 < pairs.length; i += 2) simplified[pairs.charCodeAt(i)] = pairs.charCodeAt(i + 1);

  const words = new Map<string, Int32Array>();
  const lattice = { best: new Float64Array(256), from: new Int32Array(256), id: new Int32Array(256) };
  const counts = new Int32Array(rows);
  let tokens = new Int32Array(1024);
  let length = 0;

  function push(id: number): void {
    if (length === tokens.length) {
      const grown = new Int32Array(2 * length);
      grown.set(tokens);
      tokens = grown;
    }
    tokens[length++] = id;
  }

  function reserve(n: number): void {
    if (lattice.best.length <= n) {
      const size = 2 * n + 2;
      lattice.best = new Float64Array(size);
      lattice.from = new Int32Array(size);
      lattice.id = new Int32Array(size);
    }
    lattice.best.fill(IMPOSSIBLE, 0, n + 1);
    lattice.best[0] = 0;
  }

  /** A step of the best segmentation; a later candidate wins only if it is strictly better. */
  function offer(i: number, j: number, score: number, id: number): void {
    if (score > lattice.best[j]!) {
      lattice.best[j] = score;
      lattice.from[j] = i;
      lattice.id[j] = id;
    }
  }

  /** A run of letters or digits: a known word, else the words that its capitals tell apart, else pieces. */
  function run(lower: string, cased: string): void {
    if (lower !== cased && HUMP.test(cased) && !latin.has(WORD_START + lower)) {
      for (const part of cased.split(HUMPS)) for (const id of word(part.toLowerCase())) push(id);
    } else for (const id of word(lower)) push(id);
  }

  function word(w: string): Int32Array {
    const known = words.get(w);
    if (known) return known;
    const whole = latin.get(WORD_START + w);
    const ids = whole === undefined ? pieces(WORD_START + w.slice(0, maxWord)) : Int32Array.of(whole);
    if (words.size < RUN_CACHE_LIMIT && w.length <= maxWord) words.set(w, ids);
    return ids;
  }

  function pieces(s: string): Int32Array {
    const n = s.length;
    reserve(n);
    for (let i = 0; i < n; i++) {
      const base = lattice.best[i]!;
      offer(i, i + 1, base - unknown, -1);
      for (let j = i + 1; j <= n && j <= i + maxPiece; j++) {
        const id = latin.get(s.slice(i, j));
        if (id !== undefined) offer(i, j, base + scores[id]!, id);
      }
    }
    const out: number[] = [];
    for (let j = n; j > 0; j = lattice.from[j]!) if (lattice.id[j]! >= 0) out.push(lattice.id[j]!);
    return Int32Array.from(out.reverse());
  }

  /** The best segmentation of a Chinese run; words of several characters are followed by their characters. */
  function hanRun(s: string, start: number, end: number): void {
    const n = end - start;
    reserve(n);
    const { best } = lattice;
    for (let i = 0; i < n; i++) {
      const base = best[i]!;
      offer(i, i + 1, base - unknown, -1);
      let node = 0;
      for (let j = i; j < n && j < i + header.maxHan; j++) {
        node = trie.child(node, simplified[s.charCodeAt(start + j)]!);
        if (node < 0) break;
        const id = trie.ids[node]!;
        if (id >= 0) offer(i, j + 1, base + scores[id]!, id);
      }
    }
    // Backwards from the end, so the steps are first turned round in place: from[] becomes the next position.
    let next = n;
    for (let j = n; j > 0; ) {
      const i = lattice.from[j]!;
      lattice.from[j] = next;
      next = j;
      j = i;
    }
    for (let i = 0, j = next; i < n; ) {
      const id = lattice.id[j]!;
      if (id >= 0) {
        push(id);
        if (header.zhChars && j - i > 1) pushCharacters(s, start + i, start + j);
      }
      i = j;
      j = lattice.from[j]!;
    }
  }

  function pushCharacters(s: string, start: number, end: number): void {
    for (let k = start; k < end; k++) {
      const node = trie.child(0, simplified[s.charCodeAt(k)]!);
      if (node >= 0 && trie.ids[node]! >= 0) push(trie.ids[node]!);
    }
  }

  function tokenize(text: string, { identifiers = false }: StaticEmbedOptions = {}): void {
    const { lower: s, cased } = normalise(text, identifiers);
    const n = s.length;
    length = 0;
    for (let i = 0; i < n; ) {
      const kind = kindOf(simplified[s.charCodeAt(i)]!);
      let j = i + 1;
      while (j < n && kindOf(simplified[s.charCodeAt(j)]!) === kind) j++;
      if (kind === HAN) hanRun(s, i, j);
      else if (kind !== OTHER) run(s.slice(i, j), cased.slice(i, j));
      i = j;
    }
  }

  return {
    name: header.name,
    dimensions: dims,
    encode(text, options) {
      tokenize(text, options);
      return Array.from(tokens.subarray(0, length));
    },
    embed(text, options) {
      tokenize(text, options);
      // Each distinct token once, weighted by the root of its count.
      let distinct = 0;
      for (let t = 0; t < length; t++) if (counts[tokens[t]!]!++ === 0) tokens[distinct++] = tokens[t]!;
      const sum = new Float64Array(dims);
      let weights = 0;
      for (let t = 0; t < distinct; t++) {
        const id = tokens[t]!;
        const weight = counts[id]! ** header.tf * scales[id]!;
        counts[id] = 0;
        weights += weight;
        addRow(sum, matrix, id * (dims >> 3), weight);
      }
      return unit(sum, 8 * weights);
    },
  };
}

/** Adds a packed row, its values still 8 too large: `unit` takes that away once for all rows. Eight values a word, low nibble first. */
function addRow(sum: Float64Array, matrix: Uint32Array, offset: number, weight: number): void {
  for (let k = 0, o = offset; k < sum.length; k += 8, o++) {
    const x = matrix[o]!;
    sum[k]! += weight * (x & 15);
    sum[k + 1]! += weight * ((x >>> 4) & 15);
    sum[k + 2]! += weight * ((x >>> 8) & 15);
    sum[k + 3]! += weight * ((x >>> 12) & 15);
    sum[k + 4]! += weight * ((x >>> 16) & 15);
    sum[k + 5]! += weight * ((x >>> 20) & 15);
    sum[k + 6]! += weight * ((x >>> 24) & 15);
    sum[k + 7]! += weight * (x >>> 28);
  }
}

function unit(sum: Float64Array, bias: number): Float32Array {
  const out = new Float32Array(sum.length);
  if (bias === 0) return out;
  let squares = 0;
  for (let k = 0; k < sum.length; k++) squares += (sum[k]! - bias) ** 2;
  if (squares === 0) return out;
  const factor = 1 / Math.sqrt(squares);
  for (let k = 0; k < sum.length; k++) out[k] = (sum[k]! - bias) * factor;
  return out;
}

const OTHER = 0;
const LETTERS = 1;
const DIGITS = 2;
const HAN = 3;

function isHan(code: number): boolean {
  return (code >= 0x4e00 && code <= 0x9fff) || (code >= 0x3400 && code <= 0x4dbf) || code === 0x3007;
}

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LETTERS;
  if (code >= 48 && code <= 57) return DIGITS;
  return code >= 0x3007 && isHan(code) ? HAN : OTHER;
}

/**
 * Texts of these characters alone have the same tokens with and without Unicode normalisation: ASCII, Chinese
 * characters, and punctuation that never becomes a letter, a digit or a Chinese character.
 */
const PLAIN =
  /^[\0-\x7f\u2000-\u206f\u3000-\u3029\u4e00-\u9fff\u3400-\u4dbf\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*$/;

/** Where a word of several begins, by its capitals: `get|User|Name`, `XML|Parser`. */
const HUMPS = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const HUMP = /[a-z][A-Z]|[A-Z]{2}[a-z]/;

/**
 * Compatibility forms folded, lower case, accents removed. (Traditional characters are mapped one by one, later.) Where capitals are wanted,
 * the same text with them stands beside it, if each character has its place still; else the lower case twice.
 */
function normalise(text: string, capitals: boolean): { lower: string; cased: string } {
  if (PLAIN.test(text)) {
    const lower = text.toLowerCase();
    return { lower, cased: capitals ? text : lower };
  }
  const folded = text.normalize("NFKC");
  const lower = withoutMarks(folded.toLowerCase());
  const cased = capitals ? withoutMarks(folded) : lower;
  return { lower, cased: cased.length === lower.length ? cased : lower };
}

function withoutMarks(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}+/gu, "")
    .normalize("NFC");
}

/** A view of the bytes, or a copy where their address or this machine's byte order does not allow one. */
function words32(bytes: Uint8Array): Uint32Array {
  const count = bytes.length >> 2;
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] === 0) {
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
  }
  return bytes.byteOffset % 4 === 0
    ? new Uint32Array(bytes.buffer, bytes.byteOffset, count)
    : new Uint32Array(aligned(bytes));
}
