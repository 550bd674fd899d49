/** Colours by a metadata: the most frequent values have one each, the others share the last. */
import type { Metadata } from "../api/types.ts";
import { shown } from "./harmless.ts";

const COLOURS = 6;
/** Names that are another for each file, or written by none. */
const UNTOLD = new Set(["file", "id", "title", "heading", "headingPath", "modified"]);

/** The metadata that divide the passages into a few groups, those of fewest first. */
export function fieldsToColour(all: readonly Metadata[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const metadata of all)
    for (const [name, value] of Object.entries(metadata)) {
      if (UNTOLD.has(name)) continue;
      const known = values.get(name) ?? new Set();
      known.add(shown(value));
      values.set(name, known);
    }
  return [...values]
    .filter(([, { size }]) => size > 1 && size <= Math.max(12, all.length / 2))
    .sort(([, a], [, b]) => a.size - b.size)
    .map(([name]) => name);
}

export interface Colouring {
  /** Number of the colour of each passage. */
  of: number[];
  /** What each colour stands for; undefined for all other values. */
  names: (string | undefined)[];
}

export function colouring(all: readonly Metadata[], field: string | undefined): Colouring {
  if (field === undefined) return { of: all.map(() => 0), names: [] };
  const values = all.map((metadata) => (metadata[field] === undefined ? undefined : shown(metadata[field])));
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const rest = sorted.length > COLOURS || values.includes(undefined);
  const named = sorted.slice(0, rest ? COLOURS - 1 : COLOURS);
  return {
    of: values.map((value) => {
      const i = value === undefined ? -1 : named.indexOf(value);
      return i < 0 ? named.length : i;
    }),
    names: rest ? [...named, undefined] : named,
  };
}
