/**
 * Parsing a document along the mapping: each value goes to its field, unknown fields get a type, nested objects become documents of their
 * own. The source is walked once; the path to the current value is kept for error messages only.
 */
import { type EngineError, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import type { DocBlock, LuceneDoc } from "../segment/types.ts";
import { addOrdinal, addTerm, type DocBuffer, finishDoc, newDocBuffer } from "./doc-buffer.ts";
import {
  aliasError,
  dottedObject,
  emptyName,
  failedToParse,
  fieldError,
  metadataError,
  placedError,
  strictError,
} from "./document-errors.ts";
import { addLeaf, extendTree, grow, newState, place, type State, withDims } from "./document-state.ts";
import { javaText } from "./java-text.ts";
import { isObject } from "./leaf.ts";
import { countNodes, depthLimit, depthOf, nestedObjectsLimit, tooDeep } from "./limits.ts";
import type { IndexMapping } from "./mapping.ts";
import { notAField } from "./merge.ts";
import { FIELD_NAMES, IGNORED, RESERVED_NAMES, ROUTING } from "./metadata.ts";
import type { Dynamic, LeafNode, MappingTree, Node, ObjectNode } from "./model.ts";
import { becomeVector, childPath, MIN_VECTOR_DIMS, newLeaf, newObject, passedObject } from "./new-fields.ts";

export interface ParsedDocument {
  readonly block: DocBlock;
  /** The mapping's tree, or a new one when the document brought fields. */
  readonly tree: MappingTree;
  /** Arrays of numbers turned out to be vectors: the document is to be read again by the new tree. */
  readonly again: boolean;
}

export interface ParsedInput {
  readonly id: string;
  readonly source: JsonObject;
  readonly seqNo: number;
  readonly version: number;
  readonly routing?: string | undefined;
}

export function parseDocument(mapping: IndexMapping, doc: ParsedInput): ParsedDocument {
  const state = newState(mapping, doc);
  const root = newDocBuffer();
  const { tree } = mapping;
  if (tree.root.enabled) parseProperties(state, tree.root, doc.source, root, tree.root.dynamic ?? "true");
  if (state.conflict !== undefined) throw state.conflict;
  for (const name of state.ignored) {
    addTerm(root, IGNORED, name);
    addOrdinal(root, IGNORED, name);
  }
  if (doc.routing !== undefined) {
    addTerm(root, ROUTING, doc.routing);
    addTerm(root, FIELD_NAMES, ROUTING.name);
  }
  state.docs.push(finish(state, root));
  return {
    block: { id: doc.id, seqNo: doc.seqNo, version: doc.version, docs: state.docs },
    tree: extendTree(state),
    again: state.vectors,
  };
}

/** A field that the document brings. */
function addedLeaf({ leaves }: State, path: string): LeafNode | undefined {
  for (const { node } of leaves.values()) {
    if (node.path === path) return node;
    for (const field of node.fields.values()) if (field.path === path) return field;
  }
  return undefined;
}

function finish(state: State, buffer: DocBuffer): LuceneDoc {
  buffer.fieldOf = (path) => (state.mapping.leaf(path) ?? addedLeaf(state, path))?.field;
  for (const add of buffer.later ?? []) add();
  const names = state.fieldNames.get(buffer);
  if (names !== undefined) for (const name of names) addTerm(buffer, FIELD_NAMES, name);
  return finishDoc(buffer);
}

function parseProperties(state: State, node: ObjectNode, json: JsonObject, buffer: DocBuffer, dynamic: Dynamic): void {
  for (const key of Object.keys(json)) {
    const value = json[key];
    state.path.push(key);
    if (node.path === "" && RESERVED_NAMES.has(key)) throw metadataError(key, value, place(state), state.id);
    if (node.path === "" && key === "_doc_count") throw unsupported("the field _doc_count in documents");
    const child = node.children.get(key);
    if (child !== undefined) parseChild(state, child, value, buffer, dynamic);
    else parseUnmapped(state, node, key, value, buffer, dynamic);
    state.path.pop();
  }
}

function parseChild(state: State, child: Node, value: JsonValue, buffer: DocBuffer, dynamic: Dynamic): void {
  if (child.kind === "leaf") parseLeafValue(state, child, value, buffer);
  else if (child.kind === "alias") refuseAlias(state, child.path, value);
  else parseObjectValue(state, child, value, buffer, child.dynamic ?? dynamic, child.name);
}

function refuseAlias(state: State, path: string, value: JsonValue): void {
  if (!Array.isArray(value)) throw aliasError(path, value, place(state));
  for (let i = 0; i < value.length; i++) {
    state.path.push(i);
    refuseAlias(state, path, value[i]);
    state.path.pop();
  }
}

/** A key that is not a child of its object: a dotted path, or a new field. */
function parseUnmapped(
  state: State,
  node: ObjectNode,
  key: string,
  value: JsonValue,
  buffer: DocBuffer,
  dynamic: Dynamic,
): void {
  if (key.trim() === "") {
    if (key === "") throw emptyName("field name cannot be an empty string", place(state));
    const path = node.path === "" ? key : `${node.path}.${key}`;
    throw placedError(`Field name cannot contain only whitespace: [${path}]`, place(state), "key");
  }
  if (!node.subobjects || !key.includes(".")) {
    parseNewOrAdded(state, node, key, value, buffer, dynamic);
    return;
  }
  // Java's split drops empty parts at the end.
  const parts = key.replace(/\.+$/, "").split(".");
  if (parts.length === 1 && parts[0] === "") throw emptyName("field name cannot contain only dots", place(state));
  for (const part of parts) {
    if (part === "") throw emptyName(`field name cannot contain only whitespace: ['${key}']`, place(state));
    if (part.trim() === "") {
      throw emptyName(
        `field name starting or ending with a [.] makes object resolution ambiguous: [${key}]`,
        place(state),
      );
    }
  }
  parseParts(state, node, parts, value, buffer, dynamic);
}

function parseParts(
  state: State,
  node: ObjectNode,
  parts: readonly string[],
  value: JsonValue,
  buffer: DocBuffer,
  dynamic: Dynamic,
): void {
  const name = node.subobjects ? parts[0] : parts.join(".");
  const inner: JsonValue = node.subobjects && parts.length > 1 ? dottedObject(parts.slice(1).join("."), value) : value;
  const child = node.children.get(name);
  if (child === undefined) parseNewOrAdded(state, node, name, inner, buffer, dynamic, inner !== value);
  else if (child.kind === "object" && inner !== value) {
    if (child.enabled)
      inObject(state, child, buffer, child.dynamic ?? dynamic, (doc, below) =>
        parseParts(state, child, parts.slice(1), value, doc, below),
      );
  } else parseChild(state, child, inner, buffer, dynamic);
}

function inObject(
  state: State,
  node: ObjectNode,
  buffer: DocBuffer,
  dynamic: Dynamic,
  parse: (doc: DocBuffer, dynamic: Dynamic) => void,
): void {
  if (!node.nested) {
    parse(buffer, dynamic);
    return;
  }
  const max = nestedObjectsLimit(state.mapping.context);
  if (++state.nestedDocs > max) {
    throw placedError(
      `The number of nested documents has exceeded the allowed limit of [${max}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`,
      place(state),
    );
  }
  const nested = newDocBuffer(node.path, buffer);
  parse(nested, dynamic);
  state.docs.push(finish(state, nested));
}

function parseObjectValue(
  state: State,
  node: ObjectNode,
  value: JsonValue,
  buffer: DocBuffer,
  dynamic: Dynamic,
  field: string | null,
): void {
  if (!node.enabled || value === null) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      state.path.push(i);
      parseObjectValue(state, node, value[i], buffer, dynamic, null);
      state.path.pop();
    }
    return;
  }
  if (!isObject(value)) {
    throw placedError(
      `object mapping for [${node.path}] tried to parse field [${field}] as object, but found a concrete value`,
      place(state),
    );
  }
  inObject(state, node, buffer, dynamic, (doc, below) => parseProperties(state, node, value, doc, below));
}

function parseLeafValue(state: State, leaf: LeafNode, value: JsonValue, buffer: DocBuffer): void {
  if (Array.isArray(value) && leaf.field.takesStructures !== true) {
    for (let i = 0; i < value.length; i++) {
      state.path.push(i);
      parseLeafValue(state, leaf, value[i], buffer);
      state.path.pop();
    }
    return;
  }
  indexValue(state, leaf, value, buffer);
  const { valuesOfFields } = leaf.field;
  for (const field of leaf.fields.values()) {
    const values = valuesOfFields === undefined ? [value] : valuesOfFields(value, field.fieldType.type);
    for (const each of values) indexValue(state, field, each, buffer);
  }
  if (leaf.copyTo.length > 0 && state.copying === undefined) {
    for (const target of leaf.copyTo) {
      state.copying = target;
      copyValue(state, target, value, buffer);
    }
    state.copying = undefined;
  }
}

function indexValue(state: State, mapped: LeafNode, given: JsonValue, buffer: DocBuffer): void {
  const value = given ?? mapped.field.nullValue ?? null;
  if (value === null && mapped.field.readsNull !== true) return;
  let leaf = mapped;
  try {
    if (leaf.fieldType.type === "dense_vector" && leaf.field.vector === undefined) leaf = withDims(state, leaf, value);
    const { field } = leaf;
    const ignored = field.addValue(buffer, value);
    if (field.family === "text" && field.indexed && state.mapping.contextPaths.has(leaf.path))
      keepText(buffer, leaf.path, value);
    if (ignored) state.ignored.add(leaf.path);
    const named = ignored === false || (ignored === true && field.namesIgnored === true);
    if (named && field.existsBy === "_field_names" && field.recordsName) {
      const names = state.fieldNames.get(buffer);
      if (names === undefined) state.fieldNames.set(buffer, new Set([leaf.path]));
      else names.add(leaf.path);
    }
  } catch (error) {
    throw fieldError(error, leaf, given, place(state), state.id);
  }
}

function keepText(buffer: DocBuffer, path: string, value: JsonValue): void {
  buffer.texts ??= new Map();
  const texts = buffer.texts.get(path);
  if (texts === undefined) buffer.texts.set(path, [javaText(value)]);
  else texts.push(javaText(value));
}

/** `copy_to`: the value goes to the target as if the document had it there, in the closest document whose nested path encloses it. */
function copyValue(state: State, target: string, value: JsonValue, buffer: DocBuffer): void {
  let doc = buffer;
  while (doc.parent !== undefined && !target.startsWith(`${doc.nestedPath}.`)) doc = doc.parent;
  const { tree } = state.mapping;
  let node: ObjectNode = tree.root;
  let dynamic: Dynamic = node.dynamic ?? "true";
  const parts = target.split(".");
  let at = 0;
  while (node.subobjects && at < parts.length - 1) {
    const path = parts.slice(0, at + 1).join(".");
    const child: Node | undefined = node.children.get(parts[at]) ?? state.objects.get(path);
    if (child?.kind !== "object") break;
    node = child;
    dynamic = node.dynamic ?? dynamic;
    at++;
  }
  if (!node.enabled) return;
  parseParts(state, node, parts.slice(at), value, doc, dynamic);
}

/** A field that the mapping does not have; the document may have brought it already. `dotted` values are parts of a dotted key. */
function parseNewOrAdded(
  state: State,
  node: ObjectNode,
  name: string,
  value: JsonValue,
  buffer: DocBuffer,
  dynamic: Dynamic,
  dotted = false,
): void {
  const path = childPath(node, name);
  const isRuntime = state.mapping.tree.runtime.has(path);
  // What a runtime field reads is not mapped; objects beside it are.
  if (isRuntime && !isObject(value) && !Array.isArray(value)) return;
  if (isRuntime && Array.isArray(value)) {
    parseEach(state, node, name, value, buffer, dynamic);
    return;
  }
  if (dynamic === "strict") {
    throw strictError(name, node.path === "" ? "_doc" : node.path, place(state), dotted ? "key" : "start");
  }
  if (dynamic === "false" || value === null) return;
  if (Array.isArray(value)) {
    parseEach(state, node, name, value, buffer, dynamic);
    if (value.length >= MIN_VECTOR_DIMS) becomeVector(state, node, name, value.length);
    return;
  }
  if (isObject(value)) parseNewObject(state, node, name, path, value, buffer, dynamic, dotted);
  else parseNewScalar(state, node, name, path, value, buffer, dynamic);
}

function parseEach(
  state: State,
  node: ObjectNode,
  name: string,
  values: readonly JsonValue[],
  buffer: DocBuffer,
  dynamic: Dynamic,
): void {
  for (let i = 0; i < values.length; i++) {
    state.path.push(i);
    parseNewOrAdded(state, node, name, values[i], buffer, dynamic);
    state.path.pop();
  }
}

function parseNewObject(
  state: State,
  parent: ObjectNode,
  name: string,
  path: string,
  value: JsonObject,
  buffer: DocBuffer,
  dynamic: Dynamic,
  dotted: boolean,
): void {
  const leaf = state.leaves.get(path);
  if (leaf !== undefined) {
    state.conflict ??= notAField(path, leaf.node.fieldType.type);
    return;
  }
  let node = dynamic === "runtime" ? passedObject(parent, name, path) : state.objects.get(path);
  if (node === undefined) {
    const made = newObject(state, parent, name, path);
    if (made.kind === "alias") throw aliasError(path, value, place(state));
    if (made.kind === "leaf") {
      addLeaf(state, made, "template", true);
      parseLeafValue(state, made, value, buffer);
      return;
    }
    node = made;
    state.objects.set(path, node);
    grow(state, countNodes(node));
    const max = depthLimit(state.mapping.context);
    if (depthOf(path) > max) throw failedToParse(tooDeep(max, path) as EngineError, place(state));
  }
  const object = node;
  if (!object.enabled) return;
  const below = object.dynamic ?? dynamic;
  if (dotted) {
    const key = Object.keys(value)[0];
    inObject(state, object, buffer, below, (doc, deeper) =>
      parseParts(state, object, key.split("."), value[key], doc, deeper),
    );
  } else {
    parseObjectValue(state, object, value, buffer, below, name);
  }
}

function parseNewScalar(
  state: State,
  parent: ObjectNode,
  name: string,
  path: string,
  value: JsonValue,
  buffer: DocBuffer,
  dynamic: Dynamic,
): void {
  const node = newLeaf(state, parent, { name, path, value, asRuntime: dynamic === "runtime" });
  if (node !== undefined) parseLeafValue(state, node, value, buffer);
}
