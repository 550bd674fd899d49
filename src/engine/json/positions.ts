/** Where objects, keys and values stand in the text they were read from, beside the values themselves. */
import { type Place, PlacedObject } from "./bare-object.ts";
import { escapeEnd, unescapeAt } from "./escape.ts";
import { type Location, locationAt } from "./location.ts";
import { endOfSpace, endOfValue } from "./skip.ts";

/** A place in a container: its own first or last character, or a key or value of it. */
export type PositionOf = "start" | "end" | { readonly key: string } | { readonly value: string | number };

/** Arrays have no room for theirs. */
const placesOfArrays = new WeakMap<object, Place>();

/** What stands in a container is looked for when somebody asks, which is where an error is told. */
const placeOf = (container: object): Place | undefined =>
  Array.isArray(container) ? placesOfArrays.get(container) : PlacedObject.placeOf(container);

export const hasPlace = (container: object): boolean => placeOf(container) !== undefined;

/** Remembers a list that was read from a text. */
export function notePlace(array: readonly unknown[], text: string, start: number): void {
  placesOfArrays.set(array, { text, start });
}

/** Place of an object or array that was read with `positions`, or of one of its keys or values. */
export function positionOf(container: object, at: PositionOf = "start"): Location | undefined {
  const place = placeOf(container);
  if (place === undefined) return undefined;
  const { text, start } = place;
  const offset = at === "start" ? start : at === "end" ? endOfValue(text, start) - 1 : offsetIn(place, at);
  return offset === undefined ? undefined : locationAt(text, offset);
}

/** Offset of a key or a value of a container, whose text was read before. */
function offsetIn({ text, start }: Place, wanted: { readonly key: string } | { readonly value: string | number }) {
  const isObject = text[start] === "{";
  const name = "key" in wanted ? wanted.key : wanted.value;
  let at = endOfSpace(text, start + 1);
  for (let i = 0; text[at] !== "}" && text[at] !== "]"; i++) {
    const keyAt = at;
    let found = i === name;
    if (isObject) {
      at = endOfValue(text, at);
      found = keyOf(text.slice(keyAt + 1, at - 1)) === name;
      at = endOfSpace(text, endOfSpace(text, at) + 1);
    }
    if (found) return "key" in wanted ? keyAt : at;
    at = endOfSpace(text, endOfValue(text, at));
    if (text[at] === ",") at = endOfSpace(text, at + 1);
  }
  return undefined;
}

function keyOf(written: string): string {
  let key = "";
  for (let at = 0; at < written.length; ) {
    if (written[at] === "\\") {
      key += unescapeAt(written, at);
      at = escapeEnd(written, at);
    } else key += written[at++];
  }
  return key;
}
