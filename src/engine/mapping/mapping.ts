/** A mapping at one moment: a tree, and the tables that make look-ups cheap. */

import { EngineError, illegalArgument, mapperParsing } from "../errors.ts";
import { emptyObject } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";
import { checkCopies, copiesOf } from "./copy-to.ts";
import { parseDocument } from "./document.ts";
import { checkLimits, countNodes } from "./limits.ts";
import { mergeTrees } from "./merge.ts";
import { METADATA_FIELDS, METADATA_NAMES, RESERVED_NAMES } from "./metadata.ts";
import type {
  AliasNode,
  ExistsBy,
  IndexedField,
  LeafNode,
  MappingContext,
  MappingTree,
  Node,
  ObjectNode,
} from "./model.ts";
import { parseTree } from "./parse-mapping.ts";
import { parseRuntimeFields, type RuntimeField } from "./runtime.ts";
import { keepsSource, keptSource, printSourceOptions } from "./source-options.ts";
import type { MappedField, Mapping } from "./types.ts";

/** A mapping with what this folder knows beyond the contract. */
export interface IndexMapping extends Mapping {
  readonly tree: MappingTree;
  readonly context: MappingContext;
  /** The leaf of a path; multi-fields included, metadata fields not. */
  leaf(path: string): LeafNode | undefined;
  /** Fields whose values are contexts of completions. */
  readonly contextPaths: ReadonlySet<string>;
  readonly nodeCount: number;
}

/** Reads a mapping. Throws Elasticsearch's errors. @param accepted it is that of an index which there is already */
export function parseMapping(json: JsonObject | undefined, context: MappingContext, accepted = false): IndexMapping {
  const parsed = parseTree(json ?? emptyObject(), accepted ? { ...context, accepted } : context);
  const tree = { ...parsed, runtime: presentRuntime(parsed.runtime) };
  if (!accepted) checkTree(tree);
  checkLimits(tree, context, 0);
  return makeMapping(tree, context);
}

function presentRuntime(given: MappingTree["runtime"]): Map<string, RuntimeField> {
  return new Map([...given].filter((entry): entry is [string, RuntimeField] => entry[1] !== null));
}

export function emptyMapping(context: MappingContext): IndexMapping {
  return parseMapping(undefined, context);
}

/** How an `exists` query finds the documents that have a field. */
export function existsBy(field: MappedField): ExistsBy {
  return (field as Partial<IndexedField>).existsBy ?? (field.hasDocValues ? "docValues" : "_field_names");
}

/** What can be said only of the whole tree. */
function checkTree({ root }: MappingTree): void {
  for (const name of root.children.keys()) {
    if (RESERVED_NAMES.has(name)) throw mapperParsing(`Field [${name}] is defined more than once`);
  }
  checkCopies(root);
}

function checkAliases(
  aliases: ReadonlyMap<string, AliasNode>,
  leaves: ReadonlyMap<string, LeafNode>,
  runtime: ReadonlyMap<string, RuntimeField>,
): void {
  for (const { path, target, nestedPath } of aliases.values()) {
    const invalid = `Invalid [path] value [${target}] for field alias [${path}]: an alias`;
    if (target === path) throw mapperParsing(`${invalid} cannot refer to itself.`);
    if (aliases.has(target)) throw mapperParsing(`${invalid} cannot refer to another alias.`);
    const leaf = leaves.get(target);
    if (leaf === undefined && runtime.has(target)) continue;
    if (leaf === undefined) throw mapperParsing(`${invalid} must refer to an existing field in the mappings.`);
    const scope = leaf.field.nestedPath;
    if (scope === nestedPath) continue;
    const own = nestedPath === undefined ? "The alias is not nested" : `The alias's nested scope is [${nestedPath}]`;
    const other = scope === undefined ? "the target is not nested" : `the target's nested scope is [${scope}]`;
    throw illegalArgument(`${invalid} must have the same nested scope as its target. ${own}, but ${other}.`);
  }
}

/** @throws where a place is to be read from something else (GeoContextMapping.validateReferences) */
function pathsOfContexts(leaves: ReadonlyMap<string, LeafNode>): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { field } of leaves.values()) {
    for (const { type, name, path } of field.completion?.contexts ?? []) {
      if (path === undefined) continue;
      paths.add(path);
      if (type !== "geo") continue;
      const target = leaves.get(path)?.field.type;
      const about = `field [${path}] referenced in context [${name}]`;
      if (target === undefined) {
        throw new EngineError("parse_exception", `${about} is not defined in the mapping`);
      }
      if (target !== "geo_point") {
        throw new EngineError("parse_exception", `${about} must be mapped to geo_point, found [${target}]`);
      }
    }
  }
  return paths;
}

export function makeMapping(tree: MappingTree, context: MappingContext): IndexMapping {
  const leaves = new Map<string, LeafNode>();
  const objects = new Map<string, ObjectNode>();
  const aliases = new Map<string, AliasNode>();
  const collect = (node: Node): void => {
    if (node.kind === "object") {
      if (node.path !== "") objects.set(node.path, node);
      for (const child of node.children.values()) collect(child);
    } else if (node.kind === "alias") {
      aliases.set(node.path, node);
    } else {
      leaves.set(node.path, node);
      for (const field of node.fields.values()) leaves.set(field.path, field);
    }
  };
  collect(tree.root);
  const runtime = presentRuntime(tree.runtime);
  checkAliases(aliases, leaves, runtime);
  const contextPaths = pathsOfContexts(leaves);
  const fieldOf = (name: string): MappedField | undefined => {
    const real = aliases.get(name)?.target ?? name;
    return runtime.get(name) ?? runtime.get(real) ?? leaves.get(real)?.field ?? keyedField(name);
  };
  const keyedField = (name: string): MappedField | undefined => {
    for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
      const field = leaves.get(aliases.get(name.slice(0, dot))?.target ?? name.slice(0, dot))?.field;
      if (field?.keyed !== undefined) return field.keyed(name.slice(dot + 1));
    }
    return undefined;
  };
  const nestedPaths = [...objects.values()].filter(({ nested }) => nested).map(({ path }) => path);
  let all: readonly MappedField[] | undefined;
  const fields = () => {
    const indexed = [...leaves.values()].map(({ field }) => field);
    all ??= runtime.size === 0 ? indexed : [...indexed.filter(({ name }) => !runtime.has(name)), ...runtime.values()];
    return all;
  };
  let json: JsonObject | undefined;
  let copies: ReadonlyMap<string, readonly string[]> | undefined;
  const mapping: IndexMapping = {
    tree,
    context,
    contextPaths,
    nodeCount: countNodes(tree.root) + runtime.size,
    leaf: (path) => leaves.get(path),
    field: (name) => fieldOf(name) ?? METADATA_FIELDS.get(name),
    matchingFields: (pattern) => {
      if (!pattern.includes("*")) {
        const field = fieldOf(pattern);
        return field === undefined ? [] : [field];
      }
      if (pattern === "*") return fields();
      const matched = fields().filter(({ name }) => matchesSimple(pattern, name));
      if (aliases.size === 0) return matched;
      // A field is there once, by whichever of its names.
      const all = new Set(matched);
      for (const { path, target } of aliases.values()) {
        const field = matchesSimple(pattern, path) ? fieldOf(target) : undefined;
        if (field !== undefined) all.add(field);
      }
      return [...all];
    },
    fields,
    names: (pattern) => {
      if (!pattern.includes("*")) return fieldOf(pattern) === undefined ? [] : [pattern];
      return [...leaves.keys(), ...aliases.keys()].filter((name) => matchesSimple(pattern, name));
    },
    sourcePaths: (name) => {
      copies ??= copiesOf(leaves.values());
      const path = aliases.get(name)?.target ?? name;
      const above = path.slice(0, Math.max(path.lastIndexOf("."), 0));
      const own = leaves.has(path) && leaves.has(above) ? above : path;
      return copies.get(own) ?? [own];
    },
    definitions: (pattern) => {
      const found = [...leaves.values(), ...aliases.values()].map((node) => ({
        path: node.path,
        json: { [node.name]: printNode(node) },
      }));
      const metadata = METADATA_NAMES.map((path) => ({ path, json: {} }));
      return [...found, ...metadata].filter(({ path }) => matchesSimple(pattern, path));
    },
    object: (path) => {
      const node = objects.get(path);
      return node === undefined ? undefined : { path, nested: node.nested };
    },
    nestedPathOf: (path) => {
      for (let at = path; at !== ""; at = at.slice(0, Math.max(at.lastIndexOf("."), 0))) {
        const node = objects.get(at);
        if (node !== undefined) return node.nestedPath;
      }
      return undefined;
    },
    nestedPaths: () => nestedPaths,
    toJson: () => {
      json ??= printTree(tree);
      return json;
    },
    withRuntime: (json) => {
      const fields = parseRuntimeFields(json, context);
      for (const [name, field] of fields) {
        if (field !== null) continue;
        const reason = `Runtime field [${name}] was set to null but its removal is not supported in this context`;
        throw mapperParsing(reason);
      }
      if (fields.size === 0) return mapping;
      return makeMapping({ ...tree, runtime: presentRuntime(new Map([...tree.runtime, ...fields])) }, context);
    },
    routingRequired: tree.options.routingRequired ?? false,
    keepsSource: keepsSource(tree.options.source),
    keptSource: (bytes) => keptSource(bytes, tree.options.source),
    runtimeFields: () => [...runtime.values()],
    merge: (update) => {
      const updateTree = parseTree(update, context);
      const merged = mergeTrees(tree, updateTree, context);
      checkTree(merged);
      checkLimits(merged, context, countNodes(tree.root));
      return makeMapping(merged, context);
    },
    parse: (doc) => {
      const { block, tree: next, again } = parseDocument(mapping, doc);
      if (again) return makeMapping(next, context).parse(doc);
      return { block, mapping: next === tree ? mapping : makeMapping(next, context) };
    },
  };
  return mapping;
}

function printTree({ root, options, runtime }: MappingTree): JsonObject {
  const json = emptyObject();
  if (root.dynamic !== undefined) json["dynamic"] = root.dynamic;
  if (root.enabledSet && !root.enabled) json["enabled"] = false;
  if (root.subobjectsSet) json["subobjects"] = root.subobjects;
  if (options.routingRequired === true) json["_routing"] = { required: true };
  const source = options.source && printSourceOptions(options.source);
  if (source !== undefined) json["_source"] = source;
  if (options.meta !== undefined) json["_meta"] = options.meta;
  if (options.dynamicDateFormats !== undefined) json["dynamic_date_formats"] = options.dynamicDateFormats;
  if (options.dynamicTemplates !== undefined && options.dynamicTemplates.length > 0) {
    json["dynamic_templates"] = options.dynamicTemplates.map((template) => template.json);
  }
  if (options.dateDetection !== undefined) json["date_detection"] = options.dateDetection;
  if (options.numericDetection !== undefined) json["numeric_detection"] = options.numericDetection;
  if (runtime.size > 0) {
    const printed = emptyObject();
    for (const name of [...runtime.keys()].sort()) printed[name] = runtime.get(name)?.toJson() ?? null;
    json["runtime"] = printed;
  }
  if (root.children.size > 0) json["properties"] = printChildren(root);
  return json;
}

function printChildren(node: ObjectNode): JsonValue {
  const properties = emptyObject();
  for (const name of [...node.children.keys()].sort()) {
    const child = node.children.get(name) as Node;
    properties[name] = printNode(child);
  }
  return properties;
}

function printNode(node: Node): JsonValue {
  if (node.kind === "leaf") return node.field.toJson();
  return node.kind === "object" ? printObject(node) : { type: "alias", path: node.target };
}

function printObject(node: ObjectNode): JsonValue {
  const json = emptyObject();
  if (node.nested) json["type"] = "nested";
  else if (node.children.size === 0) json["type"] = "object";
  if (node.dynamic !== undefined) json["dynamic"] = node.dynamic;
  if (!node.enabled) json["enabled"] = false;
  if (node.subobjectsSet) json["subobjects"] = node.subobjects;
  if (node.children.size > 0) json["properties"] = printChildren(node);
  return json;
}
