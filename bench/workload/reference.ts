/** What the right answers are: every passage is read and scored, every vector compared. */
import { scoreOf, weightOf } from "./bm25.ts";
import { lines, vectorsOf } from "./lines.ts";
import { type Answer, type Kind, type Question, type Suite, TOP, tagOf } from "./types.ts";

export interface Expected {
  /** The best by score, ties by id. */
  readonly best: readonly number[];
  /** What a passage scores that is as good as the last of the best; undefined: another one. */
  score(id: number): number | undefined;
  readonly buckets?: Readonly<Record<string, number>>;
}

/** Passages that have one word (or phrase) of a question, and how often. */
interface Slot {
  readonly docs: number[];
  readonly freqs: number[];
}

/** A slot that is no single word: found by looking at each word there is. */
interface Pattern extends Slot {
  readonly matches: (word: string) => boolean;
  /** The words that must follow, of a phrase. */
  readonly rest: readonly string[];
}

/** What all questions look for; a word of several questions is collected once. */
interface Slots {
  readonly words: Map<string, Slot>;
  readonly patterns: Pattern[];
}

/** Score of a passage that does not match. */
const NONE = Number.NEGATIVE_INFINITY;
/** Float32's last digit but one. */
const NEARLY = 1e-6;

function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (x.length <= 1 && y.length <= 1) || (x.length === 2 && y.length === 2 && x[0] === y[1] && x[1] === y[0]);
}

/** The slots of a question, its phrase or pattern first. */
function slotsOf({ kind, words }: Question, all: Slots): Slot[] {
  const pattern = (matches: Pattern["matches"], rest: readonly string[] = []): Slot => {
    const made = { matches, rest, docs: [], freqs: [] };
    all.patterns.push(made);
    return made;
  };
  if (kind === "fuzzy") return [pattern((word) => withinOneEdit(word, words[0]))];
  if (kind === "prefix") return [pattern((word) => word.startsWith(words[0]))];
  const each = words.map((word) => {
    const slot = all.words.get(word) ?? { docs: [], freqs: [] };
    all.words.set(word, slot);
    return slot;
  });
  // Its words' own document frequencies weigh a phrase.
  return kind === "phrase" ? [pattern((word) => word === words[0], words.slice(1)), ...each] : each;
}

function count({ docs, freqs }: Slot, doc: number): void {
  if (docs.at(-1) === doc) freqs[freqs.length - 1]++;
  else {
    docs.push(doc);
    freqs.push(1);
  }
}

/** Fills the slots; gives the passages' lengths. */
function readPassages(suite: Suite, { words, patterns }: Slots): Uint16Array {
  const lengths = new Uint16Array(suite.size);
  const matching = new Map<string, readonly Pattern[]>();
  let doc = 0;
  for (const line of lines(suite.words)) {
    if (doc === suite.size) break;
    const passage = line.split(" ");
    lengths[doc] = passage.length;
    for (const [at, word] of passage.entries()) {
      const slot = words.get(word);
      if (slot) count(slot, doc);
      let wanted = matching.get(word);
      if (wanted === undefined) matching.set(word, (wanted = patterns.filter(({ matches }) => matches(word))));
      for (const pattern of wanted) {
        if (pattern.rest.every((next, i) => passage[at + 1 + i] === next)) count(pattern, doc);
      }
    }
    doc++;
  }
  return lengths;
}

function best(scores: Float64Array): number[] {
  const found: number[] = [];
  for (let doc = 0; doc < scores.length; doc++) {
    const score = scores[doc];
    if (score === NONE || (found.length === TOP && score <= scores[found[TOP - 1]])) continue;
    const at = found.findIndex((other) => scores[other] < score);
    found.splice(at < 0 ? found.length : at, 0, doc);
    if (found.length > TOP) found.pop();
  }
  return found;
}

function textScores(
  question: Question,
  slots: readonly Slot[],
  lengths: Uint16Array,
  average: number,
  into: Float64Array,
): void {
  into.fill(NONE);
  const phrase = question.kind === "phrase";
  const constant = question.kind === "fuzzy" || question.kind === "prefix";
  for (const slot of phrase ? slots.slice(0, 1) : slots) {
    const weighing = phrase ? slots.slice(1) : [slot];
    const weight = weightOf(
      lengths.length,
      weighing.map(({ docs }) => docs.length),
    );
    for (const [i, doc] of slot.docs.entries()) {
      if (question.kind === "filtered" && tagOf(doc) !== question.tag) continue;
      const before = into[doc] === NONE ? 0 : into[doc];
      into[doc] = constant ? 1 : before + scoreOf(weight, slot.freqs[i], lengths[doc], average);
    }
  }
}

/** Cosines (the vectors have length one) of one question to every passage. */
function cosines(suite: Suite, question: Question, vectors: Float32Array, into: Float64Array): void {
  const query = Float32Array.from(question.vector);
  for (let doc = 0, at = 0; doc < suite.size; doc++) {
    let sum = 0;
    for (let d = 0; d < suite.dims; d++) sum += query[d] * vectors[at++];
    into[doc] = question.kind !== "kNN, filtered" || tagOf(doc) === question.tag ? sum : NONE;
  }
}

/** Reciprocal ranks of two lists of the best, with the constant 60. */
function fuse(lists: readonly (readonly number[])[], into: Float64Array): void {
  into.fill(NONE);
  for (const list of lists) {
    for (const [rank, doc] of list.entries()) into[doc] = (into[doc] === NONE ? 0 : into[doc]) + 1 / (61 + rank);
  }
}

function bucketsOf(scores: Float64Array): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let doc = 0; doc < scores.length; doc++) {
    if (scores[doc] !== NONE) counts[tagOf(doc)] = (counts[tagOf(doc)] ?? 0) + 1;
  }
  return counts;
}

const leastOf = (last: number) => last - NEARLY * Math.abs(last);

/** The right answers to questions, in their order. */
export function expectedOf(suite: Suite, questions: readonly Question[]): Expected[] {
  const all: Slots = { words: new Map(), patterns: [] };
  const slots = questions.map((question) => (suite.text ? slotsOf(question, all) : []));
  const lengths = suite.text ? readPassages(suite, all) : new Uint16Array(0);
  const average = Math.fround(lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
  const vectors = suite.dims > 0 ? vectorsOf(suite.vectors, suite.dims, 0, suite.size) : undefined;
  // One array for all questions: a million passages are too many for a table of each.
  const scores = new Float64Array(suite.size);
  return questions.map((question, i) => {
    if (suite.text) textScores(question, slots[i], lengths, average, scores);
    if (vectors) {
      const words = suite.text ? best(scores) : undefined;
      cosines(suite, question, vectors, scores);
      if (words) fuse([words, best(scores)], scores);
    }
    const ranked = best(scores);
    const least = ranked.length > 0 ? leastOf(scores[ranked.at(-1)!]) : 0;
    const known = new Map<number, number>();
    if (ranked.length > 0) for (const [doc, score] of scores.entries()) if (score >= least) known.set(doc, score);
    return {
      best: ranked,
      score: (doc) => known.get(doc),
      ...(question.kind === "aggregated" ? { buckets: bucketsOf(scores) } : {}),
    };
  });
}

/** The share of an answer that is right: of the ten best, or of the buckets. Ties are right in any order. */
export function rightness(kind: Kind, expected: Expected, answer: Answer): number {
  if (kind === "aggregated") {
    const wanted = Object.entries(expected.buckets!);
    const right = wanted.filter(([tag, count]) => answer.buckets?.[tag] === count).length;
    return wanted.length === 0 ? 1 : right / wanted.length;
  }
  const { best } = expected;
  if (best.length === 0) return answer.ids.length === 0 ? 1 : 0;
  const right = new Set(answer.ids.filter((id) => expected.score(id) !== undefined));
  return right.size / best.length;
}

/** Whether every score is the reference's, to the last digit but one of a float. */
export function sameScores(expected: Expected, answer: Answer): boolean {
  return (answer.scores ?? []).every((score, i) => {
    const wanted = expected.score(answer.ids[i]);
    return wanted !== undefined && Math.abs(score - wanted) <= NEARLY * Math.abs(wanted);
  });
}
