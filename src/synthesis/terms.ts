/** Words of a question for comparing it with sentences: words by their English stem, numbers, and pairs of Han characters. */
import { porterStem } from "../engine/analysis/filters/porter.ts";

/** Runs of one kind: Han characters, or other letters and digits. Chinese and Latin text stand side by side without a space. */
export const RUNS = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/** Words that ask, and say nothing of the subject. */
const STOP_WORDS = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have how i if in is it its may me must my of on or our " +
    "shall should that the their them there they this to was we were what when where which who whom whose why will with would you your"
  ).split(" "),
);

/** Chinese writes them without a space: they part the run in which they stand. */
const HAN_STOPS =
  /什么|怎么|怎样|多少|多久|几个|几|哪些|哪个|如何|是否|可以|可否|能否|需要|为何|为什么|请问|我们|我的/u;

/** The distinct terms of a text, in order. */
export function questionTerms(text: string): string[] {
  const terms = new Set<string>();
  for (const [run] of text.normalize("NFKC").toLowerCase().matchAll(RUNS)) {
    if (/^\p{Script=Han}/u.test(run)) for (const term of hanTerms(run)) terms.add(term);
    else if (!STOP_WORDS.has(run)) terms.add(porterStem(run));
  }
  return [...terms];
}

/** Pairs of neighbours; a character alone is a term where nothing else stands beside it. */
function hanTerms(run: string): string[] {
  if ([...run].length === 1) return [run];
  return run.split(HAN_STOPS).flatMap((part) => {
    const characters = [...part];
    return characters.slice(1).map((character, i) => characters[i]! + character);
  });
}

/** Rare terms weigh more: idf over the texts, as BM25 has it, ln(1 + (N − df + 0.5) / (df + 0.5)). */
export function termWeights(terms: readonly string[], texts: readonly ReadonlySet<string>[]): Map<string, number> {
  return new Map(
    terms.map((term) => {
      const df = texts.reduce((count, text) => count + (text.has(term) ? 1 : 0), 0);
      return [term, Math.log(1 + (texts.length - df + 0.5) / (df + 0.5))];
    }),
  );
}
