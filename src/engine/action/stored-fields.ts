/** Fields of `store: true` in a document: Elasticsearch keeps them beside the source, from which they are read here. */
import { illegalArgument } from "../errors.ts";
import { parseJson } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { storedValues } from "../mapping/index.ts";
import type { Mapping } from "../mapping/types.ts";
import { matchesSimple } from "./path-filter.ts";

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber);

/** The values at a path, those of dotted keys and of arrays included. */
function valuesAt(value: JsonValue | undefined, path: string): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => valuesAt(item, path));
  if (path === "") return value === undefined ? [] : [value];
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => {
    if (key === path) return valuesAt(value[key], "");
    return path.startsWith(`${key}.`) ? valuesAt(value[key], path.slice(key.length + 1)) : [];
  });
}

/** The stored fields among some names and patterns, with their values in the source. */
export function storedFields(
  mapping: Mapping,
  wanted: readonly string[],
  source: Uint8Array,
): { [field: string]: readonly JsonValue[] } | undefined {
  const found: { [field: string]: readonly JsonValue[] } = {};
  const root = parseJson(source);
  for (const name of wanted) {
    if (mapping.object(name) !== undefined) throw illegalArgument(`field [${name}] isn't a leaf field`);
    for (const { path } of mapping.definitions("*").filter((each) => matchesSimple(name, each.path))) {
      const field = mapping.field(path);
      if (field === undefined || field.toJson().store !== true) continue;
      // A field below another one has its values.
      const parent = path.slice(0, Math.max(path.lastIndexOf("."), 0));
      const values = storedValues(field, valuesAt(root, mapping.field(parent) === undefined ? path : parent));
      if (values.length > 0) found[path] = values;
    }
  }
  return Object.keys(found).length === 0 ? undefined : found;
}
