/** A report as data: what `--json` prints and `reportHtml` shows. */
import type { ExperimentResult } from "../experiment.ts";
import type { AnswerResult } from "../judges/answers.ts";
import type { TuningResult } from "../tuning/tune.ts";

export interface EvaluationReport {
  version: 1;
  /** ISO time. */
  made: string;
  experiments: ExperimentResult[];
  answers: AnswerResult[];
  tunings: TuningResult[];
}

export function evaluationReport(parts: Omit<Partial<EvaluationReport>, "version">): EvaluationReport {
  const { made = new Date().toISOString(), experiments = [], answers = [], tunings = [] } = parts;
  return { version: 1, made, experiments, answers, tunings };
}
