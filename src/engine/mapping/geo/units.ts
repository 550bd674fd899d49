/** Units of length, by the names that distances are written with (DistanceUnit). */
import { illegalArgument } from "../../errors.ts";
import { parseJavaDouble } from "../java-numbers.ts";

/** In the order in which Elasticsearch looks for them at the end of a distance: `nmi` before `mi` before `m`. */
const UNITS: readonly { readonly metres: number; readonly names: readonly string[] }[] = [
  { metres: 0.0254, names: ["in", "inch"] },
  { metres: 0.9144, names: ["yd", "yards"] },
  { metres: 0.3048, names: ["ft", "feet"] },
  { metres: 1000, names: ["km", "kilometers"] },
  { metres: 1852, names: ["NM", "nmi", "nauticalmiles"] },
  { metres: 0.001, names: ["mm", "millimeters"] },
  { metres: 0.01, names: ["cm", "centimeters"] },
  { metres: 1609.344, names: ["mi", "miles"] },
  { metres: 1, names: ["m", "meters"] },
];

/** Metres of a unit. @throws illegal_argument_exception for an unknown one */
export function metresPer(unit: string): number {
  const found = UNITS.find(({ names }) => names.includes(unit));
  if (found === undefined) throw illegalArgument(`No distance unit match [${unit}]`);
  return found.metres;
}

/** A distance such as `12km` in metres. @param unit metres of one where none is written */
export function parseDistance(text: string, unit = 1): number {
  for (const { metres, names } of UNITS) {
    const name = names.find((each) => text.endsWith(each));
    if (name === undefined) continue;
    const amount = parseJavaDouble(text.slice(0, text.length - name.length));
    return metres === 1 ? amount : amount * metres;
  }
  const amount = parseJavaDouble(text);
  return unit === 1 ? amount : amount * unit;
}
