/** The terms of a terms query that stand in a document: which document and where in it, and taking them out of its source. */
import { type EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { isArray, isObject, located, unknownKey, wrongKind } from "./read.ts";

/** A document's place is its index and id: with one shard, its routing leads nowhere else. */
export interface TermsLookup {
  /** Name of an index or alias. */
  readonly index: string;
  readonly id: string;
  /** Of the field within the source. */
  readonly path: string;
}

/** What a request needs to know before its queries are built; a mistake that only shows then is one too. */
export type Lookup = TermsLookup | { readonly failure: EngineError };

/** What was found for the lookups of a request. */
export type LookedUp = ReadonlyMap<TermsLookup, readonly JsonValue[]>;

const REQUIRED = ["index", "id", "path"] as const;
const KEYS: readonly string[] = [...REQUIRED, "routing"];

export function parseTermsLookup(json: JsonObject): TermsLookup {
  const given: { [key: string]: string } = {};
  for (const [key, value] of Object.entries(json)) {
    if (!KEYS.includes(key)) {
      throw unknownKey("terms_lookup", json, key, KEYS);
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
