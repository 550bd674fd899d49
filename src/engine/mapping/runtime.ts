/**
 * Runtime fields: fields that no segment has. Their values are read from a document's source when a search asks for them. They stand beside
 * the tree of a mapping under their full names, and hide a field of the same name from searches.
 */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import { emptyObject } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { compareNumbers } from "../segment/index.ts";
import type { FieldInfo } from "../segment/types.ts";
import { dateFormatter, toMillis } from "./date/formatter.ts";
import { DEFAULT_DATE_FORMAT } from "./fields/date.ts";
import { numberTypeOf } from "./fields/number.ts";
import { parseAddress } from "./ip-address.ts";
import { parseJavaDouble } from "./java-numbers.ts";
import { hashOrder, javaText } from "./java-text.ts";
import { isObject, parseLeaf } from "./leaf.ts";
import type { MappingContext } from "./model.ts";
import { metaParameter } from "./parameters.ts";
import type { MappedField, RangeBoundOptions } from "./types.ts";

type RuntimeValue = string | number | bigint;

export interface RuntimeField extends MappedField {
  readonly runtime: NonNullable<MappedField["runtime"]>;
}

const DOC_VALUES: { readonly [type: string]: FieldInfo["docValues"] } = {
  boolean: "long",
  date: "long",
  double: "double",
  ip: "ordinals",
  keyword: "ordinals",
  long: "long",
};

/** Types that a new field gets in an object whose fields are runtime fields, by what JSON has. */
export const runtimeTypeOf = (jsonType: string) => (jsonType === "string" ? "keyword" : jsonType);

export const isRuntimeType = (type: string) => DOC_VALUES[type] !== undefined || type === "geo_point";

/** @throws Elasticsearch's errors for a section that is not one */
export function parseRuntimeSection(
  json: JsonValue | undefined,
  context: MappingContext,
): Map<string, RuntimeField | null> {
  if (!isObject(json)) throw new EngineError("parse_exception", "runtime must be a map type");
  return parseRuntimeFields(json, context);
}

/** Fields under their names, in order; null takes a field away. */
export function parseRuntimeFields(json: JsonObject, context: MappingContext): Map<string, RuntimeField | null> {
  const fields = new Map<string, RuntimeField | null>();
  for (const name of hashOrder(Object.keys(json))) {
    const definition = json[name];
    if (definition === null) {
      fields.set(name, null);
      continue;
    }
    if (!isObject(definition)) {
      throw mapperParsing(
        `Expected map for runtime field [${name}] definition but got a java.${javaClass(definition)}`,
      );
    }
    fields.set(name, parseRuntimeField(name, definition, context));
  }
  return fields;
}

function javaClass(value: JsonValue): string {
  if (typeof value === "string") return "lang.String";
  if (typeof value === "boolean") return "lang.Boolean";
  if (Array.isArray(value)) return "util.ArrayList";
  return typeof value === "number" && Number.isInteger(value) ? "lang.Integer" : "lang.Double";
}

export function parseRuntimeField(name: string, json: JsonObject, context: MappingContext): RuntimeField {
  if (json["type"] === undefined || json["type"] === null) {
    throw mapperParsing(`No type specified for runtime field [${name}]`);
  }
  const type = javaText(json["type"]);
  if (["geo_point", "composite", "lookup", "geo_shape"].includes(type))
    throw unsupported(`runtime field of type [${type}]`);
  if (!isRuntimeType(type)) {
    throw mapperParsing(`No handler for type [${type}] declared on runtime field [${name}]`);
  }
  const given = new Map<string, JsonValue>();
  for (const key of hashOrder(Object.keys(json))) {
    if (key === "type") continue;
    const value = json[key];
    const known =
      key === "meta" || key === "script" || key === "on_script_error" || (type === "date" && isDateKey(key));
    if (!known) throw mapperParsing(`unknown parameter [${key}] on runtime field [${name}] of type [${type}]`);
    if (value === null) {
      throw mapperParsing(`[${key}] on runtime field [${name}] of type [${type}] must not have a [null] value`);
    }
    given.set(key, value);
  }
  checkScript(given);
  const meta = given.get("meta");
  if (meta !== undefined) metaParameter.read(meta, { field: name, type, context });
  return makeRuntimeField(name, type, given, context);
}

const isDateKey = (key: string) => key === "format" || key === "locale";

/** @throws a refusal of scripts that names what to do in their place */
function checkScript(given: ReadonlyMap<string, JsonValue>): void {
  if (given.has("script")) {
    throw unsupported(
      "script of a runtime field (index the value under a field of its own, or leave out the script to read it from _source)",
    );
  }
  const onError = given.get("on_script_error");
  if (onError === undefined) return;
  const text = javaText(onError);
  if (text !== "fail" && text !== "continue") {
    throw mapperParsing(`Unknown value [${text}] for field [on_script_error] - accepted values are [fail, continue]`);
  }
  if (text === "continue") throw illegalArgument("Field [on_script_error] requires field [script] to be configured");
}

function makeRuntimeField(
  name: string,
  type: string,
  given: ReadonlyMap<string, JsonValue>,
  context: MappingContext,
): RuntimeField {
  const parameters = emptyObject();
  parameters["index"] = false;
  for (const [key, value] of given) if (isDateKey(key)) parameters[key] = value;
  const { field } = parseLeaf(type, parameters, {
    name,
    path: name,
    nestedPath: undefined,
    context,
    multiField: false,
  });
  const json = printed(type, given);
  const info: FieldInfo = { name, index: "none", norms: false, docValues: DOC_VALUES[type], points: "none" };
  const read = reader(type, parameters);
  return {
    ...field,
    info,
    indexed: false,
    hasDocValues: true,
    ...queryValues(type, field),
    toJson: () => json,
    runtime: {
      key: JSON.stringify(json),
      values(source) {
        const values: RuntimeValue[] = [];
        collect(source, name, (value) => {
          const read1 = read(value);
          if (read1 !== undefined) values.push(read1);
        });
        return values.length < 2 ? values : values.sort(compareValues);
      },
    },
  };
}

function compareValues(a: RuntimeValue, b: RuntimeValue): number {
  if (typeof a === "string") return a < (b as string) ? -1 : a > (b as string) ? 1 : 0;
  return compareNumbers(a, b as number | bigint);
}

function printed(type: string, given: ReadonlyMap<string, JsonValue>): JsonObject {
  const json = emptyObject();
  json["type"] = type;
  const format = given.get("format");
  if (format !== undefined && javaText(format) !== DEFAULT_DATE_FORMAT) json["format"] = javaText(format);
  const locale = given.get("locale");
  if (locale !== undefined && javaText(locale) !== "en") {
    json["locale"] = javaText(locale) === "ROOT" ? "" : javaText(locale);
  }
  const meta = given.get("meta");
  if (isObject(meta) && Object.keys(meta).length > 0) json["meta"] = meta;
  return json;
}

/** The value in its indexed form; undefined for what is none of the type, which Elasticsearch leaves out without a word. */
function reader(type: string, parameters: JsonObject): (value: JsonValue) => RuntimeValue | undefined {
  const attempt = (read: (value: JsonValue) => RuntimeValue) => (value: JsonValue) => {
    try {
      return read(value);
    } catch {
      return undefined;
    }
  };
  switch (type) {
    case "keyword":
      return javaText;
    case "long":
      return attempt((value) => {
        if (value === "") throw illegalArgument("no number");
        return numberTypeOf("long").read(value, true);
      });
    case "double":
      return attempt((value) => {
        if (typeof value === "boolean") throw illegalArgument("no number");
        return typeof value === "string"
          ? parseJavaDouble(value)
          : Number(value instanceof JsonNumber ? value.text : value);
      });
    case "boolean":
      return (value) => {
        if (value === true || value === "true") return 1;
        return value === false || value === "false" ? 0 : undefined;
      };
    case "date": {
      const formatter = dateFormatter(javaText(parameters["format"] ?? DEFAULT_DATE_FORMAT));
      return attempt((value) => toMillis(formatter.parse(javaText(value))));
    }
    default:
      return attempt((value) => {
        if (typeof value !== "string") throw illegalArgument("no address");
        return parseAddress(value);
      });
  }
}

/** Java's Booleans.parseBoolean of a value in a query. */
function readBoolean(value: JsonValue): number {
  const text = javaText(value);
  if (text === "true" || text === "false") return text === "true" ? 1 : 0;
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
}

/** A number of a query as a double, as Java reads the text of it. */
const javaNumber = (value: JsonValue): number => parseJavaDouble(javaText(value));

function longBound(field: MappedField, value: JsonValue, options: RangeBoundOptions): number | bigint {
  javaNumber(value);
  return field.rangeBound(value, options) as number | bigint;
}

/** How a query's values are read where runtime fields do it in another way than indexed ones. */
function queryValues(type: string, field: MappedField): Partial<MappedField> {
  if (type === "boolean") return { termValue: readBoolean, rangeBound: readBoolean };
  if (type === "long") {
    return {
      termValue(value, options) {
        // Beyond the range there is an error, as for the bound of a range.
        const bound = longBound(field, value, { ...options, roundUp: false });
        const term = field.termValue(value, options);
        return term === undefined ? undefined : bound;
      },
      rangeBound: (value, options) => longBound(field, value, options),
    };
  }
  if (type === "double") return { termValue: javaNumber, rangeBound: javaNumber };
  if (type === "date") {
    return {
      termValue: (value, options) => field.rangeBound(value, { ...options, roundUp: false }),
    };
  }
  return {};
}

/** The scalars at a path, through objects, lists and dotted names (XContentMapValues.extractRawValues). */
function collect(value: JsonValue, path: string, add: (value: JsonValue) => void): void {
  if (Array.isArray(value)) {
    for (const inner of value) collect(inner, path, add);
    return;
  }
  if (path === "") {
    if (value !== null && !isObject(value)) add(value);
    return;
  }
  if (!isObject(value)) return;
  for (let end = path.indexOf("."); ; end = path.indexOf(".", end + 1)) {
    const key = end < 0 ? path : path.slice(0, end);
    const inner = value[key];
    if (inner !== undefined) collect(inner, end < 0 ? "" : path.slice(end + 1), add);
    if (end < 0) return;
  }
}
