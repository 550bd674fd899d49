/** From the JSON of a mapping to its tree of objects and fields. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { dateFormatter } from "./date/formatter.ts";
import { parseDynamicTemplates, type TryField } from "./dynamic-templates.ts";
import { classCast } from "./java-errors.ts";
import { inHashOrder, javaText } from "./java-text.ts";
import { isObject, readLeaf } from "./leaf.ts";
import { depthLimit } from "./limits.ts";
import { notAField, notAnObject, notNested } from "./merge.ts";
import { METADATA_NAMES } from "./metadata.ts";
import type { AliasNode, Dynamic, MappingContext, MappingTree, Node, ObjectNode, RootOptions } from "./model.ts";
import { readBoolean } from "./parameters.ts";
import { isFieldType } from "./registry.ts";
import { isRuntimeType, parseRuntimeField, parseRuntimeSection } from "./runtime.ts";
import { readSourceOptions } from "./source-options.ts";
import { flattened, readSubobjects } from "./subobjects.ts";

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
    // Elasticsearch reads a mapping into hash maps: of several mistakes the first in their order is told.
    return readRoot(inHashOrder(json), context);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    throw mapperParsing(`Failed to parse mapping: ${error.message}`, {
      cause: error,
      // What Java throws itself is no cause that Elasticsearch names.
      rootCause: error.type === "mapper_parsing_exception" || error.type === "parse_exception" ? [error] : undefined,
    });
  }
}

/** What is met while a mapping is read. */
interface Reading {
  readonly context: MappingContext;
  /** The first mistake in how parts fit together. Elasticsearch builds fields of their parameters when all are read: it is told when nothing else is wrong. */
  unfit?: Error | undefined;
  /** Parameters that an object does not have, where they are no mistake. */
  readonly unknown?: string[];
  /** Objects around the one that is read. */
  depth?: number;
}

function readRoot(json: JsonObject, context: MappingContext): MappingTree {
  const reading: Reading = { context };
  const options: { -readonly [K in keyof RootOptions]: RootOptions[K] } = { ...NO_OPTIONS };
  let runtime: MappingTree["runtime"] = new Map();
  const left = new Set(Object.keys(json));
  const root = readObject(json, ROOT, reading, left, undefined, (key, value) => {
    switch (key) {
      case "date_detection":
        options.dateDetection = readFlag(value, key);
        return true;
      case "numeric_detection":
        options.numericDetection = readFlag(value, key);
        return true;
      case "dynamic_date_formats":
        options.dynamicDateFormats = readDateFormats(value);
        return true;
      case "dynamic_templates":
        options.dynamicTemplates = parseDynamicTemplates(value, context.accepted ? undefined : tryField(context));
        return true;
      case "runtime":
        runtime = parseRuntimeSection(value, context);
        return true;
      default:
        return false;
    }
  });
  for (const key of Object.keys(json)) {
    if (!METADATA_NAMES.includes(key) && key !== "_size") continue;
    left.delete(key);
    const value = json[key];
    if (!isObject(value)) throw illegalArgument(`[${key}] config must be an object`);
    if (key === "_source") options.source = readSourceOptions(value);
    else if (key === "_routing") options.routingRequired = readRouting(value);
    else if (key === "_field_names") readFieldNames(value);
    else if (key === "_data_stream_timestamp" || key === "_size") throw unsupported(`${key} in mappings`);
    else throw mapperParsing(`${key} is not configurable`);
  }
  if (left.delete("_meta")) options.meta = readMeta(json["_meta"]);
  if (left.size > 0) {
    const unknown = [...left].map((key) => `[${key} : ${javaText(json[key])}]`).join(" ");
    throw mapperParsing(`Root mapping definition has unsupported parameters:  ${unknown}`);
  }
  if (reading.unfit !== undefined) throw reading.unfit;
  return { root, options, runtime };
}

/** Reads fields as dynamic templates would make them, at the root and under a name that no field has. */
const tryField =
  (context: MappingContext): TryField =>
  (type, name, json, runtime) => {
    if (runtime) {
      if (!isRuntimeType(type)) throw illegalArgument(`No runtime field found for type [${type}]`);
      parseRuntimeField(name, json, context);
      return [];
    }
    if (!isFieldType(type)) throw illegalArgument(`No mapper found for type [${type}]`);
    const reading: Reading = { context, unknown: [] };
    readProperty(type, name, name, json, ROOT, reading, undefined);
    if (reading.unfit !== undefined) throw reading.unfit;
    return reading.unknown ?? [];
  };

function readDateFormats(value: JsonValue): string[] {
  if (value === null) throw nullPointer('Cannot invoke "Object.toString()" because "fieldNode" is null');
  return (Array.isArray(value) ? value : [value]).map((format: JsonValue) => {
    if (format === null) throw nullPointer('Cannot invoke "Object.toString()" because "formatter" is null');
    const pattern = javaText(format);
    if (pattern.startsWith("epoch_")) throw mapperParsing(`Epoch [${pattern}] is not supported as dynamic date format`);
    if (isObject(format) || Array.isArray(format)) {
      throw illegalArgument(`Invalid format: [${pattern}]: expected string value`);
    }
    dateFormatter(pattern);
    return pattern;
  });
}

function readMeta(value: JsonValue): JsonObject | undefined {
  if (value !== null && !isObject(value)) throw classCast(value, "Map");
  return isObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

function readFieldNames(value: JsonObject): void {
  for (const key of Object.keys(value)) {
    if (key !== "enabled") throw mapperParsing(`unknown parameter [${key}] on metadata field [_field_names]`);
    throw mapperParsing(
      "The `enabled` setting for the `_field_names` field has been deprecated and removed. Please remove it from your mappings and templates.",
    );
  }
}

function readRouting(value: JsonObject): boolean {
  for (const key of Object.keys(value)) {
    if (key !== "required") throw mapperParsing(`unknown parameter [${key}] on metadata field [_routing]`);
  }
  return value["required"] !== undefined && readBoolean(value["required"]);
}

const nullPointer = (reason: string) => new EngineError("null_pointer_exception", reason, { status: 500 });

function readFlag(value: JsonValue, name: string): boolean {
  if (value === null) throw nullPointer('Cannot invoke "Object.toString()" because "node" is null');
  try {
    return readBoolean(value);
  } catch (error) {
    throw illegalArgument(`Could not convert [${name}] to boolean`, { cause: error });
  }
}

function readDynamic(value: JsonValue): Dynamic {
  if (value === null) throw nullPointer('Cannot invoke "Object.toString()" because "fieldNode" is null');
  const text = javaText(value).toLowerCase();
  if (text === "strict" || text === "runtime") return text;
  return readFlag(value, "dynamic.dynamic") ? "true" : "false";
}

/**
 * Reads the parameters and properties of an object into a node that has its place already.
 *
 * @param left keys that nobody has read; those that are read here are taken away
 * @param above `dynamic` of the objects around it
 * @param readOther reads a parameter that not every object has; false where it is unknown
 */
function readObject(
  json: JsonObject,
  place: ObjectNode,
  reading: Reading,
  left: Set<string>,
  above: Dynamic | undefined,
  readOther: (key: string, value: JsonValue) => boolean = () => false,
): ObjectNode {
  const subobjects = readSubobjects(json, place);
  left.delete("subobjects");
  let node: ObjectNode = { ...place, subobjects: subobjects ?? true, subobjectsSet: subobjects !== undefined };
  const children = new Map<string, Node>();
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (key === "dynamic") node = { ...node, dynamic: readDynamic(value) };
    else if (key === "enabled") node = { ...node, enabled: readFlag(value, "enabled.enabled"), enabledSet: true };
    else if (key === "properties") {
      if (!(Array.isArray(value) && value.length === 0)) {
        if (!isObject(value)) throw new EngineError("parse_exception", "properties must be a map type");
        // An object that is flattened is compared with what it is in, whichever of its parameters is read first.
        const around = json["dynamic"] === undefined ? above : readDynamic(json["dynamic"]);
        for (const name of Object.keys(value)) addProperty(children, name, value[name], node, reading, around);
      }
    } else if (key !== "include_in_all" && !readOther(key, value)) continue;
    left.delete(key);
  }
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
  reading: Reading,
  dynamic: Dynamic | undefined,
): void {
  checkName(name);
  if (!isObject(json)) {
    if (Array.isArray(json) && json.length === 0) return;
    throw mapperParsing(
      `Expected map for property [fields] on field [${name}] but got a class java.lang.${javaClassName(json)}`,
    );
  }
  const type = typeOf(name, json);
  if (!parent.subobjects && type === "nested") {
    throw mapperParsing(
      `Tried to add nested object [${name}] to object [${parent.name}] which does not support subobjects`,
    );
  }
  const parts = parent.subobjects ? splitPath(name) : [name];
  const last = parts[parts.length - 1];
  const path = [...(parent.path === "" ? [] : [parent.path]), ...parts].join(".");
  let node = readProperty(type, last, path, json, parent, reading, dynamic);
  unlessUnfit(reading, () => {
    for (const part of parts) checkName(part);
    if (node === undefined) return;
    if (!parent.subobjects && node.kind === "object") {
      for (const leaf of flattened(node, node.name, dynamic)) addNode(children, leaf);
      return;
    }
    // A dotted name makes objects on its way.
    for (let at = parts.length - 2; at >= 0; at--) {
      const above = parent.path === "" ? parts.slice(0, at + 1) : [parent.path, ...parts.slice(0, at + 1)];
      const path = above.join(".");
      const children: ReadonlyMap<string, Node> = new Map([[node.name, node]]);
      node = { ...ROOT, name: parts[at], path, nestedPath: parent.nestedPath, children };
    }
    addNode(children, node);
  });
}

/** What does not fit is told later, when it is the first to be so. */
function unlessUnfit(reading: Reading, build: () => void): void {
  try {
    build();
  } catch (error) {
    reading.unfit ??= error as Error;
  }
}

/** Adds a node: objects of one name become one, and of fields the last stays. */
function addNode(children: Map<string, Node>, node: Node): void {
  const existing = children.get(node.name);
  if (existing?.kind === "object" && node.kind === "object") {
    if (existing.nested !== node.nested) throw notNested(node.path);
    const together = new Map(existing.children);
    for (const child of node.children.values()) addNode(together, child);
    const explicit = node.dynamic !== undefined || node.enabledSet || node.subobjectsSet ? node : existing;
    children.set(node.name, { ...explicit, children: together });
    return;
  }
  if (existing?.kind === "object") throw notAnObject(node.path);
  if (existing !== undefined && node.kind === "object") {
    throw notAField(node.path, existing.kind === "alias" ? "alias" : existing.fieldType.type);
  }
  children.set(node.name, node);
}

function splitPath(name: string): string[] {
  const parts = name.split(".");
  // As Java splits: without what is empty at the end.
  while (parts.length > 0 && parts[parts.length - 1] === "") parts.pop();
  if (parts.length === 0) throw illegalArgument("field name cannot contain only dots");
  return parts;
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
  const reading: Reading = { context, unknown: [] };
  const type = typeOf(name, json);
  if ((type === "object" || type === "nested") && !parent.subobjects) {
    throw mapperParsing(
      `Tried to add subobject [${name}] to object [${parent.name}] which does not support subobjects`,
    );
  }
  const node = readProperty(type, name, path, json, parent, reading, undefined);
  if (reading.unfit !== undefined) throw reading.unfit;
  return node as Node;
}

function typeOf(name: string, json: JsonObject): string {
  if (json["type"] !== undefined && json["type"] !== null) return javaText(json["type"]);
  const enabled = json["enabled"] ?? null;
  if ((json["properties"] ?? null) !== null || (enabled !== null && Object.keys(json).length === 1)) return "object";
  throw mapperParsing(`No type specified for field [${name}]`);
}

/** @returns undefined where its parts do not fit together, which `reading` has then */
function readProperty(
  type: string,
  name: string,
  path: string,
  json: JsonObject,
  parent: ObjectNode,
  reading: Reading,
  dynamic: Dynamic | undefined,
): Node | undefined {
  if (type === "alias") return readAlias(name, path, json, parent);
  if (type !== "object" && type !== "nested") {
    const place = { name, path, nestedPath: parent.nestedPath, context: reading.context, multiField: false };
    return readLeaf(type, json, place, reading);
  }
  const nested = type === "nested";
  const left = new Set(Object.keys(json));
  left.delete("type");
  const place = { ...ROOT, name, path, nested, nestedPath: nested ? path : parent.nestedPath };
  if (nested) {
    readSubobjects(json, place);
    for (const key of ["include_in_parent", "include_in_root"]) {
      const value = json[key] ?? null;
      if (value === null) continue;
      if (readFlag(value, `${name}.${key}`)) throw unsupported(`${key} of nested field [${path}]`);
      left.delete(key);
    }
  }
  const max = depthLimit(reading.context);
  reading.depth = (reading.depth ?? 0) + 1;
  if (reading.depth > max) throw mapperParsing(`Limit of mapping depth [${max}] has been exceeded`);
  const object = readObject(json, place, reading, left, dynamic);
  reading.depth--;
  for (const key of ["store_array_source", "synthetic_source_keep"]) {
    if (left.has(key)) throw unsupported(`${key} of field [${path}]`);
  }
  reading.unknown?.push(...left);
  if (left.size > 0 && reading.unknown === undefined) {
    const unknown = [...left].map((key) => `[${key} : ${javaText(json[key])}]`).join(" ");
    throw mapperParsing(`Mapping definition for [${name}] has unsupported parameters:  ${unknown}`);
  }
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
