/** Fields of a mapping: reading their JSON, making them, printing and merging them. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import { emptyObject } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { javaClassOf } from "./java-errors.ts";
import { javaText } from "./java-text.ts";
import type { CreateFieldOptions, FieldType, LeafNode, MappingContext, ParameterValues } from "./model.ts";
import { type Parameter, sameValue } from "./parameters.ts";
import { fieldTypeOf } from "./registry.ts";

export interface LeafPlace {
  readonly name: string;
  readonly path: string;
  readonly nestedPath: string | undefined;
  readonly context: MappingContext;
  readonly multiField: boolean;
}

/** Parameters that Elasticsearch has and the engine refuses unless they ask for nothing. */
const UNSUPPORTED_PARAMETERS: ReadonlySet<string> = new Set([
  "script",
  "on_script_error",
  "time_series_dimension",
  "time_series_dimensions",
  "time_series_metric",
  "synthetic_source_keep",
]);

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

/** Reads a field. Throws whatever is wrong with it. */
export function parseLeaf(type: string, json: JsonObject, place: LeafPlace): LeafNode {
  const building: Building = {};
  const leaf = readLeaf(type, json, place, building);
  if (leaf === undefined) throw building.unfit;
  return leaf;
}

/** Keeps the first mistake in how parameters fit together, which is told when all are read. */
export interface Building {
  unfit?: Error | undefined;
}

/** Reads a field. @returns undefined where its parts do not fit together, which `building` has then */
export function readLeaf(type: string, json: JsonObject, place: LeafPlace, building: Building): LeafNode | undefined {
  const fieldType = fieldTypeOf(type, place.name);
  const values = new Map<string, unknown>();
  let fields = new Map<string, LeafNode>();
  let copyTo: string[] = [];
  let late: Error | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (key === "type") continue;
    if (key === "fields") {
      fields = parseMultiFields(value, place, building);
    } else if (key === "copy_to") {
      const targets: readonly JsonValue[] = Array.isArray(value) ? value : [value];
      if (targets.includes(null))
        throw new EngineError("null_pointer_exception", "null", { status: 500, noReason: true });
      copyTo = targets.map(javaText);
    } else {
      // Asking for no time series is asking for nothing.
      if (key === "time_series_dimension" && value === false) continue;
      const parameter = fieldType.parameters.find(({ name }) => name === key);
      if (parameter === undefined) throw unknownParameter(key, value, type, place.name);
      if (value === null && !parameter.acceptsNull) {
        throw mapperParsing(`[${key}] on mapper [${place.name}] of type [${type}] must not have a [null] value`);
      }
      try {
        values.set(key, parameter.read(value, { field: place.name, type, context: place.context }));
      } catch (error) {
        if (parameter.late !== true) throw error;
        late ??= error as Error;
      }
    }
  }
  const parts: LeafParts = { place, fieldType, values, fields, copyTo };
  fieldType.validate?.(optionsOf(parts));
  try {
    if (late !== undefined) throw late;
    return buildLeaf(parts);
  } catch (error) {
    building.unfit ??= error as Error;
    return undefined;
  }
}

function unknownParameter(key: string, value: JsonValue, type: string, field: string): Error {
  if (key === "boost") return mapperParsing(`Unknown parameter [boost] on mapper [${field}]`);
  if (UNSUPPORTED_PARAMETERS.has(key)) return unsupported(`${key} [${javaText(value)}] of field [${field}]`);
  return mapperParsing(`unknown parameter [${key}] on mapper [${field}] of type [${type}]`);
}

function parseMultiFields(json: JsonValue, place: LeafPlace, building: Building): Map<string, LeafNode> {
  const fields = new Map<string, LeafNode>();
  if (place.multiField) {
    throw illegalArgument(
      `Encountered a multi-field [${place.name}] which itself contains a multi-field. Defining chained multi-fields is not supported.`,
    );
  }
  if (Array.isArray(json) && json.length === 0) return fields;
  if (json === null) {
    const reason = 'Cannot invoke "Object.getClass()" because "propNode" is null';
    throw new EngineError("null_pointer_exception", reason, { status: 500 });
  }
  if (!isObject(json)) {
    const what = `property [fields] on field [${javaText(json)}] or [fields]`;
    throw mapperParsing(`expected map for ${what} but got a class ${javaClassOf(json)}`);
  }
  for (const name of Object.keys(json)) {
    const definition = json[name];
    if (name.includes(".")) {
      throw mapperParsing(`Field name [${name}] which is a multi field of [${place.name}] cannot contain '.'`);
    }
    if (!isObject(definition))
      throw mapperParsing(`illegal field [${name}], only fields can be specified inside fields`);
    if ((definition["type"] ?? null) === null) throw mapperParsing(`no type specified for property [${name}]`);
    const type = javaText(definition["type"]);
    if (type === "object" || type === "nested" || type === "alias") {
      throw mapperParsing(`Type [${type}] cannot be used in multi field`);
    }
    if (fieldTypeOf(type, name, "no").inMultiFields === false) {
      throw mapperParsing(`Field [${name}] of type [${type}] can't be used in multifields`);
    }
    const inner = { ...place, name, path: `${place.path}.${name}`, multiField: true };
    const leaf = readLeaf(type, definition, inner, building);
    if (leaf !== undefined) fields.set(name, leaf);
  }
  return fields;
}

interface LeafParts {
  readonly place: LeafPlace;
  readonly fieldType: FieldType;
  readonly values: ParameterValues;
  readonly fields: ReadonlyMap<string, LeafNode>;
  readonly copyTo: readonly string[];
}

function optionsOf({ place, fieldType, values, fields, copyTo }: LeafParts): CreateFieldOptions {
  return {
    name: place.name,
    path: place.path,
    nestedPath: place.nestedPath,
    get: <T>(name: string) => parameterValue(fieldType, values, name, place.context) as T,
    has: (name) => values.has(name),
    context: place.context,
    printed: () => printLeaf(fieldType, values, fields, copyTo, place.context),
  };
}

/** Makes a field of its parameters; throws when they do not fit together. */
export function makeLeaf(parts: LeafParts): LeafNode {
  parts.fieldType.validate?.(optionsOf(parts));
  return buildLeaf(parts);
}

function buildLeaf(parts: LeafParts): LeafNode {
  const { place, fieldType, values, fields, copyTo } = parts;
  const options = optionsOf(parts);
  for (const [what, given] of [
    ["fields", fields.size > 0],
    ["copy_to", copyTo.length > 0],
  ] as const) {
    const refusal = given ? fieldType.refuses?.(what, place.name) : undefined;
    if (refusal !== undefined) throw refusal;
  }
  const field = fieldType.create(options);
  return { kind: "leaf", name: place.name, path: place.path, fieldType, values, fields, copyTo, field };
}

function parameterValue(type: FieldType, values: ParameterValues, name: string, context: MappingContext): unknown {
  if (values.has(name)) return values.get(name);
  const parameter = type.parameters.find((p) => p.name === name) as Parameter;
  return parameter.default((other) => parameterValue(type, values, other, context), context);
}

function printLeaf(
  type: FieldType,
  values: ParameterValues,
  fields: ReadonlyMap<string, LeafNode>,
  copyTo: readonly string[],
  context: MappingContext,
): { [key: string]: JsonValue } {
  const json = emptyObject();
  json["type"] = type.type;
  const get = (name: string) => parameterValue(type, values, name, context);
  for (const parameter of type.parameters) {
    const value = get(parameter.name);
    if (value === undefined) continue;
    const configured = values.has(parameter.name) && !sameValue(value, parameter.default(get, context));
    if (configured || parameter.always?.(get) === true) json[parameter.name] = parameter.print(value);
  }
  if (fields.size > 0) {
    const printed = emptyObject();
    for (const name of [...fields.keys()].sort()) printed[name] = (fields.get(name) as LeafNode).field.toJson();
    json["fields"] = printed;
  }
  if (copyTo.length > 0) json["copy_to"] = [...copyTo];
  return json;
}

/** Merges an update into a field of the same path; throws Elasticsearch's conflict error. */
export function mergeLeaf(current: LeafNode, update: LeafNode, context: MappingContext): LeafNode {
  if (current.fieldType.type !== update.fieldType.type) {
    throw illegalArgument(
      `mapper [${current.path}] cannot be changed from type [${current.fieldType.type}] to [${update.fieldType.type}]`,
    );
  }
  const conflicts: string[] = [];
  for (const parameter of current.fieldType.parameters) {
    const from = parameterValue(current.fieldType, current.values, parameter.name, context);
    const to = parameterValue(update.fieldType, update.values, parameter.name, context);
    if (sameValue(from, to)) continue;
    const allowed = parameter.canMerge === undefined ? parameter.updateable : parameter.canMerge(from, to);
    if (!allowed) {
      conflicts.push(
        `Cannot update parameter [${parameter.name}] from [${parameter.show(from)}] to [${parameter.show(to)}]`,
      );
    }
  }
  if (conflicts.length > 0) {
    throw illegalArgument(`Mapper for [${current.path}] conflicts with existing mapper:\n\t${conflicts.join("\n\t")}`);
  }
  const fields = new Map(current.fields);
  for (const [name, field] of update.fields) {
    const existing = fields.get(name);
    fields.set(name, existing === undefined ? field : mergeLeaf(existing, field, context));
  }
  return makeLeaf({
    place: { name: current.name, path: current.path, nestedPath: current.field.nestedPath, context, multiField: false },
    fieldType: current.fieldType,
    values: update.values,
    fields,
    copyTo: update.copyTo,
  });
}
