/** The plots of a report. Colours are the page's classes, so that they follow light and dark. */
import type { ExperimentResult } from "../experiment.ts";
import { RECALL_LEVELS } from "../measures.ts";
import type { HeatMap } from "../tuning/heat-map.ts";
import { at, escaped, line, shortened, svg, text, threeDigits, ticks } from "./svg.ts";

/** Class of the n-th series; colours repeat after eight. */
export const series = (index: number): string => `s${index % 8}`;

/** A bar for each strategy's mean of a measure, with its interval. */
export function bars(result: ExperimentResult, measure: string): string {
  const rows = result.strategies;
  const [left, width, step] = [150, 640, 26];
  const height = rows.length * step + 30;
  const scale = (value: number) => left + value * (width - left - 60);
  const grid = ticks(0, 1).map(
    (tick) =>
      line(scale(tick), 4, scale(tick), height - 24, "grid") + text(scale(tick), height - 8, String(tick), "middle"),
  );
  const shown = rows.map(({ name, measures }, i) => {
    const { mean, low, high } = measures[measure]!;
    const y = 6 + i * step;
    const title = `<title>${escaped(`${name}: ${threeDigits(mean)} (${threeDigits(low)} to ${threeDigits(high)})`)}</title>`;
    return (
      `<g>${title}${text(left - 8, y + 13, shortened(name, 20), "end")}` +
      `<rect x="${left}" y="${y}" width="${at(scale(mean) - left)}" height="${step - 8}" class="${series(i)}"/>` +
      line(scale(low), y + 9, scale(high), y + 9, "whisker") +
      line(scale(low), y + 5, scale(low), y + 13, "whisker") +
      line(scale(high), y + 5, scale(high), y + 13, "whisker") +
      `${text(Math.max(scale(high), scale(mean)) + 6, y + 13, threeDigits(mean))}</g>`
    );
  });
  return svg(width, height, `${measure} of each strategy`, grid.join("") + shown.join(""));
}

type Scale = (value: number) => number;

/** Lines and numbers of a plot whose two axes go from 0 to 1. */
function unitGrid(x: Scale, y: Scale): string {
  return ticks(0, 1)
    .map(
      (tick) =>
        line(x(tick), y(0), x(tick), y(1), "grid") +
        line(x(0), y(tick), x(1), y(tick), "grid") +
        text(x(tick), y(0) + 16, String(tick), "middle") +
        text(x(0) - 6, y(tick) + 4, String(tick), "end"),
    )
    .join("");
}

/** Each question as a point: what one strategy has of it against the other. Points in the same place are one, larger. */
export function scatter(result: ExperimentResult, a: string, b: string): string {
  const [left, size] = [44, 250];
  const x = (value: number) => left + value * size;
  const y = (value: number) => 10 + (1 - value) * size;
  const grid = unitGrid(x, y);
  const places = new Map<string, { va: number; vb: number; questions: string[] }>();
  for (const question of result.questions) {
    const [va, vb] = [question.values[a]![0]!, question.values[b]![0]!];
    const key = `${va.toFixed(2)} ${vb.toFixed(2)}`;
    const place = places.get(key) ?? { va, vb, questions: [] };
    place.questions.push(question.text);
    places.set(key, place);
  }
  const points = [...places.values()].map(({ va, vb, questions }) => {
    const radius = Math.min(14, 2.5 + Math.sqrt(questions.length));
    const named = questions.slice(0, 5).map((question) => shortened(question, 80));
    const title = [`${questions.length} × ${threeDigits(va)} → ${threeDigits(vb)}`, ...named].join("\n");
    const side = vb > va ? "gain" : vb < va ? "loss" : "even";
    return `<circle cx="${at(x(va))}" cy="${at(y(vb))}" r="${at(radius)}" class="point ${side}"><title>${escaped(title)}</title></circle>`;
  });
  return svg(
    left + size + 20,
    size + 52,
    `${result.measures[0]} of each question: ${b} against ${a}`,
    grid +
      line(x(0), y(0), x(1), y(1), "axis") +
      points.join("") +
      text(x(0.5), size + 46, shortened(a, 24), "middle", "name") +
      `<g transform="translate(10 ${at(y(0.5))}) rotate(-90)">${text(0, 0, shortened(b, 24), "middle", "name")}</g>`,
  );
}

/** Mean precision over recall, a line for each strategy. */
export function curves(result: ExperimentResult): string {
  const [left, width, height] = [44, 480, 260];
  const x = (value: number) => left + value * width;
  const y = (value: number) => 10 + (1 - value) * height;
  const grid = unitGrid(x, y);
  const lines = result.strategies.map(({ name, precisionAtRecall }, i) => {
    const points = precisionAtRecall.map((value, level) => `${at(x(RECALL_LEVELS[level]!))},${at(y(value))}`).join(" ");
    const legend = `<rect x="${x(1) + 14}" y="${12 + i * 18}" width="12" height="12" class="${series(i)}"/>${text(x(1) + 32, 22 + i * 18, shortened(name, 22))}`;
    return `<polyline points="${points}" class="curve ${series(i)}"><title>${escaped(name)}</title></polyline>${legend}`;
  });
  const total = Math.max(height + 52, 24 + result.strategies.length * 18);
  const titles = text(x(0.5), height + 46, "recall", "middle", "name");
  return svg(left + width + 200, total, "precision over recall", grid + lines.join("") + titles);
}

/** Values by two parameters, the better the darker. */
export function heatMap(map: HeatMap): string {
  const [left, top, cell, row] = [110, 10, 64, 28];
  const known = map.values.flat().filter((value) => value !== undefined);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const cells = map.values.flatMap((list, y) =>
    list.map((value, x) => {
      const [cx, cy] = [left + x * cell, top + y * row];
      if (value === undefined) return "";
      const share = high > low ? (value - low) / (high - low) : 1;
      const mark = map.marked?.x === x && map.marked.y === y ? " chosen" : "";
      return (
        `<g><title>${escaped(`${map.xName} ${map.xs[x]}, ${map.yName} ${map.ys[y]}: ${value.toFixed(4)}`)}</title>` +
        `<rect x="${cx}" y="${cy}" width="${cell - 2}" height="${row - 2}" class="cell${mark}" fill-opacity="${at(0.08 + 0.82 * share)}"/>` +
        `${text(cx + cell / 2 - 1, cy + 17, threeDigits(value), "middle", share > 0.6 ? "on" : "")}</g>`
      );
    }),
  );
  const xs = map.xs.map((name, i) => text(left + i * cell + cell / 2, top + map.ys.length * row + 14, name, "middle"));
  const ys = map.ys.map((name, i) => text(left - 8, top + i * row + 17, name, "end"));
  const width = left + Math.max(map.xs.length * cell, 200) + 10;
  const bottom = top + map.ys.length * row;
  const names =
    text(left + (map.xs.length * cell) / 2, bottom + 34, map.xName, "middle", "name") +
    (map.yName === "" ? "" : text(4, top + 12, map.yName, "start", "name"));
  return svg(width, bottom + 44, `${map.xName} by ${map.yName}`, cells.join("") + xs.join("") + ys.join("") + names);
}
