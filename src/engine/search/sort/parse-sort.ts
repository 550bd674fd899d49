/** Reads the `sort` of a search, or of what sorts hits within it. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../../errors.ts";
import { type Location, positionOf } from "../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { parseInnerQuery } from "../../query/dsl/index.ts";
import {
  atOption,
  inField,
  isArray,
  isObject,
  located,
  locatedAt,
  placeOf,
  readInt,
  readText,
  textOf,
  tokenName,
  unknownKey,
  wrongKind,
} from "../../query/dsl/read.ts";
import { docSort, scoreSort, shardDocSort } from "./builtin-sorts.ts";
import { type FieldSort, fieldSort, type NumericType } from "./field-sort.ts";
import { SORT_MODES } from "./multi-value.ts";
import type { NestedSort } from "./nested-values.ts";
import { parseGeoDistanceSort } from "./parse-geo-distance.ts";
import type { SortBuilder } from "./types.ts";

/** Reads `{ name: { … } }`: the object under `key` of `json`. */
export type SortParser = (json: JsonObject, key: string) => SortBuilder;

/** Sorts with options of their own, by name; every other name is a field. A new one is a line here. */
const SORTS: ReadonlyMap<string, SortParser> = new Map<string, SortParser>([
  ["_score", parseScore],
  ["_geo_distance", parseGeoDistanceSort],
  ["_geoDistance", parseGeoDistanceSort],
  ["_script", refused],
]);

function refused(_json: JsonObject, key: string): never {
  throw unsupported(`sort.${key}`);
}

/** The sorts under `key`: a name, an object, or a list of either. */
export function parseSorts(json: JsonObject, key: string): SortBuilder[] {
  const value = json[key];
  if (isObject(value)) return parseCompound(value);
  if (!isArray(value)) return [namedSort(textOf(value) ?? "", undefined)];
  return value.flatMap((item) => {
    if (typeof item === "string") return [namedSort(item, undefined)];
    if (isObject(item)) return parseCompound(item);
    throw illegalArgument("malformed sort format, within the sort array, an object, or an actual string are allowed");
  });
}

/** A sort by its name alone. Scores come best first. */
export function namedSort(name: string, descending: boolean | undefined): SortBuilder {
  if (name === "_score") return scoreSort(descending ?? true);
  return fieldOrDoc({ field: name, descending: descending ?? false });
}

function fieldOrDoc(sort: FieldSort): SortBuilder {
  if (sort.field === "_doc") return docSort(sort.descending);
  return sort.field === "_shard_doc" ? shardDocSort(sort.descending) : fieldSort(sort);
}

function parseCompound(json: JsonObject): SortBuilder[] {
  return Object.keys(json).map((name) => {
    const value = json[name];
    if (typeof value === "string") return namedSort(name, readOrder(value));
    return (SORTS.get(name) ?? parseField)(json, name);
  });
}

/** SortOrder.fromString. */
export function readOrder(text: string): boolean {
  const name = text.toUpperCase();
  if (name !== "ASC" && name !== "DESC") {
    throw illegalArgument(`No enum constant org.elasticsearch.search.sort.SortOrder.${name}`);
  }
  return name === "DESC";
}

/** The object that an ObjectParser reads: of a list its first item; what stands elsewhere is named by the token behind it. */
function objectUnder(parser: string, json: JsonObject, key: string): JsonObject {
  const value = json[key];
  if (isObject(value)) return value;
  if (isArray(value) && isObject(value[0])) return value[0];
  const { token, place } = tokenBehind(json, key);
  const reason = `[${parser}] Expected START_OBJECT but was: ${token}`;
  throw new EngineError("x_content_parse_exception", place ? `[${place.line}:${place.col}] ${reason}` : reason);
}

/** The token that comes next in a value that is no object: in a list its first item, otherwise what follows. */
function tokenBehind(json: JsonObject, key: string): { readonly token: string; readonly place: Location | undefined } {
  const value = json[key];
  if (isArray(value) && value.length > 0) {
    return { token: tokenName(value[0]), place: positionOf(value, { value: 0 }) };
  }
  const keys = Object.keys(json);
  const next = keys[keys.indexOf(key) + 1];
  if (next !== undefined && !isArray(value)) return { token: "FIELD_NAME", place: positionOf(json, { key: next }) };
  const place = positionOf(json, { value: key });
  const width = isArray(value) ? 1 : (textOf(value) ?? "null").length;
  return { token: isArray(value) ? "END_ARRAY" : "END_OBJECT", place: place && { ...place, col: place.col + width } };
}

function parseScore(json: JsonObject, key: string): SortBuilder {
  const options = objectUnder("_score", json, key);
  let descending = true;
  for (const name of Object.keys(options)) {
    if (name !== "order") throw unknownKey("_score", options, name, ["order"]);
    const text = textUnder("_score", options, name);
    descending = inField("_score", options, name, () => readOrder(text));
  }
  return scoreSort(descending);
}

const FIELD_KEYS = ["missing", "unmapped_type", "order", "mode", "nested", "numeric_type", "format"];
const NUMERIC_TYPES: readonly NumericType[] = ["long", "double", "date", "date_nanos"];
const PARSER = "field_sort";

function parseField(json: JsonObject, key: string): SortBuilder {
  const options = objectUnder(PARSER, json, key);
  const draft: { -readonly [K in keyof FieldSort]: FieldSort[K] } = { field: key, descending: false };
  for (const name of Object.keys(options)) {
    const text = () => textUnder(PARSER, options, name);
    const read = <T>(convert: (text: string) => T): T => {
      const given = text();
      return inField(PARSER, options, name, () => convert(given));
    };
    if (name === "missing") draft.missing = missingOf(options);
    else if (name === "unmapped_type") draft.unmappedType = text();
    else if (name === "format") draft.format = text();
    else if (name === "order") draft.descending = read(readOrder);
    else if (name === "mode") draft.mode = read(readMode);
    else if (name === "numeric_type") draft.numericType = read(readNumericType);
    else if (name === "nested") {
      if (!isObject(options[name])) throw wrongKind(PARSER, options, name);
      draft.nested = inField(PARSER, options, name, () => parseNestedSort(options, name));
    } else throw unknownKey(PARSER, options, name, FIELD_KEYS);
  }
  return fieldOrDoc(draft);
}

function textUnder(parser: string, json: JsonObject, key: string): string {
  const value = json[key];
  if (typeof value !== "string") throw wrongKind(parser, json, key);
  return value;
}

function missingOf(json: JsonObject): JsonValue {
  const value = json["missing"];
  if (isObject(value) || isArray(value)) throw wrongKind(PARSER, json, "missing");
  return value;
}

export function readMode(text: string) {
  const mode = SORT_MODES.find((known) => known === text.toLowerCase());
  if (!mode) throw illegalArgument(`Unknown SortMode [${text}]`);
  return mode;
}

function readNumericType(text: string): NumericType {
  const type = NUMERIC_TYPES.find((known) => known === text);
  if (type) return type;
  throw illegalArgument(`invalid value for [numeric_type], must be [long, double, date, date_nanos], got ${text}`);
}

/** The nested object under `key`, read as NestedSortBuilder reads it. */
export function parseNestedSort(json: JsonObject, key: string): NestedSort {
  const value = json[key];
  if (!isObject(value)) {
    throw located(illegalArgument("malformed nested sort format, must start with an object"), json, { value: key });
  }
  const draft: { -readonly [K in keyof NestedSort]: NestedSort[K] } = {};
  for (const name of Object.keys(value)) {
    if (name === "path") draft.path = readText(value, name);
    else if (name === "max_children")
      draft.maxChildren = atOption(value, name, () => readInt(value[name], value, name));
    else if (name === "filter") draft.filter = parseFilter(value);
    else if (name === "nested") draft.nested = parseNestedSort(value, name);
    else
      throw located(illegalArgument(`malformed nested sort format, unknown field name [${name}]`), value, {
        value: name,
      });
  }
  return draft;
}

/** `Expected filter element.` around what is wrong with it, at the same place. */
function parseFilter(json: JsonObject) {
  const filter = json["filter"];
  const { place: behind } = isObject(filter) ? { place: undefined } : tokenBehind(json, "filter");
  try {
    if (!isObject(filter)) throw parsingError("[_na] query malformed, must start with start_object", at(behind));
    return parseInnerQuery(json, "filter", 1);
  } catch (cause) {
    if (!(cause instanceof EngineError) || cause.type === "unsupported_feature_exception") throw cause;
    const place = behind ?? placeOf(cause) ?? endOfEmpty(json, filter);
    const error = parsingError("Expected filter element.", { cause, ...at(place) });
    throw place ? locatedAt(error, place) : error;
  }
}

const at = (place: Location | undefined) => (place ? { metadata: { line: place.line, col: place.col } } : {});

/** Where an object without a clause ends. */
function endOfEmpty(json: JsonObject, filter: JsonValue): Location | undefined {
  const place = positionOf(json, { value: "filter" });
  return place && isObject(filter) && Object.keys(filter).length === 0 ? { ...place, col: place.col + 1 } : place;
}
