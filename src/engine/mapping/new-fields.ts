/** Fields that a document brings and the mapping does not have: what they become. */
import { EngineError, illegalArgument, mapperParsing } from "../errors.ts";
import type { JsonValue } from "../json/types.ts";
import { aliasError, failedToParse } from "./document-errors.ts";
import { addLeaf, grow, place, type State } from "./document-state.ts";
import { dynamicObject, dynamicScalar } from "./dynamic.ts";
import { mergeLeaf, parseLeaf } from "./leaf.ts";
import { notAnObject } from "./merge.ts";
import type { LeafNode, Node, ObjectNode } from "./model.ts";
import { parseObjectNode, ROOT } from "./parse-mapping.ts";
import { isFieldType } from "./registry.ts";
import { parseRuntimeField } from "./runtime.ts";

/** An array of as many floats in a new field is a vector to Elasticsearch. */
export const MIN_VECTOR_DIMS = 128;
const MAX_VECTOR_DIMS = 4096;

export function childPath(node: ObjectNode, name: string): string {
  return node.path === "" ? name : `${node.path}.${name}`;
}

/** Makes a vector of a new field of floats. What it holds was read as numbers: the document is read again. */
export function becomeVector(state: State, parent: ObjectNode, name: string, dims: number): void {
  const path = childPath(parent, name);
  const added = state.leaves.get(path);
  if (added === undefined || added.template || added.node.fieldType.type !== "float" || state.conflict !== undefined)
    return;
  if (added.values < MIN_VECTOR_DIMS || dims > MAX_VECTOR_DIMS) return;
  const { context } = state.mapping;
  const json = { type: "dense_vector", dims };
  const node = parseLeaf(json.type, json, { name, path, nestedPath: parent.nestedPath, context, multiField: false });
  state.leaves.set(path, { ...added, node, json: json.type });
  state.vectors = true;
}

/** Where all fields are runtime fields no object is mapped: its fields have full names. */
export function passedObject(parent: ObjectNode, name: string, path: string): ObjectNode {
  return { ...ROOT, name, path, nestedPath: parent.nestedPath, passed: true, children: new Map() };
}

export function newObject(state: State, parent: ObjectNode, name: string, path: string): Node {
  const { options } = state.mapping.tree;
  const fromTemplate = dynamicObject(path, name, options);
  if (fromTemplate !== undefined) {
    return parseObjectNode(name, path, fromTemplate.json, parent, state.mapping.context);
  }
  return { ...ROOT, name, path, nestedPath: parent.nestedPath, children: new Map() };
}

export interface NewValue {
  readonly name: string;
  readonly path: string;
  readonly value: JsonValue;
  /** `dynamic: runtime`. */
  readonly asRuntime: boolean;
}

/** What is wrong with a template's mapping is an error of the document. */
function fromTemplate<T>(state: State, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    throw failedToParse(error, place(state));
  }
}

/** The field of a value that is neither list nor object; undefined where there is none to put it into. */
export function newLeaf(
  state: State,
  parent: ObjectNode,
  { name, path, value, asRuntime }: NewValue,
): LeafNode | undefined {
  if (state.objects.has(path)) {
    state.conflict ??= notAnObject(path);
    return undefined;
  }
  const { context, tree } = state.mapping;
  const { json, template, runtime } = dynamicScalar(path, name, value, tree.options, asRuntime);
  if (runtime) {
    // Of several values in a document the last one says the type.
    if (!state.runtime.has(path)) grow(state, 1);
    state.runtime.set(path, parseRuntimeField(path, json, context));
    return undefined;
  }
  if (parent.passed) {
    throw new EngineError("illegal_state_exception", `Missing intermediate object ${path.split(".")[0]}`, {
      status: 500,
    });
  }
  const printed = JSON.stringify(json);
  const leafPlace = { name, path, nestedPath: parent.nestedPath, context, multiField: false };
  let added = state.leaves.get(path);
  if (added === undefined) {
    const type = json["type"];
    if (type === "object" || type === "nested") {
      throw failedToParse(
        illegalArgument(`Can't create a field of type [${type}] from a concrete value`),
        place(state),
      );
    }
    if (type === "alias") throw aliasError(path, value, place(state));
    if (!isFieldType(String(type))) {
      throw failedToParse(
        mapperParsing(`failed to find type parsed [${template?.type ?? type}] for [${name}]`),
        place(state),
      );
    }
    const node = fromTemplate(state, () => parseLeaf(String(type), json, leafPlace));
    added = addLeaf(state, node, printed, template !== undefined);
  } else if (added.json !== printed) {
    const other = parseLeaf(String(json["type"]), json, leafPlace);
    try {
      mergeLeaf(added.node, other, context);
    } catch (error) {
      state.conflict ??= error as EngineError;
      return undefined;
    }
  }
  added.values++;
  return added.node;
}
