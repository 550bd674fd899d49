/** Values of a source by their path, where names may have dots themselves and arrays may stand anywhere (XContentMapValues). */
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { isArray, isObject } from "../../../query/dsl/read.ts";

/** Java's split drops empty parts at the end. */
export function pathParts(path: string): string[] {
  return path.replace(/\.+$/, "").split(".");
}

/** What stands under a path: undefined where there is nothing; arrays on the way give arrays. @param nullValue what null counts as */
export function extractValue(source: JsonValue, path: string, nullValue?: JsonValue): JsonValue | undefined {
  return valueAt(source, pathParts(path), 0, nullValue);
}

function valueAt(
  value: JsonValue,
  parts: readonly string[],
  from: number,
  nullValue: JsonValue | undefined,
): JsonValue | undefined {
  if (isArray(value)) {
    return value.flatMap((item) => {
      const found = valueAt(item, parts, from, nullValue);
      if (found === undefined) return [];
      // Lists at the end of the path stay what they are; those on the way are opened.
      return from < parts.length && isArray(found) ? [...found] : [found];
    });
  }
  if (from === parts.length) return value ?? nullValue;
  if (!isObject(value)) return undefined;
  const found: JsonValue[] = [];
  for (const [key, next] of keysFrom(parts, from)) {
    const inner = key in value ? valueAt(value[key], parts, next, nullValue) : undefined;
    if (inner !== undefined) found.push(inner);
  }
  return found.length === 0 ? undefined : found.length === 1 ? found[0] : found;
}

/** All scalars under a path. */
export function extractRawValues(source: JsonObject, path: string): JsonValue[] {
  const values: JsonValue[] = [];
  collectRaw(source, pathParts(path), 0, values);
  return values;
}

function collectRaw(value: JsonValue, parts: readonly string[], from: number, values: JsonValue[]): void {
  if (value === null) return;
  if (isArray(value)) {
    for (const item of value) collectRaw(item, parts, from, values);
  } else if (isObject(value)) {
    if (from === parts.length) return;
    for (const [key, next] of keysFrom(parts, from)) if (key in value) collectRaw(value[key], parts, next, values);
  } else if (from === parts.length) values.push(value);
}

/** Keys that may hold the rest of a path, and how far each takes. */
function* keysFrom(parts: readonly string[], from: number): Generator<readonly [key: string, next: number]> {
  let key = "";
  for (let next = from; next < parts.length; next++) {
    key = next === from ? parts[next] : `${key}.${parts[next]}`;
    yield [key, next + 1];
  }
}
