/** JSON as requests and documents have it. */

/**
 * A number that a JavaScript number would round or print differently (`1.0`, `1e20`, `12345678901234567890`): keeps its text.
 * All other numbers are plain JavaScript numbers.
 */
export class JsonNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** The nearest double. */
  valueOf(): number {
    return Number(this.text);
  }
  /** True when written without fraction and exponent. */
  get integer(): boolean {
    return /^-?\d+$/.test(this.text);
  }
  toString(): string {
    return this.text;
  }
}

export type JsonValue = null | boolean | number | string | JsonNumber | readonly JsonValue[] | JsonObject;
/** Objects have no prototype: a key such as `__proto__` is a key like any other. */
export type JsonObject = { readonly [key: string]: JsonValue };
