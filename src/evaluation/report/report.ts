/** A report as data: what `--json` prints and `reportHtml` shows. */
import type { ExperimentResult } from "../experiment.ts";

export interface EvaluationReport {
  version: 1;
  /** ISO time. */
  made: string;
  experiments: ExperimentResult[];
}

export function evaluationReport(parts: Omit<Partial<EvaluationReport>, "version">): EvaluationReport {
  const { made = new Date().toISOString(), experiments = [], ...rest } = parts;
  return { version: 1, made, experiments, ...rest };
}
