/** Merging an update into a mapping: what may change changes, and every conflict is Elasticsearch's error. */
import { EngineError, illegalArgument } from "../errors.ts";
import { mergeLeaf } from "./leaf.ts";
import type { MappingContext, MappingTree, Node, ObjectNode } from "./model.ts";
import { mergeSourceOptions } from "./source-options.ts";

export function mergeTrees(current: MappingTree, update: MappingTree, context: MappingContext): MappingTree {
  const root = mergeObjects(current.root, update.root, context);
  const [a, b] = [current.options, update.options];
  if (b.routingRequired !== undefined && b.routingRequired !== (a.routingRequired ?? false)) {
    throw illegalArgument(
      `Mapper for [_routing] conflicts with existing mapper:\n\tCannot update parameter [required] from [${a.routingRequired ?? false}] to [${b.routingRequired}]`,
    );
  }
  const runtime = new Map(current.runtime);
  for (const [name, field] of update.runtime) {
    if (field === null) runtime.delete(name);
    else runtime.set(name, field);
  }
  return {
    root,
    runtime,
    options: {
      dateDetection: b.dateDetection ?? a.dateDetection,
      numericDetection: b.numericDetection ?? a.numericDetection,
      dynamicDateFormats: b.dynamicDateFormats ?? a.dynamicDateFormats,
      dynamicTemplates: b.dynamicTemplates ?? a.dynamicTemplates,
      meta: b.meta ?? a.meta,
      routingRequired: a.routingRequired ?? b.routingRequired,
      source: mergeSourceOptions(a.source, b.source),
    },
  };
}

export function notAnObject(path: string): EngineError {
  return illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
}

export function notAField(path: string, type: string): EngineError {
  return illegalArgument(`mapper [${path}] cannot be changed from type [${type}] to [ObjectMapper]`);
}

export function notNested(path: string): EngineError {
  return illegalArgument(`can't merge a non-nested mapping [${path}] with a nested mapping`);
}

function mapperException(reason: string): EngineError {
  return new EngineError("mapper_exception", reason, { status: 500 });
}

function mergeNodes(current: Node, update: Node, context: MappingContext): Node {
  if (current.kind === "object") {
    if (update.kind !== "object") throw current.nested ? notNested(current.path) : notAnObject(current.path);
    return mergeObjects(current, update, context);
  }
  if (update.kind === "object") throw notAnObject(current.path);
  if (current.kind === "alias") {
    if (update.kind === "alias") return update;
    throw illegalArgument(
      `Cannot merge a field alias mapping [${current.path}] with a mapping that is not for a field alias.`,
    );
  }
  if (update.kind === "alias") {
    throw illegalArgument(
      `mapper [${current.path}] cannot be changed from type [${current.fieldType.type}] to [FieldAliasMapper]`,
    );
  }
  return mergeLeaf(current, update, context);
}

function mergeObjects(current: ObjectNode, update: ObjectNode, context: MappingContext): ObjectNode {
  if (current.nested !== update.nested) {
    throw notNested(current.path);
  }
  if (update.enabledSet && update.enabled !== current.enabled) {
    throw mapperException(
      `the [enabled] parameter can't be updated for the object mapping [${current.path || current.name}]`,
    );
  }
  if (update.subobjectsSet && update.subobjects !== current.subobjects) {
    throw mapperException(
      `the [subobjects] parameter can't be updated for the object mapping [${current.path || current.name}]`,
    );
  }
  const children = new Map(current.children);
  for (const [name, node] of update.children) {
    const existing = children.get(name);
    children.set(name, existing === undefined ? node : mergeNodes(existing, node, context));
  }
  return { ...current, dynamic: update.dynamic ?? current.dynamic, children };
}
