/** Dynamic mapping: the type that a value gives to a field that the mapping does not know. */
import { emptyObject } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { dateFormatter } from "./date/formatter.ts";
import { isInteger } from "./fields/common.ts";
import { DEFAULT_DATE_FORMAT } from "./fields/date.ts";
import { LONG_MAX, LONG_MIN, parseDecimal, parseJavaDouble } from "./java-numbers.ts";
import type { DynamicTemplate, JsonType, RootOptions } from "./model.ts";
import { runtimeTypeOf } from "./runtime.ts";

/** Formats of strings that become dates, when the mapping names none. */
const DEFAULT_FORMATS = ["strict_date_optional_time", "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"];

export interface DynamicMapping {
  readonly json: JsonObject;
  /** From a template rather than by Elasticsearch's defaults. */
  readonly template: DynamicTemplate | undefined;
  /** It is a runtime field. */
  readonly runtime: boolean;
}

interface Detected {
  readonly type: JsonType;
  /** Field type without a template. */
  readonly defaultType: string;
  readonly dateFormat?: string;
}

function parsesAsLong(text: string): boolean {
  if (!/^[-+]?\d+$/.test(text)) return false;
  const decimal = parseDecimal(text);
  return decimal !== undefined && decimal !== "huge" && decimal.whole <= LONG_MAX && decimal.whole >= LONG_MIN;
}

function parsesAsDouble(text: string): boolean {
  try {
    parseJavaDouble(text);
    return true;
  } catch {
    return false;
  }
}

function detect(value: JsonValue, options: RootOptions): Detected {
  if (typeof value === "boolean") return { type: "boolean", defaultType: "boolean" };
  if (typeof value !== "string") {
    return isInteger(value) ? { type: "long", defaultType: "long" } : { type: "double", defaultType: "float" };
  }
  const long = parsesAsLong(value);
  const double = long || parsesAsDouble(value);
  if (options.numericDetection === true) {
    if (long) return { type: "long", defaultType: "long" };
    if (double) return { type: "double", defaultType: "float" };
  }
  // Pure numbers are not taken for dates: too many formats would read them.
  if (!double && options.dateDetection !== false && value !== "") {
    for (const format of options.dynamicDateFormats ?? DEFAULT_FORMATS) {
      if (dateFormatter(format).read(value) !== undefined)
        return { type: "date", defaultType: "date", dateFormat: format };
    }
  }
  return { type: "string", defaultType: "text" };
}

/** The mapping of a new field for a scalar value. @param toRuntime new fields are runtime fields where no template says otherwise */
export function dynamicScalar(
  path: string,
  name: string,
  value: JsonValue,
  options: RootOptions,
  toRuntime: boolean,
): DynamicMapping {
  const detected = detect(value, options);
  const template = findTemplate(options, { path, name, type: detected.type, isObject: false });
  if (template?.indexed === false) {
    const json = template.mappingFor(name, runtimeTypeOf(detected.type));
    return { json, template, runtime: true };
  }
  if (template !== undefined) {
    const json = template.mappingFor(name, detected.type === "string" ? "text" : detected.defaultType);
    if (json["type"] === "date" && json["format"] === undefined && detected.dateFormat !== undefined) {
      addFormat(json, detected.dateFormat);
    }
    return { json, template, runtime: false };
  }
  const json = emptyObject();
  if (toRuntime) {
    json["type"] = runtimeTypeOf(detected.type);
    if (detected.dateFormat !== undefined && detected.dateFormat !== DEFAULT_FORMATS[0]) {
      json["format"] = detected.dateFormat;
    }
    return { json, template, runtime: true };
  }
  json["type"] = detected.defaultType;
  if (detected.type === "string") {
    json["fields"] = { keyword: { type: "keyword", ignore_above: 256 } };
  } else if (detected.dateFormat !== undefined) {
    addFormat(json, detected.dateFormat);
  }
  return { json, template: undefined, runtime: false };
}

/** Elasticsearch's second default has the root locale, which get-mapping shows. */
function addFormat(json: { [key: string]: JsonValue }, format: string): void {
  if (format === DEFAULT_FORMATS[1]) json["locale"] = "";
  json["format"] = format === "strict_date_optional_time" ? DEFAULT_DATE_FORMAT : format;
}

/** The mapping that a template gives to a new object; undefined when none does. */
export function dynamicObject(path: string, name: string, options: RootOptions): DynamicMapping | undefined {
  const template = findTemplate(options, { path, name, type: "object", isObject: true });
  return template === undefined ? undefined : { json: template.mappingFor(name, "object"), template, runtime: false };
}

function findTemplate(
  options: RootOptions,
  what: { path: string; name: string; type: JsonType; isObject: boolean },
): DynamicTemplate | undefined {
  return options.dynamicTemplates?.find((template) => template.matches(what));
}
