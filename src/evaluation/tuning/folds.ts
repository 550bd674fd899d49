/** Questions in folds, so that what is chosen on some is measured on others. */
import { InvalidArgumentError } from "../../schema/index.ts";
import type { Qrels } from "../evaluate.ts";
import type { Question } from "../questions.ts";
import { seededRandom, shuffled } from "../random.ts";

/**
 * The fold of each question. Questions that are the same but for case and punctuation, or have the same answers, share a fold: whoever has
 * seen one has seen the other.
 *
 * @throws InvalidArgumentError where there are fewer groups than folds
 */
export function foldsOf(questions: readonly Question[], qrels: Qrels, folds: number, seed: number): number[] {
  const groups = joined(questions, qrels);
  if (!Number.isInteger(folds) || folds < 2 || groups.length < folds) {
    throw new InvalidArgumentError(
      "folds",
      folds,
      `${folds} folds need at least 2 and at most ${groups.length}, the number of questions that differ`,
    );
  }
  const out = new Array<number>(questions.length);
  const sizes = new Array<number>(folds).fill(0);
  // The largest first, each into the smallest fold: folds become about equal.
  const order = shuffled(groups, seededRandom(seed)).sort((a, b) => b.length - a.length);
  for (const group of order) {
    const fold = sizes.indexOf(Math.min(...sizes));
    sizes[fold]! += group.length;
    for (const index of group) out[index] = fold;
  }
  return out;
}

/** Indices of questions that belong together. */
function joined(questions: readonly Question[], qrels: Qrels): number[][] {
  const parent = questions.map((_, i) => i);
  const root = (i: number): number => (parent[i] === i ? i : (parent[i] = root(parent[i]!)));
  const first = new Map<string, number>();
  questions.forEach(({ id, text }, i) => {
    const words = text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
    const relevant = [...(qrels.get(id) ?? [])].filter(([, grade]) => grade > 0).map(([name]) => name);
    for (const key of [`text ${words}`, `answers ${JSON.stringify(relevant.sort())}`]) {
      const known = first.get(key);
      if (known === undefined) first.set(key, i);
      else parent[root(i)] = root(known);
    }
  });
  const groups = new Map<number, number[]>();
  for (const i of questions.keys()) groups.set(root(i), [...(groups.get(root(i)) ?? []), i]);
  return [...groups.values()];
}
