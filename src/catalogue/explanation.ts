/** What an explanation of Elasticsearch says of terms: its tree of sums and products, read for people. */
import type { estypes } from "@elastic/elasticsearch";

/** What one term of the question adds to a passage's score. */
export interface TermShare {
  field: string;
  /** A word, or several in quotes. */
  term: string;
  score: number;
  /** How often the passage has it; of phrases a sum that decays with the distance. */
  frequency?: number;
  /** Passages that have it. */
  documents?: number;
  /** Length of the passage's field, and the mean. */
  length?: number;
  averageLength?: number;
  boost?: number;
}

type Detail = estypes.ExplainExplanationDetail;

/** Deeper trees are made by nobody's question. */
const DEEPEST = 200;

/** The terms in the tree, those that add most first. */
export function termShares(explanation: Detail): TermShare[] {
  const shares: TermShare[] = [];
  walk(explanation, shares, 0);
  return shares.sort((a, b) => b.score - a.score);
}

function walk(detail: Detail, shares: TermShare[], depth: number): void {
  const weight = /^weight\((.*) in \d+\)/s.exec(detail.description);
  if (weight) {
    shares.push(shareOf(weight[1]!, detail));
    return;
  }
  if (depth > DEEPEST) return;
  for (const inner of detail.details ?? []) walk(inner, shares, depth + 1);
}

function shareOf(what: string, detail: Detail): TermShare {
  const colon = what.indexOf(":");
  const plain = /^[\w.]+:/.test(what);
  const boost = numberOf(detail, /^boost$/);
  const frequency = numberOf(detail, /^(?:freq|phraseFreq)/);
  const documents = numberOf(detail, /^n, number of documents/);
  const length = numberOf(detail, /^dl, length of field/);
  const averageLength = numberOf(detail, /^avgdl, average/);
  return {
    field: plain ? what.slice(0, colon) : "",
    term: plain ? what.slice(colon + 1) : what,
    score: detail.value,
    ...(frequency === undefined ? {} : { frequency }),
    ...(documents === undefined ? {} : { documents }),
    ...(length === undefined ? {} : { length }),
    ...(averageLength === undefined ? {} : { averageLength }),
    ...(boost === undefined ? {} : { boost }),
  };
}

function numberOf(detail: Detail, description: RegExp, depth = 0): number | undefined {
  if (description.test(detail.description)) return detail.value;
  if (depth > DEEPEST) return undefined;
  for (const inner of detail.details ?? []) {
    const found = numberOf(inner, description, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
