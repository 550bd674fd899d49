/** Where a nested document stands in the source of its root: the objects around it, each with its place among its siblings. */
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import type { Mapping } from "../../../mapping/types.ts";
import { isArray, isObject } from "../../../query/dsl/read.ts";
import { nestedDocuments, rootDocuments } from "../../../query/lucene/nested.ts";
import type { LeafReader } from "../../../segment/types.ts";
import type { ResponseValue } from "../../response-value.ts";
import { extractValue } from "../fields/extract.ts";

export interface NestedIdentity {
  /** Of the nested object. */
  readonly path: string;
  /** From the outermost object on; `field` is its path within the one around it. */
  readonly steps: readonly { readonly field: string; readonly offset: number }[];
}

/** @returns undefined for a root document */
export function nestedIdentity(leaf: LeafReader, local: number, mapping: Mapping): NestedIdentity | undefined {
  if (leaf.segment.roots() === undefined) return undefined;
  const roots = rootDocuments(leaf);
  if (roots.get(local)) return undefined;
  const path = mapping.nestedPaths().find((each) => nestedDocuments(leaf, each)?.get(local));
  if (path === undefined) return undefined;
  const steps: { field: string; offset: number }[] = [];
  let doc = local;
  for (let at: string | undefined = path; at !== undefined; ) {
    const parent: string | undefined = parentPath(mapping, at);
    const parents = parent === undefined ? roots : nestedDocuments(leaf, parent);
    const before = doc === 0 ? -1 : Math.max(parents?.previousSetBit(doc - 1) ?? -1, roots.previousSetBit(doc - 1));
    const siblings = nestedDocuments(leaf, at)!;
    let offset = 0;
    for (let sibling = siblings.nextSetBit(before + 1); sibling < doc; sibling = siblings.nextSetBit(sibling + 1)) {
      offset++;
    }
    steps.unshift({ field: parent === undefined ? at : at.slice(parent.length + 1), offset });
    doc = parents?.nextSetBit(doc) ?? doc;
    at = parent;
  }
  return { path, steps };
}

/** The nested object around another one. */
export function parentPath(mapping: Mapping, path: string): string | undefined {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? undefined : mapping.nestedPathOf(path.slice(0, dot));
}

/** The source of a nested document, alone in the place that it has in its root's. */
export function nestedSource(root: JsonObject, { path, steps }: NestedIdentity): JsonObject {
  let object: JsonObject = root;
  for (const { field, offset } of steps) {
    object = objectsAt(object, field)[offset] ?? {};
  }
  return alone(path, object);
}

/** What a source that has one object alone says of that object. */
export function innerSource(source: JsonObject, path: string): JsonObject {
  return objectsAt(source, path)[0] ?? {};
}

/** An object alone under a path. */
export function alone(path: string, object: JsonValue): JsonObject {
  return path.split(".").reduceRight<JsonValue>((inner, part) => ({ [part]: inner }), object) as JsonObject;
}

/** The objects under a path, whatever arrays they stand in. */
export function objectsAt(source: JsonObject, path: string): JsonObject[] {
  const found = extractValue(source, path);
  return found === undefined ? [] : flatten(found);
}

function flatten(value: JsonValue): JsonObject[] {
  if (isArray(value)) return value.flatMap(flatten);
  return isObject(value) ? [value] : [];
}

/** `_nested` of a hit. */
export function printIdentity({ steps }: NestedIdentity): ResponseValue {
  return steps.reduceRight<ResponseValue>(
    (inner, { field, offset }) => (inner === null ? { field, offset } : { field, offset, _nested: inner }),
    null,
  );
}
