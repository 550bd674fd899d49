/** What the right answers are: every passage is read and scored, every vector compared. */
import { scoreOf, weightOf } from "./bm25.ts";
import { lines, vectorsOf } from "./lines.ts";
import { type Answer, type Kind, type Question, type Suite, TOP, tagOf } from "./types.ts";

export interface Expected {
  /** The best by score, ties by id. */
  readonly best: readonly number[];
  /** What a passage scores; undefined: it does not match. */
  score(id: number): number | undefined;
  readonly buckets?: Readonly<Record<string, number>>;
}

/** Passages that have one word (or phrase) of a question, and how often. */
interface Slot {
  readonly matches: (word: string) => boolean;
  /** The words that must follow, of a phrase. */
  readonly rest: readonly string[];
  readonly docs: number[];
  readonly freqs: number[];
}

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

function slotsOf({ kind, words }: Question): Slot[] {
  const slot = (matches: Slot["matches"], rest: readonly string[] = []): Slot => ({
    matches,
    rest,
    docs: [],
    freqs: [],
  });
  if (kind === "fuzzy") return [slot((word) => withinOneEdit(word, words[0]))];
  if (kind === "prefix") return [slot((word) => word.startsWith(words[0]))];
  const each = words.map((asked) => slot((word) => word === asked));
  // Its words' own document frequencies weigh a phrase.
  return kind === "phrase" ? [slot((word) => word === words[0], words.slice(1)), ...each] : each;
}

function readPassages(suite: Suite, slots: readonly Slot[]): Uint16Array {
  const lengths = new Uint16Array(suite.size);
  const bySlot = new Map<string, readonly Slot[]>();
  let doc = 0;
  for (const line of lines(suite.words)) {
    if (doc === suite.size) break;
    const words = line.split(" ");
    lengths[doc] = words.length;
    for (let at = 0; at < words.length; at++) {
      let wanted = bySlot.get(words[at]);
      if (wanted === undefined) bySlot.set(words[at], (wanted = slots.filter(({ matches }) => matches(words[at]))));
      for (const { rest, docs, freqs } of wanted) {
        if (!rest.every((word, i) => words[at + 1 + i] === word)) continue;
        if (docs.at(-1) === doc) freqs[freqs.length - 1]++;
        else {
          docs.push(doc);
          freqs.push(1);
        }
      }
    }
    doc++;
  }
  return lengths;
}

function best(scores: ReadonlyMap<number, number>): number[] {
  return [...scores]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, TOP)
    .map(([doc]) => doc);
}

function textScores(
  question: Question,
  slots: readonly Slot[],
  lengths: Uint16Array,
  average: number,
): Map<number, number> {
  const sums = new Map<number, number>();
  const count = lengths.length;
  const phrase = question.kind === "phrase";
  const constant = question.kind === "fuzzy" || question.kind === "prefix";
  for (const slot of phrase ? slots.slice(0, 1) : slots) {
    const weighing = phrase ? slots.slice(1) : [slot];
    const weight = weightOf(
      count,
      weighing.map(({ docs }) => docs.length),
    );
    slot.docs.forEach((doc, i) => {
      if (question.kind === "filtered" && tagOf(doc) !== question.tag) return;
      const score = constant ? 1 : scoreOf(weight, slot.freqs[i], lengths[doc], average);
      sums.set(doc, constant ? 1 : (sums.get(doc) ?? 0) + score);
    });
  }
  return sums;
}

/** Cosines (the vectors have length one) of one question to every passage. */
function cosines(suite: Suite, question: Question, vectors: Float32Array): Map<number, number> {
  const scores = new Map<number, number>();
  const query = Float32Array.from(question.vector);
  for (let doc = 0, at = 0; doc < suite.size; doc++) {
    let sum = 0;
    for (let d = 0; d < suite.dims; d++) sum += query[d] * vectors[at++];
    if (question.kind !== "kNN, filtered" || tagOf(doc) === question.tag) scores.set(doc, sum);
  }
  return scores;
}

/** Reciprocal ranks of two lists of the best, with the constant 60. */
function fused(lists: readonly (readonly number[])[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const list of lists) {
    for (const [rank, doc] of list.entries()) sums.set(doc, (sums.get(doc) ?? 0) + 1 / (61 + rank));
  }
  return sums;
}

/** The right answers to questions, in their order. */
export function expectedOf(suite: Suite, questions: readonly Question[]): Expected[] {
  const slots = questions.map(slotsOf);
  const lengths = suite.text ? readPassages(suite, slots.flat()) : new Uint16Array(0);
  const average = Math.fround(lengths.reduce((sum, length) => sum + length, 0) / lengths.length);
  const vectors = suite.dims > 0 ? vectorsOf(suite.vectors, suite.dims, 0, suite.size) : undefined;
  return questions.map((question, i) => {
    const texts = suite.text ? textScores(question, slots[i], lengths, average) : undefined;
    const near = vectors && cosines(suite, question, vectors);
    const scores = texts && near ? fused([best(texts), best(near)]) : (texts ?? near!);
    const counts: Record<string, number> = {};
    if (question.kind === "aggregated")
      for (const doc of scores.keys()) counts[tagOf(doc)] = (counts[tagOf(doc)] ?? 0) + 1;
    return {
      best: best(scores),
      score: (doc) => scores.get(doc),
      ...(question.kind === "aggregated" ? { buckets: counts } : {}),
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
  const last = expected.score(best.at(-1)!)!;
  const least = last - 1e-6 * Math.abs(last);
  const right = new Set(answer.ids.filter((id) => (expected.score(id) ?? Number.NEGATIVE_INFINITY) >= least));
  return right.size / best.length;
}

/** Whether every score is the reference's, to the last digit but one of a float. */
export function sameScores(expected: Expected, answer: Answer): boolean {
  return (answer.scores ?? []).every((score, i) => {
    const wanted = expected.score(answer.ids[i]);
    return wanted !== undefined && Math.abs(score - wanted) <= 1e-6 * Math.abs(wanted);
  });
}
