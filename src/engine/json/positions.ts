/** Where objects, keys and values stand in the text they were read from, beside the values themselves. */
import { type Location, locationAt } from "./location.ts";

/** A place in a container: its own first or last character, or a key or value of it. */
export type PositionOf = "start" | "end" | { readonly key: string } | { readonly value: string | number };

export interface Places {
  readonly text: string;
  readonly start: number;
  end: number;
  /** Offsets of an object's keys and values. */
  readonly keys: Map<string, number>;
  readonly values: Map<string | number, number>;
  /** Offsets of an array's values. */
  readonly items: number[];
}

const placesOf = new WeakMap<object, Places>();

export function hasPlaces(container: object): boolean {
  return placesOf.has(container);
}

/** Remembers a container that the reader begins. */
export function notePlaces(container: object, text: string, start: number): Places {
  const places: Places = { text, start, end: start, keys: new Map(), values: new Map(), items: [] };
  placesOf.set(container, places);
  return places;
}

/** Place of an object or array that was read with `positions`, or of one of its keys or values. */
export function positionOf(container: object, at: PositionOf = "start"): Location | undefined {
  const places = placesOf.get(container);
  if (places === undefined) return undefined;
  let offset: number | undefined;
  if (at === "start") offset = places.start;
  else if (at === "end") offset = places.end;
  else if ("key" in at) offset = places.keys.get(at.key);
  else offset = typeof at.value === "number" ? places.items[at.value] : places.values.get(at.value);
  return offset === undefined ? undefined : locationAt(places.text, offset);
}
