/** `dynamic_templates`: which mapping a new field gets. */
import { mapperParsing } from "../errors.ts";
import { emptyObject } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { javaText } from "./java-text.ts";
import { isObject } from "./leaf.ts";
import type { DynamicTemplate, JsonType, MappingContext } from "./model.ts";

const JSON_TYPES: readonly JsonType[] = ["object", "string", "long", "double", "boolean", "date", "binary"];

const KEYS: ReadonlySet<string> = new Set([
  "match",
  "unmatch",
  "path_match",
  "path_unmatch",
  "match_mapping_type",
  "unmatch_mapping_type",
  "match_pattern",
  "mapping",
  "runtime",
]);

export function parseDynamicTemplates(json: JsonValue, _context: MappingContext): DynamicTemplate[] {
  if (!Array.isArray(json)) {
    throw mapperParsing("Dynamic template syntax error. An array of named objects is expected.");
  }
  const templates = new Map<string, DynamicTemplate>();
  for (const entry of json as readonly JsonValue[]) {
    if (!isObject(entry) || Object.keys(entry).length !== 1) {
      throw mapperParsing("A dynamic template must be defined with a name");
    }
    const name = Object.keys(entry)[0];
    const definition = entry[name];
    if (!isObject(definition)) throw mapperParsing(`Dynamic template [${name}] must be an object`);
    if (templates.has(name)) throw mapperParsing(`A dynamic template with name [${name}] is defined more than once`);
    templates.set(name, parseTemplate(name, definition));
  }
  return [...templates.values()];
}

function strings(value: JsonValue | undefined): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map(javaText) : [javaText(value)];
}

function parseTemplate(name: string, json: JsonObject): DynamicTemplate {
  for (const key of Object.keys(json)) {
    if (!KEYS.has(key)) throw mapperParsing(`Illegal dynamic template parameter: [${key}]`);
  }
  const mapping = json["mapping"];
  const runtime = json["runtime"];
  if (isObject(mapping) && isObject(runtime)) {
    throw mapperParsing(`mapping and runtime cannot be both specified in the same dynamic template [${name}]`);
  }
  const given = isObject(runtime) ? runtime : mapping;
  if (!isObject(given)) {
    throw mapperParsing(`template [${name}] must have either mapping or runtime set`);
  }
  const regex = json["match_pattern"] === "regex";
  if (json["match_pattern"] !== undefined && !regex && json["match_pattern"] !== "simple") {
    throw mapperParsing(`No matching pattern matched on [${javaText(json["match_pattern"])}]`);
  }
  const types = typesOf(name, json["match_mapping_type"]);
  const excludedTypes = typesOf(name, json["unmatch_mapping_type"]);
  if (isObject(runtime)) checkRuntimeTypes(name, types);
  const match = strings(json["match"]);
  const unmatch = strings(json["unmatch"]);
  const pathMatch = strings(json["path_match"]);
  const pathUnmatch = strings(json["path_unmatch"]);
  if (
    match.length + pathMatch.length === 0 &&
    json["match_mapping_type"] === undefined &&
    unmatch.length + pathUnmatch.length === 0 &&
    json["unmatch_mapping_type"] === undefined
  ) {
    throw mapperParsing(`template [${name}] must have match, path_match or match_mapping_type set`);
  }
  const tests = (patterns: readonly string[]) => patterns.map((pattern) => matcher(pattern, regex));
  const [matchTests, unmatchTests] = [tests(match), tests(unmatch)];
  const [pathTests, pathUnmatchTests] = [tests(pathMatch), tests(pathUnmatch)];
  return {
    name,
    json: { [name]: json },
    indexed: !isObject(runtime),
    matches: ({ path, name: field, type, isObject: object }) => {
      if (pathTests.length > 0 && !pathTests.some((test) => test(path))) return false;
      if (matchTests.length > 0 && !matchTests.some((test) => test(field))) return false;
      if (pathUnmatchTests.some((test) => test(path)) || unmatchTests.some((test) => test(field))) return false;
      if (excludedTypes.includes(type)) return false;
      if (types.length > 0) return types.includes(type);
      // Without a type, objects match only where the template maps to one.
      return !object || (!isObject(runtime) && isObjectMapping(given));
    },
    mappingFor: (field, defaultType) => {
      const replaced = replace(given, field, defaultType) as { [key: string]: JsonValue };
      if (replaced["type"] === undefined) replaced["type"] = defaultType;
      return replaced;
    },
  };
}

/** @throws for types of JSON that no runtime field can have */
function checkRuntimeTypes(name: string, types: readonly JsonType[]): void {
  for (const type of types) {
    if (type !== "object" && type !== "binary") continue;
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

function typesOf(name: string, value: JsonValue | undefined): JsonType[] {
  const given = strings(value);
  if (given.includes("*")) return [];
  return given.map((type) => {
    const found = JSON_TYPES.find((known) => known === type);
    if (found === undefined) {
      throw mapperParsing(`No field type matched on [${type}], possible values are [${JSON_TYPES.join(", ")}]`, {
        metadata: { template: name },
      });
    }
    return found;
  });
}

function matcher(pattern: string, regex: boolean): (text: string) => boolean {
  if (!regex && !pattern.includes("*")) return (text) => text === pattern;
  const source = regex
    ? pattern
    : pattern
        .split("*")
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[\\s\\S]*");
  const compiled = new RegExp(`^(?:${source})$`, regex ? "u" : "");
  return (text) => compiled.test(text);
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
