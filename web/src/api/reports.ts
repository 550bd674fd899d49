/** An evaluation report, as `huiliu eval` writes it; one that is opened from a file is looked at before it is shown. */

export interface Interval {
  mean: number;
  low: number;
  high: number;
}

export interface StrategyResult {
  name: string;
  measures: Record<string, Interval>;
  precisionAtRecall: number[];
  latency?: { p50: number; p95: number; mean: number };
}

export interface Comparison {
  a: string;
  b: string;
  measure: string;
  mean: number;
  low: number;
  high: number;
  pCorrected: number;
  verdict: string;
}

export interface QuestionResult {
  id: string;
  text: string;
  relevant: Record<string, number>;
  found: Record<string, string[]>;
  values: Record<string, number[]>;
}

export interface Experiment {
  name: string;
  measures: string[];
  depth: number;
  baseline: string;
  strategies: StrategyResult[];
  comparisons: Comparison[];
  parts: Comparison[];
  questions: QuestionResult[];
}

/** Answers that a language model judged, with the mean of each judge. */
export interface JudgedAnswers {
  name: string;
  judges: Record<string, Interval & { questions: number }>;
  rows: {
    id: string;
    question: string;
    answer: string;
    scores: Record<string, number>;
    feedback: Record<string, string>;
  }[];
}

type Values = Record<string, number>;

/** Values chosen by cross-validation. */
export interface Tuning {
  name: string;
  measure: string;
  questions: number;
  verdict: string;
  gain: Interval & { p: number };
  present: Interval;
  tuned: Interval;
  chosen: Values;
  folds: { questions: number; chosen: Values; chosenOn: number; measuredOn: number }[];
  tried: { values: Values; mean: number }[];
}

export interface Report {
  version: 1;
  made: string;
  experiments: Experiment[];
  answers: JudgedAnswers[];
  tunings: Tuning[];
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const tableOf =
  (check: Check): Check =>
  (value) =>
    isRecord(value) && Object.values(value).every(check);
const shape =
  (keys: Record<string, Check>): Check =>
  (value) =>
    isRecord(value) && Object.entries(keys).every(([key, check]) => check(value[key]));
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const isInterval = shape({ mean: isNumber, low: isNumber, high: isNumber });
const isComparison = shape({
  a: isText,
  b: isText,
  measure: isText,
  mean: isNumber,
  low: isNumber,
  high: isNumber,
  pCorrected: isNumber,
  verdict: isText,
});
const isExperiment = shape({
  name: isText,
  measures: listOf(isText),
  depth: isNumber,
  baseline: isText,
  strategies: listOf(
    shape({
      name: isText,
      measures: tableOf(isInterval),
      precisionAtRecall: listOf(isNumber),
      latency: optional(shape({ p50: isNumber, p95: isNumber, mean: isNumber })),
    }),
  ),
  comparisons: listOf(isComparison),
  parts: listOf(isComparison),
  questions: listOf(
    shape({
      id: isText,
      text: isText,
      relevant: tableOf(isNumber),
      found: tableOf(listOf(isText)),
      values: tableOf(listOf(isNumber)),
    }),
  ),
});
const isAnswers = shape({
  name: isText,
  judges: tableOf((value) => isInterval(value) && shape({ questions: isNumber })(value)),
  rows: listOf(
    shape({
      id: isText,
      question: isText,
      answer: isText,
      scores: tableOf(isNumber),
      feedback: tableOf(isText),
    }),
  ),
});
const isTuning = shape({
  name: isText,
  measure: isText,
  questions: isNumber,
  verdict: isText,
  gain: (value) => isInterval(value) && shape({ p: isNumber })(value),
  present: isInterval,
  tuned: isInterval,
  chosen: tableOf(isNumber),
  folds: listOf(shape({ questions: isNumber, chosen: tableOf(isNumber), chosenOn: isNumber, measuredOn: isNumber })),
  tried: listOf(shape({ values: tableOf(isNumber), mean: isNumber })),
});
const isReport = shape({
  version: (value) => value === 1,
  made: isText,
  experiments: listOf(isExperiment),
  answers: listOf(isAnswers),
  tunings: listOf(isTuning),
});

/** Every strategy has a value for every measure. */
const isWhole = ({ measures, strategies }: Experiment) =>
  strategies.every((one) => measures.every((measure) => Object.hasOwn(one.measures, measure)));

/** A report, or undefined for what is none. */
export function readReport(value: unknown): Report | undefined {
  if (!isReport(value)) return undefined;
  const report = value as Report;
  return report.experiments.every(isWhole) ? report : undefined;
}
