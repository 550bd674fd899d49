/** Tables of evaluation scripts: rows by strategy, numbers with one to four digits. */
import { table } from "../../src/cli/terminal/table.ts";

/** The strategies whose numbers stand in the documentation. */
export const MEASURED = ["hybrid", "bm25", "dense", "rrf"] as const;
export type MeasuredStrategy = (typeof MEASURED)[number];

/** Rows and columns of numbers as a table for people. */
export function numbersTable(
  corner: string,
  columns: readonly string[],
  rows: readonly { name: string; values: readonly number[] }[],
  show: (value: number) => string,
): string {
  const titles = [{ title: corner }, ...columns.map((title) => ({ title, align: "right" }) as const)];
  return table(
    titles,
    rows.map(({ name, values }) => [name, ...values.map(show)]),
    Number.POSITIVE_INFINITY,
  ).join("\n");
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)}`;
export const fourDigits = (value: number): string => value.toFixed(4);
