/** What an experiment shows, in sentences; and where a composed strategy is no better than its parts, why. */
import type { Comparison, ExperimentResult } from "../experiment.ts";
import { threeDigits } from "./svg.ts";

/** From this mean on there is little to gain. */
const CEILING = 0.95;
/** A part below this share of the other is a weak one. */
const WEAK = 0.9;

export function comparisonSentence(comparison: Comparison): string {
  const { a, b, measure, mean, low, high, pCorrected, better, worse, verdict } = comparison;
  const signed = `${mean >= 0 ? "+" : "−"}${threeDigits(Math.abs(mean))}`;
  const words = {
    better: "is better than",
    worse: "is worse than",
    "no difference shown": "is not shown to differ from",
  };
  return `${b} ${words[verdict]} ${a}: ${measure} ${signed} (95 %: ${threeDigits(low)} to ${threeDigits(high)}; p ${equals(pValue(pCorrected))}), better on ${better} questions, worse on ${worse}`;
}

/** A probability in words that do not say more than is known. */
export function pValue(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}

const equals = (p: string): string => (p.startsWith("<") ? p : `= ${p}`);

/** Why a composed strategy is not shown to be better than a part; undefined where it is. */
export function whyNotBetter(result: ExperimentResult, comparison: Comparison): string | undefined {
  if (comparison.verdict === "better") return undefined;
  const { a, b, measure, better, worse } = comparison;
  const meanOf = (name: string) =>
    result.strategies.find((strategy) => strategy.name === name)!.measures[measure]!.mean;
  const reasons: string[] = [];
  const perfect = result.questions.filter(({ values }) => values[a]![0]! >= 1).length;
  const total = result.questions.length;
  if (meanOf(a) >= CEILING || perfect / total >= CEILING)
    reasons.push(`${a} alone is near the ceiling: ${perfect} of ${total} questions are perfect already`);
  const others = result.parts.filter((other) => other.b === b && other.a !== a).map((other) => other.a);
  const weak = others.filter((other) => meanOf(other) < WEAK * meanOf(a));
  for (const other of weak)
    reasons.push(
      `${other} is much weaker there (${threeDigits(meanOf(other))} against ${threeDigits(meanOf(a))}) and pulls down ${worse} questions while it lifts ${better}`,
    );
  if (reasons.length === 0) {
    reasons.push(
      better + worse === 0
        ? "both find the same"
        : `it is better on ${better} and worse on ${worse} of ${total} questions, too few or too alike to tell`,
    );
  }
  return reasons.join("; ");
}

/** The whole, for the head of a collection's part of a report. */
export function findings(result: ExperimentResult): string[] {
  const measure = result.measures[0]!;
  const best = [...result.strategies].sort((a, b) => b.measures[measure]!.mean - a.measures[measure]!.mean)[0]!;
  const out = [`Highest ${measure}: ${best.name}, ${threeDigits(best.measures[measure]!.mean)}.`];
  for (const { name, with: models } of result.strategies)
    if (models !== undefined) out.push(`${name} asked ${models}.`);
  for (const comparison of result.parts) {
    const why = whyNotBetter(result, comparison);
    out.push(`${comparisonSentence(comparison)}.${why === undefined ? "" : ` Why: ${why}.`}`);
  }
  return out;
}
