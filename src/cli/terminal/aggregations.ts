/** Aggregations on a terminal: buckets as bars, measures as numbers. */
import type { Aggregations } from "../../catalogue/index.ts";
import type { Io } from "../context.ts";
import { bar } from "./explanation.ts";
import { terminalStyle, wantsColour } from "./style.ts";
import { oneLine, padEnd, padStart, truncateEnd, width } from "./text.ts";

interface Bucket {
  key?: unknown;
  key_as_string?: string;
  doc_count: number;
}

export function aggregationsText(aggregations: Aggregations, total: number, io: Io): string {
  const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
  const parts = Object.entries(aggregations).map(([name, aggregation]) => {
    const { buckets } = aggregation as { buckets?: Bucket[] | Record<string, Bucket> };
    const list = Array.isArray(buckets)
      ? buckets
      : Object.entries(buckets ?? {}).map(([key, bucket]) => ({ key, ...bucket }));
    if (buckets === undefined) return `${style.bold(oneLine(name))}  ${oneLine(numbersOf(aggregation))}\n`;
    const keys = list.map(({ key, key_as_string: text }) => truncateEnd(oneLine(keyText(text ?? key)), 40));
    const most = Math.max(1, ...list.map(({ doc_count: count }) => count));
    const key = Math.max(0, ...keys.map(width));
    const lines = list.map(({ doc_count: count }, i) => {
      const counted = padStart(String(count), String(most).length);
      return `  ${padEnd(keys[i]!, key)}  ${counted}  ${style.cyan(bar(count / most))}\n`;
    });
    return `${style.bold(oneLine(name))}\n${lines.join("")}`;
  });
  return `${total} passages\n\n${parts.join("\n")}`;
}

/** Dates at midnight are days. */
function keyText(key: unknown): string {
  return String(key).replace(/T00:00:00(\.000)?Z$/, "");
}

function numbersOf(aggregation: unknown): string {
  const { value, value_as_string: text, ...rest } = aggregation as Record<string, unknown>;
  if (value !== undefined) return String(text ?? value ?? "none");
  return JSON.stringify(rest);
}
