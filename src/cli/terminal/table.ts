/** Tables by columns of the terminal: wide characters take two. */
import { padEnd, padStart, truncateStart, width } from "./text.ts";

export interface Column {
  title: string;
  align?: "left" | "right";
  /** May be cut (at its start) when the table is wider than the terminal. One column a table. */
  flexible?: boolean;
}

const GAP = "  ";

/** Lines of a table: titles, then rows. Cells are already harmless. */
export function table(columns: readonly Column[], rows: readonly string[][], maxWidth: number): string[] {
  const widths = columns.map((column, i) =>
    rows.reduce((widest, row) => Math.max(widest, width(row[i] ?? "")), width(column.title)),
  );
  const total = widths.reduce((sum, size) => sum + size, 0) + GAP.length * (columns.length - 1);
  const flexible = columns.findIndex((column) => column.flexible);
  if (total > maxWidth && flexible >= 0) {
    widths[flexible] = Math.max(12, width(columns[flexible]!.title), widths[flexible]! - (total - maxWidth));
  }
  const line = (cells: readonly string[]) =>
    columns
      .map((column, i) => {
        const cell = column.flexible ? truncateStart(cells[i] ?? "", widths[i]!) : (cells[i] ?? "");
        return column.align === "right" ? padStart(cell, widths[i]!) : padEnd(cell, widths[i]!);
      })
      .join(GAP)
      .trimEnd();
  return [line(columns.map((column) => column.title)), ...rows.map(line)];
}

/** A size for people: 1.4 MB. Powers of 1000, as disks are sold. */
export function fileSize(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}
