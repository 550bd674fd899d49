import type { JsonValue } from "./types.ts";

/** Objects of this class inherit nothing, and V8 keeps them in fast mode, which `Object.create(null)` does not. */
export class BareObject {
  [key: string]: JsonValue;
}
Reflect.deleteProperty(BareObject.prototype, "constructor");
Object.setPrototypeOf(BareObject.prototype, null);
Object.freeze(BareObject.prototype);

/** An empty object without inherited keys. */
export function emptyObject(): { [key: string]: JsonValue } {
  return new BareObject();
}
