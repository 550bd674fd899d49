/** Markup out of text that may hold anything, and plots as SVG that stands in a page without anything from elsewhere. */

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Control characters, which HTML forbids, and marks that reorder text. */
const UNSHOWN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** Text for HTML and SVG, within elements and attributes. */
export function escaped(text: string): string {
  return text.replace(UNSHOWN, "\ufffd").replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** At most `length` characters of a text. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** A number as it stands in a plot's coordinates. */
export const at = (value: number): string => String(Math.round(value * 100) / 100);

export const threeDigits = (value: number): string => value.toFixed(3).replace("-", "−");

/** A plot, with what it shows for whoever cannot see it. */
export function svg(width: number, height: number, label: string, content: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(label)}">${content}</svg>`;
}

export type Anchor = "start" | "middle" | "end";

export function text(x: number, y: number, content: string, anchor: Anchor = "start", className = ""): string {
  const named = className === "" ? "" : ` class="${className}"`;
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}"${named}>${escaped(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, className: string): string {
  return `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" class="${className}"/>`;
}

/** Five round numbers or so between two. */
export function ticks(low: number, high: number): number[] {
  if (!(high > low)) return [low];
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw)!;
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    out.push(Number((i * step).toPrecision(12)));
  return out;
}
