/** `copy_to`: where values may be copied (FieldMapper.validate), and which fields a target has its values from. */
import { illegalArgument } from "../errors.ts";
import { hashOrder } from "./java-text.ts";
import type { LeafNode, Node, ObjectNode } from "./model.ts";

/** @throws for a target that no value can be copied to */
export function checkCopies(root: ObjectNode): void {
  const objects = new Map<string, ObjectNode>();
  const leaves: LeafNode[] = [];
  const visit = (node: Node): void => {
    if (node.kind === "leaf") leaves.push(node);
    if (node.kind !== "object") return;
    if (node.path !== "") objects.set(node.path, node);
    for (const child of node.children.values()) visit(child);
  };
  visit(root);
  const inFields = new Set(leaves.flatMap(({ fields }) => [...fields.values()].map(({ path }) => path)));
  for (const { copyTo, field, fields } of leaves) {
    for (const target of copyTo) {
      if (inFields.has(target)) {
        throw illegalArgument(`[copy_to] may not be used to copy to a multi-field: [${target}]`);
      }
      if (objects.has(target)) {
        throw illegalArgument(`Cannot copy to field [${target}] since it is mapped as an object`);
      }
      checkScopes(field.nestedPath, scopeOf(target, objects));
    }
    for (const { path, copyTo: own } of fields.values()) {
      if (own.length > 0) throw illegalArgument(`[copy_to] may not be used to copy from a multi-field: [${path}]`);
    }
  }
}

/** The nested object that a path lies in, whether there is a field or not. */
function scopeOf(path: string, objects: ReadonlyMap<string, ObjectNode>): string | undefined {
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const above = objects.get(path.slice(0, dot));
    if (above !== undefined) return above.nestedPath;
  }
  return undefined;
}

function checkScopes(source: string | undefined, target: string | undefined): void {
  if (target === undefined || source === target || source?.startsWith(`${target}.`)) return;
  const between = `from nested object [${source ?? null}] to [${target}]`;
  throw illegalArgument(
    "Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to the current nested document or any of " +
      `its parents, however one [copy_to] directive is trying to copy data ${between}`,
  );
}

/** For each target of `copy_to` the paths whose values it has, its own among them, in the order of Java's hash sets. */
export function copiesOf(leaves: Iterable<LeafNode>): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const { path, copyTo } of leaves) {
    for (const target of copyTo) {
      const known = sources.get(target) ?? [target];
      sources.set(target, known.includes(path) ? known : [...known, path]);
    }
  }
  return new Map([...sources].map(([target, paths]) => [target, hashOrder(paths)]));
}
