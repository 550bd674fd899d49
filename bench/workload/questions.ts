/** Questions out of the passages themselves, so that what is asked is as frequent as what is written. */
import { seededRandom } from "../../test/random.ts";
import { lines, vectorsOf } from "./lines.ts";
import { wordsIn } from "./texts.ts";
import { type Kind, type Question, type Suite, TEXT_KINDS } from "./types.ts";

/** Kinds that a suite's passages can be asked. */
export function kindsOf(suite: Suite): readonly Kind[] {
  const vectors: readonly Kind[] = suite.text ? ["hybrid"] : ["kNN", "kNN, filtered"];
  if (suite.dims > 0) return vectors;
  // A Chinese word has too few characters for fuzziness.
  return TEXT_KINDS.filter((kind) => suite.language === "en" || kind !== "fuzzy");
}

/** Passages of chance, as their words. */
function somePassages(suite: Suite, count: number, random: () => number): string[][] {
  const wanted = new Set<number>();
  while (wanted.size < Math.min(count, suite.size)) wanted.add(Math.floor(random() * suite.size));
  const found: string[][] = [];
  let at = 0;
  for (const line of lines(suite.words)) if (wanted.has(at++)) found.push(line.split(" "));
  return found;
}

const changed = (word: string, random: () => number) => {
  const at = 1 + Math.floor(random() * (word.length - 1));
  return word.slice(0, at) + "etaoins"[Math.floor(random() * 7)] + word.slice(at + 1);
};

export function questionsOf(suite: Suite, count: number, seed = 5): Map<Kind, Question[]> {
  const random = seededRandom(seed);
  const segment = wordsIn(suite.language);
  // A word that is another word when it stands alone would be another question to a peer that segments.
  const stable = (word: string) => word !== undefined && segment(word).join() === word;
  const kinds = kindsOf(suite);
  const passages = suite.text ? somePassages(suite, Math.max(200, count), random) : [];
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)];
  const wordsApart = (n: number, fits: (word: string) => boolean = () => true): string[] => {
    for (let tries = 0; tries < 10_000; tries++) {
      const fitting = [...new Set(pick(passages))].filter((word) => stable(word) && fits(word));
      if (fitting.length < n) continue;
      const chosen = new Set<string>();
      while (chosen.size < n) chosen.add(pick(fitting));
      return [...chosen];
    }
    throw new Error(`no passage has ${n} words to ask for`);
  };
  const phrase = (): string[] => {
    for (let tries = 0; tries < 10_000; tries++) {
      const words = pick(passages);
      const at = Math.floor(random() * words.length);
      const taken = words.slice(at, at + 2 + Math.floor(2 * random()));
      if (taken.length >= 2 && taken.every(stable)) return taken;
    }
    throw new Error("no passage has a phrase to ask for");
  };
  const words: Record<Kind, () => string[]> = {
    "1 term": () => wordsApart(1),
    "3 terms": () => wordsApart(3),
    "10 terms": () => wordsApart(10),
    phrase,
    fuzzy: () => [changed(wordsApart(1, (word) => word.length >= 6)[0], random)],
    prefix: () =>
      suite.language === "en"
        ? [wordsApart(1, (word) => word.length >= 5)[0].slice(0, 4)]
        : [wordsApart(1, (word) => word.length >= 2)[0].slice(0, 1)],
    filtered: () => wordsApart(3),
    aggregated: () => wordsApart(3),
    kNN: () => [],
    "kNN, filtered": () => [],
    hybrid: () => wordsApart(3),
  };
  const vectors = suite.dims > 0 ? vectorsOf(suite.vectors, suite.dims, suite.size, suite.size + count) : undefined;
  return new Map(
    kinds.map((kind) => [
      kind,
      Array.from({ length: count }, (_, i) => ({
        kind,
        words: words[kind](),
        tag: `t${i % 10}`,
        vector: vectors === undefined ? [] : Array.from(vectors.subarray(i * suite.dims, (i + 1) * suite.dims)),
      })),
    ]),
  );
}
