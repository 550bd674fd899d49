/** The limits of a mapping that index settings name, so that documents cannot make it grow without bounds. */
import { illegalArgument } from "../errors.ts";
import type { MappingContext, MappingTree, Node } from "./model.ts";

function limit(context: MappingContext, name: string, fallback: number): number {
  const value = context.setting?.(name);
  return value === undefined ? fallback : Number(value);
}

export const totalFieldsLimit = (context: MappingContext) => limit(context, "index.mapping.total_fields.limit", 1000);
export const depthLimit = (context: MappingContext) => limit(context, "index.mapping.depth.limit", 20);
export const nestedObjectsLimit = (context: MappingContext) =>
  limit(context, "index.mapping.nested_objects.limit", 10_000);
const nestedFieldsLimit = (context: MappingContext) => limit(context, "index.mapping.nested_fields.limit", 50);
const nameLengthLimit = (context: MappingContext) =>
  limit(context, "index.mapping.field_name_length.limit", Number.MAX_SAFE_INTEGER);

/** Fields and objects, multi-fields included. */
export function countNodes(node: Node): number {
  if (node.kind === "leaf") return 1 + node.fields.size;
  if (node.kind === "alias") return 1;
  let count = node.path === "" ? 0 : 1;
  for (const child of node.children.values()) count += countNodes(child);
  return count;
}

export function tooManyFields(max: number, added: number): Error {
  return illegalArgument(
    `Limit of total fields [${max}] has been exceeded${added > 0 ? ` while adding new fields [${added}]` : ""}`,
  );
}

export function tooDeep(max: number, path: string): Error {
  return illegalArgument(`Limit of mapping depth [${max}] has been exceeded due to object field [${path}]`);
}

/** Depth of an object: 2 for what stands at the root (MappingLookup.checkObjectDepthLimit). */
export function depthOf(path: string): number {
  return path.split(".").length + 1;
}

/** Throws for a mapping beyond its limits. `before` is the number of nodes that it had. */
export function checkLimits({ root, runtime }: MappingTree, context: MappingContext, before: number): void {
  const max = totalFieldsLimit(context);
  const count = countNodes(root) + runtime.size;
  if (count > max) throw tooManyFields(max, before > 0 ? count - runtime.size - before : 0);
  const maxDepth = depthLimit(context);
  const maxName = nameLengthLimit(context);
  let nested = 0;
  const visit = (node: Node): void => {
    if (node.name.length > maxName) {
      throw illegalArgument(`Field name [${node.name}] is longer than the limit of [${maxName}] characters`);
    }
    if (node.kind !== "object") return;
    if (node.path !== "" && depthOf(node.path) > maxDepth) throw tooDeep(maxDepth, node.path);
    if (node.nested) nested++;
    for (const child of node.children.values()) visit(child);
  };
  visit(root);
  const maxNested = nestedFieldsLimit(context);
  if (nested > maxNested) throw illegalArgument(`Limit of nested fields [${maxNested}] has been exceeded`);
}
