/** Medians of every peer and question on a logarithmic scale, as SVG that stands alone. */
import { series } from "../../src/evaluation/report/plots.ts";
import { STYLE } from "../../src/evaluation/report/style.ts";
import { at, escaped, line, svg, text } from "../../src/evaluation/report/svg.ts";
import { KINDS } from "../workload/types.ts";
import type { Result, SuiteResult } from "./result.ts";
import { short } from "./table.ts";

const LEFT = 150;
const WIDTH = 620;
const ROW = 16;

interface Row {
  readonly label: string;
  readonly points: readonly { readonly peer: string; readonly p50: number; readonly p95: number }[];
}

function rowsOf({ peers }: SuiteResult): Row[] {
  return KINDS.flatMap((kind) => {
    const points = peers.flatMap(({ peer, kinds }) => (kinds[kind] ? [{ peer, ...kinds[kind] }] : []));
    return points.length === 0 ? [] : [{ label: kind, points }];
  });
}

export function plot(result: Result): string {
  const groups = result.suites.map((suite) => ({ name: suite.name, rows: rowsOf(suite) }));
  const all = groups.flatMap(({ rows }) => rows.flatMap(({ points }) => points));
  const names = [...new Set(all.map(({ peer }) => peer))];
  const low = Math.floor(Math.log10(Math.min(...all.map(({ p50 }) => p50))));
  const high = Math.ceil(Math.log10(Math.max(...all.map(({ p95 }) => p95))));
  const x = (ms: number) => LEFT + ((Math.log10(ms) - low) / Math.max(1, high - low)) * WIDTH;
  let y = 14;
  const parts: string[] = [];
  for (const { name, rows } of groups) {
    if (rows.length === 0) continue;
    parts.push(text(0, y + 4, name, "start", "name"));
    y += 18;
    for (const { label, points } of rows) {
      parts.push(text(LEFT - 8, y + (points.length * ROW) / 2, label, "end"));
      for (const { peer, p50, p95 } of points) {
        const colour = series(names.indexOf(peer));
        parts.push(
          `<g><title>${escaped(`${label}, ${peer}: p50 ${short(p50)} ms, p95 ${short(p95)} ms`)}</title>` +
            line(x(p50), y, x(p95), y, "whisker") +
            `<circle cx="${at(x(p50))}" cy="${at(y)}" r="5" class="${colour}"/>${text(x(p95) + 8, y + 4, peer, "start", "name")}</g>`,
        );
        y += ROW;
      }
      y += 8;
    }
  }
  const grid = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)).map(
    (ms) => line(x(ms), 8, x(ms), y, "grid") + text(x(ms), y + 16, `${ms} ms`, "middle"),
  );
  const content = `<style>${escaped(STYLE).replaceAll("&quot;", '"').replaceAll("&gt;", ">")}</style>${grid.join("")}${parts.join("")}`;
  return svg(
    LEFT + WIDTH + 130,
    y + 26,
    `Median and 95th percentile of questions to ${result.size} passages`,
    content,
  ).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
}
