/** A report as data: what `--json` prints and `reportHtml` shows. */
import type { ExperimentResult } from "../experiment.ts";
import type { AnswerResult } from "../judges/answers.ts";
import type { TuningResult } from "../tuning/tune.ts";

/** Experiments, tunings and judged answers together, for a page. */
export interface EvaluationReport {
  version: 1;
  /** ISO time. */
  made: string;
  experiments: ExperimentResult[];
  answers: AnswerResult[];
  tunings: TuningResult[];
}

/** Puts experiments, tunings and judged answers together; `reportHtml` makes a page of it. */
export function evaluationReport(parts: Omit<Partial<EvaluationReport>, "version">): EvaluationReport {
  const { made = new Date().toISOString(), experiments = [], answers = [], tunings = [] } = parts;
  return { version: 1, made, experiments, answers, tunings };
}
