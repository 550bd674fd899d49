/** Tunings as pictures: a heat map over two parameters, in the report and on a terminal. */
import { figure } from "../report/figure.ts";
import { pValue } from "../report/findings.ts";
import { type HeatMap, heatMap } from "../report/plots.ts";
import { escaped, threeDigits } from "../report/svg.ts";
import type { Values } from "./space.ts";
import type { TuningResult } from "./tune.ts";

/** Values on an axis at most; of more, the best of neighbours is shown. */
const MOST = 14;

/** For each pair of parameters (or the only one) the best mean of each pair of values over all others. */
export function heatMaps({ tried, chosen }: TuningResult): HeatMap[] {
  const names = [...new Set(tried.flatMap(({ values }) => Object.keys(values)))].filter(
    (name) => axisOf(tried, name).length > 1,
  );
  const pairs = names.flatMap((x, i) => names.slice(i + 1).map((y): [string, string] => [x, y]));
  const wanted: [string, string | undefined][] = pairs.length > 0 ? pairs : names.map((name) => [name, undefined]);
  return wanted.slice(0, 6).map(([x, y]) => mapOf(tried, chosen, x, y));
}

function mapOf(tried: TuningResult["tried"], chosen: Values, x: string, y: string | undefined): HeatMap {
  const xs = axisOf(tried, x);
  const ys = y === undefined ? [0] : axisOf(tried, y);
  const place = (axis: number[], value: number) => axis.findLastIndex((start) => start <= value + 1e-12);
  const values: (number | undefined)[][] = ys.map(() => xs.map(() => undefined));
  for (const { values: own, mean } of tried) {
    const [vx, vy] = [own[x], y === undefined ? 0 : own[y]];
    if (vx === undefined || vy === undefined) continue;
    const row = values[place(ys, vy)]!;
    const column = place(xs, vx);
    row[column] = Math.max(row[column] ?? Number.NEGATIVE_INFINITY, mean);
  }
  const [cx, cy] = [chosen[x], y === undefined ? 0 : chosen[y]];
  return {
    xName: x,
    yName: y ?? "",
    xs: xs.map(String),
    ys: y === undefined ? [""] : ys.map(String),
    values,
    ...(cx === undefined || cy === undefined ? {} : { marked: { x: place(xs, cx), y: place(ys, cy) } }),
  };
}

/** Where the cells of an axis begin. */
function axisOf(tried: TuningResult["tried"], name: string): number[] {
  const all = [...new Set(tried.flatMap(({ values }) => (values[name] === undefined ? [] : [values[name]])))].sort(
    (a, b) => a - b,
  );
  const step = Math.ceil(all.length / MOST);
  return all.filter((_, i) => i % step === 0);
}

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
