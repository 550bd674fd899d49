/** Tunings as pictures: a heat map over two parameters, in the report and on a terminal. */
import { figure } from "../report/figure.ts";
import { pValue } from "../report/findings.ts";
import { heatMap } from "../report/plots.ts";
import { escaped, threeDigits } from "../report/svg.ts";
import { type HeatMap, heatMaps } from "./heat-map.ts";
import type { Values } from "./space.ts";
import type { TuningResult } from "./tune.ts";

const SHADES = " ░▒▓█";

/** A heat map in characters: shades from the lowest to the highest, the chosen cell in brackets. */
export function heatMapText({ xName, yName, xs, ys, values, marked }: HeatMap): string {
  const known = values.flat().filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const left = Math.max(yName.length, ...ys.map((name) => name.length));
  const cell = Math.max(5, ...xs.map((name) => name.length)) + 3;
  const rows = ys.map((name, y) => {
    const cells = xs.map((_, x) => {
      const value = values[y]![x];
      if (value === undefined) return " ".repeat(cell);
      const shade = SHADES[high > low ? Math.round(((value - low) / (high - low)) * 4) : 4]!;
      const text = `${shade}${value.toFixed(3)}`;
      const chosen = marked?.x === x && marked.y === y;
      return (chosen ? `[${text}]` : ` ${text} `).padStart(cell);
    });
    return `${name.padStart(left)}${cells.join("")}`;
  });
  const head = `${yName.padStart(left)}${xs.map((name) => `${name} `.padStart(cell)).join("")}   ${xName}`;
  return [head, ...rows].join("\n");
}

/** What came of it, in sentences that do not say more than is known. */
export function tuningSentences(result: TuningResult): string[] {
  const { measure, gain, present, tuned, verdict, chosen, questions, folds } = result;
  const signed = `${gain.mean < 0 ? "−" : "+"}${threeDigits(Math.abs(gain.mean))}`;
  const p = pValue(gain.p);
  const facts = `${measure} ${threeDigits(present.mean)} → ${threeDigits(tuned.mean)} on questions that had no part in the choice (${signed}; 95 %: ${threeDigits(gain.low)} to ${threeDigits(gain.high)}; p ${p.startsWith("<") ? p : `= ${p}`}; ${questions} questions, ${folds.length} folds)`;
  const verdicts = {
    gain: `A gain: ${facts}.`,
    loss: `No gain but a loss: ${facts}. Keep the present values.`,
    "within noise": `No gain is shown: ${facts}. The difference is within noise; more questions may tell. Keep the present values.`,
  };
  const none = Object.keys(chosen).length === 0;
  return [
    verdicts[verdict],
    none
      ? "Of all that was tried nothing is better than the present values."
      : `Best over all questions: ${valuesText(chosen)}.`,
    `Chosen fold by fold: ${folds.map((fold) => valuesText(fold.chosen)).join("; ")}.`,
  ];
}

export function valuesText(values: Values): string {
  const parts = Object.entries(values).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? "present values" : parts.join(", ");
}

/** A tuning's part of a report. */
export function tuningPart(result: TuningResult): string {
  const sentences = tuningSentences(result).map((sentence) => `<li>${escaped(sentence)}</li>`);
  const maps = heatMaps(result).map((map) =>
    figure(
      heatMap(map),
      `${result.measure} over all questions, the best over what is not shown: for orientation, since values were chosen on these questions`,
    ),
  );
  const rows = result.folds.map(
    ({ questions, chosen, chosenOn, measuredOn }, i) =>
      `<tr><td>${i + 1}</td><td>${questions}</td><td class="text">${escaped(valuesText(chosen))}</td><td>${threeDigits(chosenOn)}</td><td>${threeDigits(measuredOn)}</td></tr>`,
  );
  return `<section>
<h2>${escaped(`Tuning on ${result.name}`)}</h2>
<ul>${sentences.join("")}</ul>
<div class="plots">${maps.join("")}</div>
<h3>Folds</h3>
<div class="wide"><table><thead><tr><th>fold</th><th>questions</th><th class="text">chosen on the others</th><th>there</th><th>here</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>
</section>`;
}
