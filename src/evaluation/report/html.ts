/** A report as one HTML file: no script, nothing from elsewhere, and whatever questions and documents hold is text. */
import type { Comparison, ExperimentResult, QuestionResult } from "../experiment.ts";
import { tuningPart } from "../tuning/picture.ts";
import { answersPart } from "./answers.ts";
import { figure } from "./figure.ts";
import { findings, pValue } from "./findings.ts";
import { bars, curves, scatter } from "./plots.ts";
import type { EvaluationReport } from "./report.ts";
import { STYLE } from "./style.ts";
import { escaped, shortened, threeDigits } from "./svg.ts";

/** Questions that are listed for an experiment, those with the largest differences first. */
const LISTED = 200;
/** Scatter plots of an experiment. */
const SCATTERS = 12;

/** The page of a report. */
export function reportHtml(report: EvaluationReport): string {
  const parts = [
    ...report.experiments.map(experimentPart),
    ...report.answers.map(answersPart),
    ...report.tunings.map(tuningPart),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Huiliu: evaluation</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Evaluation</h1>
<p class="note">Made ${escaped(report.made)}. Measures are trec_eval's. Intervals hold 95 % of the means of resampled questions (bootstrap).
Differences are tested by paired randomisation; p-values are corrected by Holm's method, over the comparisons with the baseline and over the parts of each strategy. A difference is called one below p = 0.05.</p>
${parts.join("\n")}
</body>
</html>
`;
}

function experimentPart(result: ExperimentResult): string {
  const others = result.strategies.filter(({ name }) => name !== result.baseline).slice(0, SCATTERS);
  const measure = result.measures[0]!;
  return `<section>
<h2>${escaped(result.name)}</h2>
<p class="note">${result.questions.length} questions, the first ${result.depth} passages of each, seed ${result.seed}.</p>
<ul>${findings(result)
    .map((sentence) => `<li>${escaped(sentence)}</li>`)
    .join("")}</ul>
<div class="wide">${measuresTable(result)}</div>
${figure(bars(result, measure), `${measure}, with 95 % intervals`)}
${comparisonTable(`Against ${result.baseline}`, result.comparisons)}
${comparisonTable("Composed strategies against their parts", result.parts)}
<h3>Question by question</h3>
<div class="plots">${others.map(({ name }) => figure(scatter(result, result.baseline, name), `${measure} of each question: above the line ${name} is better`)).join("")}</div>
<h3>Precision over recall</h3>
${figure(curves(result), "Interpolated, the mean over the questions")}
${questionList(result)}
</section>`;
}

function measuresTable({ strategies, measures }: ExperimentResult): string {
  const best = measures.map((measure) => Math.max(...strategies.map((strategy) => strategy.measures[measure]!.mean)));
  const rows = strategies.map(({ name, measures: values, latency }) => {
    const times = latency
      ? `<td>${latency.p50.toFixed(1)}<small>${latency.p95.toFixed(1)} p95</small></td>`
      : "<td></td>";
    const cells = measures.map((measure, i) => {
      const { mean, low, high } = values[measure]!;
      const mark = mean === best[i] ? ' class="best"' : "";
      return `<td${mark}>${threeDigits(mean)}<small>${threeDigits(low)}–${threeDigits(high)}</small></td>`;
    });
    return `<tr><td>${escaped(name)}</td>${cells.join("")}${times}</tr>`;
  });
  const titles = ["strategy", ...measures, "ms, median"].map((title) => `<th>${escaped(title)}</th>`);
  return `<table><thead><tr>${titles.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

function comparisonTable(title: string, list: readonly Comparison[]): string {
  if (list.length === 0) return "";
  const rows = list.map(({ a, b, mean, low, high, p, pCorrected, better, equal, worse, verdict }) => {
    const side = verdict === "no difference shown" ? "" : ` class="${verdict}"`;
    return `<tr><td>${escaped(`${b} against ${a}`)}</td><td>${signed(mean)}<small>${signed(low)} to ${signed(high)}</small></td><td>${escaped(pValue(p))}</td><td>${escaped(pValue(pCorrected))}</td><td>${better} / ${equal} / ${worse}</td><td${side}>${verdict}</td></tr>`;
  });
  const titles = [list[0]!.measure, "difference", "p", "p, corrected", "better / equal / worse", "verdict"].map(
    (name) => `<th>${escaped(name)}</th>`,
  );
  return `<h3>${escaped(title)}</h3><div class="wide"><table><thead><tr>${titles.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${threeDigits(Math.abs(value))}`;
}

/** Where strategies differ most comes first. */
function questionList(result: ExperimentResult): string {
  const names = result.strategies.map(({ name }) => name);
  const spread = ({ values }: QuestionResult) => {
    const firsts = names.map((name) => values[name]![0]!);
    return Math.max(...firsts) - Math.min(...firsts);
  };
  const listed = [...result.questions].sort((a, b) => spread(b) - spread(a)).slice(0, LISTED);
  const rows = listed.map(({ id, text, relevant, found, values }) => {
    const cells = names.map((name) => {
      const wanted = found[name]!.map((doc, i) => `${i + 1}. ${relevant[doc] ? "✓ " : ""}${doc}`).join("\n");
      return `<td title="${escaped(wanted)}">${threeDigits(values[name]![0]!)}</td>`;
    });
    const answers = Object.keys(relevant).slice(0, 5).join(", ");
    return `<tr><td class="text">${escaped(shortened(text, 300))}<small>${escaped(shortened(`${id}: ${answers}`, 90))}</small></td>${cells.join("")}</tr>`;
  });
  const titles = ["question", ...names].map((title) => `<th>${escaped(title)}</th>`);
  const more = result.questions.length > LISTED ? ` (the ${LISTED} with the largest differences)` : "";
  return `<details><summary>${escaped(`${result.measures[0]} of each question${more}`)}</summary><div class="wide"><table><thead><tr>${titles.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div></details>`;
}
