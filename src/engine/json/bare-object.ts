import type { JsonValue } from "./types.ts";

/** Objects of this class inherit nothing, and V8 keeps them in fast mode, which `Object.create(null)` does not. */
export class BareObject {
  [key: string]: JsonValue;
}

/** Where a container begins in the text that it was read from. */
export interface Place {
  readonly text: string;
  readonly start: number;
}

/** The same with a place that nobody else sees. */
export class PlacedObject {
  [key: string]: JsonValue;
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  static placeOf(object: object): Place | undefined {
    return #place in object ? object.#place : undefined;
  }
}

for (const { prototype } of [BareObject, PlacedObject]) {
  Reflect.deleteProperty(prototype, "constructor");
  Object.setPrototypeOf(prototype, null);
  Object.freeze(prototype);
}

/** An empty object without inherited keys. */
export function emptyObject(): { [key: string]: JsonValue } {
  return new BareObject();
}
