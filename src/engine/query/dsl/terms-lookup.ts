/** The terms of a terms query that stand in a document: which document and where in it, and taking them out of its source. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { contentError, isArray, isObject, located, wrongKind } from "./read.ts";
import { suggestion } from "./suggestion.ts";

/** A document's place is its index and id: with one shard, its routing leads nowhere else. */
export interface TermsLookup {
  /** Name of an index or alias. */
  readonly index: string;
  readonly id: string;
  /** Of the field within the source. */
  readonly path: string;
}

/** What was found for the lookups of a request. */
export type LookedUp = ReadonlyMap<TermsLookup, readonly JsonValue[]>;

const REQUIRED = ["index", "id", "path"] as const;
const KEYS: readonly string[] = [...REQUIRED, "routing"];

export function parseTermsLookup(json: JsonObject): TermsLookup {
  const given: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(json)) {
    if (!KEYS.includes(key)) {
      const unknown = contentError(json, { key }, `[terms_lookup] unknown field [${key}]${suggestion(key, KEYS)}`);
      // It names the key's place, and the reader stands at the value.
      throw located(unknown, json, { value: key });
    }
    if (typeof value !== "string") throw wrongKind("terms_lookup", json, key);
    given[key] = value;
  }
  const missing = REQUIRED.filter((key) => given[key] === undefined);
  if (missing.length > 0) throw located(illegalArgument(`Required [${missing.join(", ")}]`), json, "end");
  return { index: given.index, id: given.id, path: given.path };
}

/**
 * The values at a path of a source (XContentMapValues.extractRawValues): through lists, and through names that have dots themselves.
 * An object is no value.
 */
export function valuesAt(source: JsonObject, path: string): JsonValue[] {
  const values: JsonValue[] = [];
  // Java's split drops what is empty at the end, unless there is nothing else.
  const steps = path === "" ? [""] : path.replace(/\.+$/, "").split(".");
  if (/^\.+$/.test(path)) return values;
  const collect = (value: JsonValue, at: number): void => {
    if (isArray(value)) for (const item of value) collect(item, at);
    else if (isObject(value)) {
      for (let end = at + 1; end <= steps.length; end++) {
        const key = steps.slice(at, end).join(".");
        if (Object.hasOwn(value, key)) collect(value[key], end);
      }
    } else if (value !== null && at === steps.length) values.push(value);
  };
  collect(source, 0);
  return values;
}
