/** `dynamic_templates`: which mapping a new field gets. */
import { javaMatches } from "../analysis/java-regex/index.ts";
import { EngineError, illegalArgument, mapperParsing } from "../errors.ts";
import { emptyObject } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { writeJson } from "../json/write.ts";
import { matchesSimple } from "../simple-match.ts";
import { classCast } from "./java-errors.ts";
import { javaText } from "./java-text.ts";
import { isObject } from "./leaf.ts";
import type { DynamicTemplate, JsonType } from "./model.ts";

const JSON_TYPES: readonly JsonType[] = ["object", "string", "long", "double", "boolean", "date", "binary"];

/** Reads a field as a template would make it. @returns parameters that it does not have; throws for what is wrong with it */
export type TryField = (type: string, name: string, json: JsonObject, runtime: boolean) => readonly string[];

/** @param tryField absent for a mapping that was accepted once: its templates are not tried again */
export function parseDynamicTemplates(json: JsonValue, tryField: TryField | undefined): DynamicTemplate[] {
  if (!Array.isArray(json)) {
    throw mapperParsing("Dynamic template syntax error. An array of named objects is expected.");
  }
  return (json as readonly JsonValue[]).map((entry) => {
    if (entry === null) throw nullPointer('Cannot invoke "java.util.Map.size()" because "tmpl" is null');
    if (!isObject(entry)) throw classCast(entry, "Map");
    const [name, ...others] = Object.keys(entry);
    if (name === undefined || others.length > 0) throw mapperParsing("A dynamic template must be defined with a name");
    const definition = entry[name];
    if (definition === null) throw nullPointer('Cannot invoke "java.util.Map.entrySet()" because "conf" is null');
    if (!isObject(definition)) throw classCast(definition, "Map");
    return parseTemplate(name, definition, tryField);
  });
}

const nullPointer = (reason: string) => new EngineError("null_pointer_exception", reason, { status: 500 });

function patternsOf(key: string, value: JsonValue): string[] {
  if (!Array.isArray(value)) return [javaText(value)];
  const items = value as readonly JsonValue[];
  if (items.every((item) => typeof item === "string")) return items as string[];
  throw mapperParsing(`[${key}] values must either be a string or list of strings, but was [${javaText(value)}]`);
}

const PATTERNS = ["match", "path_match", "unmatch", "path_unmatch"] as const;
const TYPES = ["match_mapping_type", "unmatch_mapping_type"] as const;

/** What a template says, as it was given. */
interface Given {
  readonly lists: { readonly [key in (typeof PATTERNS)[number] | (typeof TYPES)[number]]: readonly string[] };
  readonly pattern: string | undefined;
  readonly mapping: JsonObject;
  readonly runtime: boolean;
}

function readGiven(name: string, json: JsonObject): Given {
  const lists: { [key: string]: readonly string[] } = {};
  for (const key of [...PATTERNS, ...TYPES]) lists[key] = [];
  let pattern: string | undefined;
  let mapping: JsonObject | undefined;
  let runtime = false;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (key === "mapping" || key === "runtime") {
      if (mapping !== undefined) {
        throw mapperParsing(`mapping and runtime cannot be both specified in the same dynamic template [${name}]`);
      }
      runtime = key === "runtime";
      if (value === null) continue;
      if (!isObject(value)) throw classCast(value, "Map");
      mapping = value;
      continue;
    }
    if (lists[key] === undefined && key !== "match_pattern") {
      throw illegalArgument(`Illegal dynamic template parameter: [${key}]`);
    }
    if (value === null) {
      const what = 'the return value of "java.util.Map$Entry.getValue()" is null';
      throw nullPointer(`Cannot invoke "Object.toString()" because ${what}`);
    }
    if (key === "match_pattern") pattern = javaText(value);
    else if (TYPES.includes(key as (typeof TYPES)[number])) {
      lists[key] = Array.isArray(value) ? value.map((item: JsonValue) => javaText(item)) : [javaText(value)];
    } else lists[key] = patternsOf(key, value);
  }
  if (mapping === undefined) throw mapperParsing(`template [${name}] must have either mapping or runtime set`);
  return { lists: lists as Given["lists"], pattern, mapping, runtime };
}

function parseTemplate(name: string, json: JsonObject, tryField: TryField | undefined): DynamicTemplate {
  const given = readGiven(name, json);
  const { lists, mapping, runtime } = given;
  const anyType = lists.match_mapping_type.length === 1 && lists.match_mapping_type[0] === "*";
  const types = anyType ? [] : lists.match_mapping_type.map(jsonType);
  const excludedTypes = lists.unmatch_mapping_type.map(jsonType);
  if (runtime) checkRuntimeTypes(name, types);
  if (given.pattern !== undefined && given.pattern !== "simple" && given.pattern !== "regex") {
    throw illegalArgument(`No matching pattern matched on [${given.pattern}]`);
  }
  const regex = given.pattern === "regex";
  const test = (pattern: string) => matcher(pattern, regex, name);
  const [matchTests, unmatchTests] = [lists.match.map(test), lists.unmatch.map(test)];
  const [pathTests, pathUnmatchTests] = [lists.path_match.map(test), lists.path_unmatch.map(test)];
  const mappingFor: DynamicTemplate["mappingFor"] = (field, defaultType) => {
    const replaced = replace(mapping, field, defaultType) as { [key: string]: JsonValue };
    if (replaced["type"] === undefined) replaced["type"] = defaultType;
    return replaced;
  };
  const printed = printGiven(given);
  if (tryField !== undefined && !mentionsName(mapping)) {
    const tried =
      types.length > 0 ? types : JSON_TYPES.filter((type) => !runtime || RUNTIME_DEFAULTS[type] !== undefined);
    checkContent(name, tried, printed, (type) => {
      const made = mappingFor(`__dynamic__${name}`, (runtime ? RUNTIME_DEFAULTS : DEFAULTS)[type] as string);
      const unknown = tryField(javaText(made["type"]), `__dynamic__${name}`, made, runtime);
      if (unknown.length === 0) return;
      const shown = unknown.map((key) => `${key}=${javaText(made[key])}`).join(", ");
      throw illegalArgument(`Unknown mapping attributes [{${shown}}]`);
    });
  }
  return {
    name,
    json: { [name]: printed },
    type: mapping["type"] === undefined ? undefined : javaText(mapping["type"]),
    indexed: !runtime,
    matches: ({ path, name: field, type, isObject: object }) => {
      if (pathTests.length > 0 && !pathTests.some((test) => test(path))) return false;
      if (matchTests.length > 0 && !matchTests.some((test) => test(field))) return false;
      if (pathUnmatchTests.some((test) => test(path)) || unmatchTests.some((test) => test(field))) return false;
      if (excludedTypes.includes(type)) return false;
      if (types.length > 0) return types.includes(type);
      // Without a type, objects match only where the template maps to one.
      return !object || (!runtime && isObjectMapping(mapping));
    },
    mappingFor,
  };
}

/** As get-mapping shows it: in an order of its own, one of a list alone, and the mapping sorted. */
function printGiven({ lists, pattern, mapping, runtime }: Given): JsonObject {
  const json: { [key: string]: JsonValue } = emptyObject();
  for (const key of [...PATTERNS, ...TYPES]) {
    const list = lists[key];
    if (list.length > 0) json[key] = list.length === 1 ? list[0] : [...list];
  }
  if (pattern !== undefined) json["match_pattern"] = pattern;
  json[runtime ? "runtime" : "mapping"] = sorted(mapping);
  return json;
}

function sorted(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const json = emptyObject();
  for (const key of Object.keys(value).sort()) json[key] = sorted(value[key]);
  return json;
}

/** Types of fields that values get, and of runtime fields. */
const DEFAULTS: { readonly [type in JsonType]: string } = {
  object: "object",
  string: "text",
  long: "long",
  double: "float",
  boolean: "boolean",
  date: "date",
  binary: "binary",
};
const RUNTIME_DEFAULTS: { readonly [type in JsonType]?: string } = {
  string: "keyword",
  long: "long",
  double: "double",
  boolean: "boolean",
  date: "date",
};

/** @throws where a template fits none of the types of values that it is for; the last one's reason is told */
function checkContent(
  name: string,
  types: readonly JsonType[],
  printed: JsonObject,
  attempt: (type: JsonType) => void,
) {
  let last: unknown;
  for (const type of types) {
    try {
      attempt(type);
      return;
    } catch (error) {
      if (error instanceof EngineError && error.type === "unsupported_feature_exception") throw error;
      last = error;
    }
  }
  const among = `attempted to validate it with the following match_mapping_type: [${types.join(", ")}]`;
  throw illegalArgument(`dynamic template [${name}] has invalid content [${writeJson(printed)}], ${among}`, {
    cause: last,
  });
}

/** Fields whose names are in their mapping cannot be tried. */
function mentionsName(value: JsonValue): boolean {
  if (typeof value === "string") return value.includes("{name}");
  if (Array.isArray(value)) return value.some(mentionsName);
  return isObject(value) && Object.entries(value).some(([key, inner]) => key.includes("{name}") || mentionsName(inner));
}

/** @throws for types of JSON that no runtime field can have */
function checkRuntimeTypes(name: string, types: readonly JsonType[]): void {
  for (const type of types) {
    if (RUNTIME_DEFAULTS[type] !== undefined) continue;
    throw mapperParsing(
      `Dynamic template [${name}] defines a runtime field but type [${type}] is not supported as runtime field`,
    );
  }
}

function isObjectMapping(mapping: JsonObject): boolean {
  const type = mapping["type"];
  return type === undefined
    ? mapping["properties"] !== undefined
    : type === "object" || type === "nested" || type === "{dynamic_type}";
}

function jsonType(type: string): JsonType {
  const found = JSON_TYPES.find((known) => known === type);
  if (found !== undefined) return found;
  throw illegalArgument(`No field type matched on [${type}], possible values are [${JSON_TYPES.join(", ")}]`);
}

function matcher(pattern: string, regex: boolean, template: string): (text: string) => boolean {
  if (!regex) return (text) => matchesSimple(pattern, text);
  try {
    return javaMatches(pattern);
  } catch (error) {
    const what = `Pattern [${pattern}] of type [regex] is invalid. Cannot create dynamic template [${template}].`;
    throw mapperParsing(what, { cause: error });
  }
}

/** Fills in `{name}` and `{dynamic_type}` in keys and values. */
function replace(value: JsonValue, name: string, dynamicType: string): JsonValue {
  const text = (source: string) =>
    source
      .replaceAll("{name}", name)
      .replaceAll("{dynamic_type}", dynamicType)
      .replaceAll("{dynamicType}", dynamicType);
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((inner) => replace(inner, name, dynamicType));
  if (!isObject(value)) return value;
  const out = emptyObject();
  for (const key of Object.keys(value)) out[text(key)] = replace(value[key], name, dynamicType);
  return out;
}
