/** From the JSON of a mapping to its tree of objects and fields. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { dateFormatter } from "./date/formatter.ts";
import { parseDynamicTemplates } from "./dynamic-templates.ts";
import { javaText } from "./java-text.ts";
import { isObject, parseLeaf } from "./leaf.ts";
import type { AliasNode, Dynamic, MappingContext, MappingTree, Node, ObjectNode, RootOptions } from "./model.ts";
import { readBoolean } from "./parameters.ts";
import { parseRuntimeSection } from "./runtime.ts";
import { readSourceOptions } from "./source-options.ts";

export const ROOT: ObjectNode = {
  kind: "object",
  name: "_doc",
  path: "",
  nested: false,
  nestedPath: undefined,
  dynamic: undefined,
  enabled: true,
  enabledSet: false,
  subobjects: true,
  subobjectsSet: false,
  children: new Map(),
};

const NO_OPTIONS: RootOptions = {
  dateDetection: undefined,
  numericDetection: undefined,
  dynamicDateFormats: undefined,
  dynamicTemplates: undefined,
  meta: undefined,
  routingRequired: undefined,
  source: undefined,
};

/** Reads a mapping; every error but a refusal says that the mapping could not be parsed, and has the reason as its cause. */
export function parseTree(json: JsonObject, context: MappingContext): MappingTree {
  if (isObject(json["_doc"]) && Object.keys(json).length === 1) {
    throw illegalArgument(
      "The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.",
    );
  }
  try {
    return readRoot(json, context);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    throw mapperParsing(`Failed to parse mapping: ${error.message}`, {
      cause: error,
      rootCause: error.type === "mapper_parsing_exception" ? [error] : undefined,
    });
  }
}

function readRoot(json: JsonObject, context: MappingContext): MappingTree {
  const options: { -readonly [K in keyof RootOptions]: RootOptions[K] } = { ...NO_OPTIONS };
  const rest: { [key: string]: JsonValue } = {};
  let runtime: MappingTree["runtime"] = new Map();
  for (const key of Object.keys(json)) {
    const value = json[key];
    switch (key) {
      case "date_detection":
        options.dateDetection = readFlag(value, key);
        break;
      case "numeric_detection":
        options.numericDetection = readFlag(value, key);
        break;
      case "dynamic_date_formats":
        options.dynamicDateFormats = (Array.isArray(value) ? value : [value]).map((format: JsonValue) => {
          const pattern = javaText(format);
          if (pattern.startsWith("epoch_")) {
            throw mapperParsing(`Epoch [${pattern}] is not supported as dynamic date format`);
          }
          dateFormatter(pattern);
          return pattern;
        });
        break;
      case "dynamic_templates":
        options.dynamicTemplates = parseDynamicTemplates(value, context);
        break;
      case "_meta":
        options.meta = isObject(value) && Object.keys(value).length > 0 ? value : undefined;
        break;
      case "_source":
        options.source = readSourceOptions(value);
        break;
      case "_routing":
        options.routingRequired = readRouting(value);
        break;
      case "_field_names":
        throw mapperParsing(
          "The `enabled` setting for the `_field_names` field has been deprecated and removed. Please remove it from your mappings and templates.",
        );
      case "runtime":
        runtime = parseRuntimeSection(value, context);
        break;
      case "_data_stream_timestamp":
      case "_size":
        throw unsupported(`${key} in mappings`);
      default:
        rest[key] = value;
    }
  }
  const unknown = Object.keys(rest).filter((key) => !OBJECT_PARAMETERS.has(key));
  if (unknown.length > 0) {
    throw mapperParsing(
      `Root mapping definition has unsupported parameters:  ${unknown.map((key) => `[${key} : ${javaText(rest[key])}]`).join(" ")}`,
    );
  }
  return { root: readObject(rest, { ...ROOT }, context), options, runtime };
}

function readRouting(value: JsonValue): boolean {
  if (!isObject(value)) throw illegalArgument("[_routing] config must be an object");
  for (const key of Object.keys(value)) {
    if (key !== "required") throw mapperParsing(`unknown parameter [${key}] on metadata field [_routing]`);
  }
  return value["required"] !== undefined && readBoolean(value["required"]);
}

const OBJECT_PARAMETERS: ReadonlySet<string> = new Set(["properties", "dynamic", "enabled", "subobjects"]);

function readFlag(value: JsonValue, name: string): boolean {
  try {
    return readBoolean(value);
  } catch (error) {
    throw illegalArgument(`Could not convert [${name}] to boolean`, { cause: error });
  }
}

function readDynamic(value: JsonValue): Dynamic {
  const text = javaText(value).toLowerCase();
  if (text === "strict" || text === "runtime") return text;
  return readFlag(value, "dynamic.dynamic") ? "true" : "false";
}

/** Reads the parameters and properties of an object into a node that has its place already. */
function readObject(json: JsonObject, place: ObjectNode, context: MappingContext): ObjectNode {
  let dynamic: Dynamic | undefined;
  let enabled = true;
  let subobjects = true;
  if (json["dynamic"] !== undefined) dynamic = readDynamic(json["dynamic"]);
  if (json["enabled"] !== undefined) enabled = readFlag(json["enabled"], `${place.name}.enabled`);
  if (json["subobjects"] !== undefined) {
    if (place.nested) throw mapperParsing("Nested type [nested] does not support [subobjects] parameter");
    if (json["subobjects"] === "auto") throw unsupported("subobjects [auto]");
    subobjects = readFlag(json["subobjects"], `${place.name}.subobjects`);
  }
  const node: ObjectNode = {
    ...place,
    dynamic,
    enabled,
    enabledSet: json["enabled"] !== undefined,
    subobjects,
    subobjectsSet: json["subobjects"] !== undefined,
  };
  const properties = json["properties"];
  if (properties === undefined || (Array.isArray(properties) && properties.length === 0))
    return { ...node, children: new Map() };
  if (!isObject(properties)) throw mapperParsing("properties must be a map type");
  const children = new Map<string, Node>();
  for (const name of Object.keys(properties)) addProperty(children, name, properties[name], node, context);
  return { ...node, children };
}

function checkName(name: string): void {
  if (name === "") throw illegalArgument("field name cannot be an empty string");
  if (name.trim() === "") throw illegalArgument("field name cannot contain only whitespaces");
}

function addProperty(
  children: Map<string, Node>,
  name: string,
  json: JsonValue,
  parent: ObjectNode,
  context: MappingContext,
): void {
  checkName(name);
  if (!isObject(json)) {
    if (Array.isArray(json) && json.length === 0) return;
    throw mapperParsing(
      `Expected map for property [fields] on field [${name}] but got a class java.lang.${javaClassName(json)}`,
    );
  }
  const parts = parent.subobjects ? splitPath(name) : [name];
  const [first, ...below] = parts;
  const path = parent.path === "" ? first : `${parent.path}.${first}`;
  let node: Node;
  if (below.length > 0) {
    // A dotted name makes objects on its way.
    const between: ObjectNode = { ...ROOT, name: first, path, nestedPath: parent.nestedPath };
    const inner = new Map<string, Node>();
    addProperty(inner, below.join("."), json, between, context);
    node = { ...between, children: inner };
  } else {
    node = readProperty(first, path, json, parent, context);
  }
  const existing = children.get(first);
  if (existing === undefined) children.set(first, node);
  else if (existing.kind === "object" && node.kind === "object") children.set(first, joinObjects(existing, node));
  else throw mapperParsing(`Field [${path}] is defined more than once`);
}

function splitPath(name: string): string[] {
  const parts = name.split(".");
  for (const part of parts) checkName(part);
  return parts;
}

function joinObjects(a: ObjectNode, b: ObjectNode): ObjectNode {
  const children = new Map(a.children);
  for (const [name, node] of b.children) {
    const existing = children.get(name);
    if (existing?.kind === "object" && node.kind === "object") children.set(name, joinObjects(existing, node));
    else if (existing === undefined) children.set(name, node);
    else throw mapperParsing(`Field [${node.path}] is defined more than once`);
  }
  const explicit = b.dynamic !== undefined || b.enabledSet || b.nested ? b : a;
  return { ...explicit, children };
}

function javaClassName(value: JsonValue): string {
  return typeof value === "string"
    ? "String"
    : typeof value === "boolean"
      ? "Boolean"
      : typeof value === "number"
        ? "Integer"
        : "Object";
}

/** A node of an object's children from its JSON, as a dynamic template gives it: of an object, parameters that it does not have are stepped over. */
export function parseObjectNode(
  name: string,
  path: string,
  json: JsonObject,
  parent: ObjectNode,
  context: MappingContext,
): Node {
  return readProperty(name, path, json, parent, context, true);
}

function readProperty(
  name: string,
  path: string,
  json: JsonObject,
  parent: ObjectNode,
  context: MappingContext,
  fromTemplate = false,
): Node {
  let type: string;
  if (json["type"] !== undefined && json["type"] !== null) type = javaText(json["type"]);
  else if (json["properties"] !== undefined || (json["enabled"] !== undefined && Object.keys(json).length === 1))
    type = "object";
  else throw mapperParsing(`No type specified for field [${name}]`);
  if (type === "alias") return readAlias(name, path, json, parent);
  if (type !== "object" && type !== "nested") {
    return parseLeaf(type, json, { name, path, nestedPath: parent.nestedPath, context, multiField: false });
  }
  if (!parent.subobjects) {
    throw mapperParsing(
      `Tried to add subobject [${name}] to object [${parent.name}] which does not support subobjects`,
    );
  }
  const nested = type === "nested";
  const unknown: string[] = [];
  for (const key of Object.keys(json)) {
    if (key === "type" || OBJECT_PARAMETERS.has(key)) continue;
    if (nested && (key === "include_in_parent" || key === "include_in_root")) {
      if (readFlag(json[key], `${name}.${key}`)) throw unsupported(`${key} of nested field [${path}]`);
    } else if (key === "store_array_source" || key === "synthetic_source_keep") {
      throw unsupported(`${key} of field [${path}]`);
    } else {
      unknown.push(`[${key} : ${javaText(json[key])}]`);
    }
  }
  const object = readObject(
    json,
    { ...ROOT, name, path, nested, nestedPath: nested ? path : parent.nestedPath, children: new Map() },
    context,
  );
  if (unknown.length > 0 && !fromTemplate)
    throw mapperParsing(`Mapping definition for [${name}] has unsupported parameters:  ${unknown.join(" ")}`);
  return object;
}

function readAlias(name: string, path: string, json: JsonObject, parent: ObjectNode): AliasNode {
  const target = json["path"];
  if (target === undefined || target === null) {
    throw mapperParsing(`The [path] property must be specified for field [${name}].`);
  }
  const unknown = Object.keys(json).filter((key) => key !== "type" && key !== "path");
  if (unknown.length > 0) {
    throw mapperParsing(
      `Mapping definition for [${name}] has unsupported parameters:  ${unknown.map((key) => `[${key} : ${javaText(json[key])}]`).join(" ")}`,
    );
  }
  return { kind: "alias", name, path, nestedPath: parent.nestedPath, target: javaText(target) };
}
