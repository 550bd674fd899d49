/** Tables of `_cat`: text in columns, or JSON with `format=json`. */

import { illegalArgument, unsupported } from "../errors.ts";
import { matchesSimple } from "../simple-match.ts";
import type { Call } from "./call.ts";
import type { Reply } from "./types.ts";

export interface Column {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Numbers stand to the right. */
  readonly right?: boolean;
  readonly description: string;
  /** False: shown only when it is asked for. */
  readonly shown?: boolean;
}

export type Cell = string | number | { readonly text: string; readonly value: number };

const textOf = (cell: Cell) => (typeof cell === "object" ? cell.text : String(cell));
const orderOf = (cell: Cell) => (typeof cell === "object" ? cell.value : cell);

/** A size as Elasticsearch prints it for people: one decimal, `kb` and up. */
export function byteSize(bytes: number): string {
  const units = ["b", "kb", "mb", "gb", "tb", "pb"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const tenths = Math.floor(value * 10) / 10;
  return `${unit === 0 ? bytes : tenths}${units[unit]}`;
}

/** Reads `h`, `s`, `v`, `help`, `format` and prints rows accordingly. */
export function catTable(
  call: Call,
  columns: readonly Column[],
  makeRows: () => readonly Readonly<Record<string, Cell>>[],
): () => Reply {
  const { params } = call;
  const wanted = params.list("h");
  const order = params.list("s") ?? [];
  const heading = params.flag("v") ?? false;
  const help = params.flag("help") ?? false;
  const format = params.text("format");
  if (format !== undefined && format !== "json" && format !== "text" && format !== "txt")
    throw unsupported(`format=${format}`);
  params.accept("local", "master_timeout", "time");
  const named = (name: string) => columns.find((column) => column.name === name || column.aliases?.includes(name));
  if (help) {
    const widest = (pick: (column: Column) => string) => Math.max(...columns.map((column) => pick(column).length));
    const [first, second, third] = [
      widest((c) => c.name),
      widest((c) => (c.aliases ?? []).join(",")),
      widest((c) => c.description),
    ];
    const line = (c: Column) =>
      `${c.name.padEnd(first)} | ${(c.aliases ?? []).join(",").padEnd(second)} | ${c.description.padEnd(third)}\n`;
    return () => ({ text: columns.map(line).join("") });
  }
  const shown: Column[] = [];
  if (wanted === undefined) shown.push(...columns.filter((column) => column.shown !== false));
  for (const name of wanted ?? []) {
    const matched = name.includes("*") ? columns.filter((column) => matchesSimple(name, column.name)) : [named(name)];
    for (const column of matched) if (column !== undefined && !shown.includes(column)) shown.push(column);
  }
  const keys = order.map((part) => {
    const [name, direction] = part.split(":");
    const column = named(name);
    if (column === undefined) throw illegalArgument(`Unable to sort by unknown sort key \`${name}\``);
    return { name: column.name, sign: direction === "desc" ? -1 : 1 };
  });
  return () => {
    const rows = [...makeRows()].sort((a, b) => {
      for (const { name, sign } of keys) {
        const [left, right] = [orderOf(a[name]), orderOf(b[name])];
        if (left !== right) return (left < right ? -1 : 1) * sign;
      }
      return 0;
    });
    if (format === "json" || (format === undefined && call.wantsJson)) {
      return { body: rows.map((row) => Object.fromEntries(shown.map(({ name }) => [name, textOf(row[name])]))) };
    }
    const lines = rows.map((row) => shown.map(({ name }) => textOf(row[name])));
    if (heading) lines.unshift(shown.map(({ name }) => name));
    const widths = shown.map((_, at) => Math.max(0, ...lines.map((line) => line[at].length)));
    const pad = (cell: string, at: number) => {
      if (shown[at].right) return cell.padStart(widths[at]);
      return at === shown.length - 1 ? cell : cell.padEnd(widths[at]);
    };
    return { text: lines.map((line) => `${line.map(pad).join(" ")}\n`).join("") };
  };
}
