/** What parsing a document collects beside its fields: errors' places, ignored names, and what the mapping does not have yet. */
import { EngineError, mapperParsing } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import type { LuceneDoc } from "../segment/types.ts";
import type { ElementType } from "../vectors/types.ts";
import type { DocBuffer } from "./doc-buffer.ts";
import { type DocPlace, failedToParse } from "./document-errors.ts";
import { ValueError } from "./fields/common.ts";
import { inferredDims } from "./fields/vector-values.ts";
import { makeLeaf } from "./leaf.ts";
import { countNodes, tooManyFields, totalFieldsLimit } from "./limits.ts";
import type { IndexMapping } from "./mapping.ts";
import type { LeafNode, MappingTree, Node, ObjectNode } from "./model.ts";
import type { RuntimeField } from "./runtime.ts";

export interface AddedLeaf {
  readonly node: LeafNode;
  /** The mapping that the first value asked for, to compare that of later values with. */
  readonly json: string;
  readonly template: boolean;
  values: number;
}

export interface State {
  readonly mapping: IndexMapping;
  readonly id: string;
  readonly source: JsonObject;
  readonly path: (string | number)[];
  readonly docs: LuceneDoc[];
  readonly ignored: Set<string>;
  readonly fieldNames: Map<DocBuffer, Set<string>>;
  nestedDocs: number;
  /** Where to a value is being copied. */
  copying: string | undefined;
  // What the mapping does not have yet.
  readonly leaves: Map<string, AddedLeaf>;
  readonly objects: Map<string, ObjectNode>;
  /** Fields that exist and change (vectors that learn their dimensions). */
  readonly changed: Map<string, LeafNode>;
  readonly runtime: Map<string, RuntimeField>;
  addedNodes: number;
  /** An array of numbers turned out to be a vector. */
  vectors: boolean;
  /** The first merge conflict among new fields: told after everything else was parsed. */
  conflict: EngineError | undefined;
}

export function newState(mapping: IndexMapping, doc: { id: string; source: JsonObject }): State {
  return {
    mapping,
    id: doc.id,
    source: doc.source,
    path: [],
    docs: [],
    ignored: new Set(),
    fieldNames: new Map(),
    nestedDocs: 0,
    copying: undefined,
    leaves: new Map(),
    objects: new Map(),
    changed: new Map(),
    runtime: new Map(),
    addedNodes: 0,
    vectors: false,
    conflict: undefined,
  };
}

/** Where the parser is. */
export function place(state: State): DocPlace {
  const { source: root, path, copying } = state;
  return copying === undefined ? { root, path } : { root, path, copiedTo: copying.slice(copying.lastIndexOf(".") + 1) };
}

/** A vector field without dimensions takes those of the first vector. */
export function withDims(state: State, leaf: LeafNode, value: JsonValue): LeafNode {
  const known = state.changed.get(leaf.path);
  if (known !== undefined) return known;
  const elementType = leaf.values.get("element_type") as ElementType | undefined;
  const dims = inferredDims(value, elementType ?? "float");
  if (dims === undefined) return leaf;
  const { context } = state.mapping;
  const changed = asMapping(() =>
    makeLeaf({
      place: { name: leaf.name, path: leaf.path, nestedPath: leaf.field.nestedPath, context, multiField: false },
      fieldType: leaf.fieldType,
      values: new Map(leaf.values).set("dims", dims),
      fields: leaf.fields,
      copyTo: leaf.copyTo,
    }),
  );
  state.changed.set(leaf.path, changed);
  return changed;
}

/** What is wrong with the dimensions of a vector is an error of the mapping that it asks for. */
function asMapping(make: () => LeafNode): LeafNode {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const own = mapperParsing(`Failed to parse mapping: ${error.message}`, { cause: error });
    throw new ValueError(own, { asItIs: true });
  }
}

export function addLeaf(state: State, node: LeafNode, json: string, template: boolean): AddedLeaf {
  const added: AddedLeaf = { node, json, template, values: 0 };
  state.leaves.set(node.path, added);
  grow(state, countNodes(node));
  return added;
}

/** Counts new nodes; throws when they are too many. */
export function grow(state: State, nodes: number): void {
  state.addedNodes += nodes;
  const max = totalFieldsLimit(state.mapping.context);
  if (state.mapping.nodeCount + state.addedNodes > max) {
    throw failedToParse(tooManyFields(max, state.addedNodes) as EngineError, place(state));
  }
}

/** The tree with the document's new fields in their places. */
export function extendTree(state: State): MappingTree {
  const { tree } = state.mapping;
  const nodes: Node[] = [
    ...state.objects.values(),
    ...[...state.leaves.values()].map(({ node }) => state.changed.get(node.path) ?? node),
  ];
  for (const node of state.changed.values()) if (!state.leaves.has(node.path)) nodes.push(node);
  if (nodes.length === 0 && state.runtime.size === 0) return tree;
  let root = tree.root;
  for (const node of nodes) root = insert(root, node);
  return { ...tree, root, runtime: new Map([...tree.runtime, ...state.runtime]) };
}

function insert(parent: ObjectNode, node: Node): ObjectNode {
  const children = new Map(parent.children);
  const below = parent.path === "" ? node.path : node.path.slice(parent.path.length + 1);
  const first = parent.subobjects && below !== node.name ? below.slice(0, below.indexOf(".")) : below;
  const child = children.get(first);
  if (first === below) children.set(first, node);
  else if (child?.kind === "object") children.set(first, insert(child, node));
  return { ...parent, children };
}
