/**
 * Filtering a tree by paths, as Elasticsearch does it for `filter_path` and for sources (FilterPath): `*` stands for a part of one name,
 * `**` for any number of levels. An object or array that becomes empty goes; one that was empty stays.
 */
import { JsonNumber } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";

export type Path = readonly string[];

/** A tree of JSON values, in which bytes may stand for JSON that is not read yet. */
export type Tree =
  | null
  | boolean
  | number
  | string
  | JsonNumber
  | Uint8Array
  | readonly Tree[]
  | { readonly [key: string]: Tree | undefined };

export interface PathFilterOptions {
  /** True to keep what the paths name, false to drop it. */
  readonly keep: boolean;
  /** A name with dots counts as its parts: so in sources, not in responses. */
  readonly dottedNames: boolean;
  /** Reads bytes in the tree. */
  readonly open?: (bytes: Uint8Array) => Tree;
}

/** What remains of the paths behind one part of a name; `true` when one of them ends there, and everything below is meant. */
function stepPart(paths: readonly Path[], part: string): readonly Path[] | true {
  const rest: Path[] = [];
  for (const path of paths) {
    let at = 0;
    while (path[at] === "**") {
      rest.push(path.slice(at));
      at++;
      if (at === path.length) return true;
    }
    if (!matchesSimple(path[at], part)) continue;
    if (at + 1 === path.length) return true;
    rest.push(path.slice(at + 1));
  }
  return rest;
}

/** What remains of the paths behind a name: `true` when one of them ends there; none when it is on no path. */
export function step(paths: readonly Path[], name: string, dottedNames: boolean): readonly Path[] | true {
  let left: readonly Path[] | true = paths;
  for (const part of dottedNames && name.includes(".") ? name.split(".") : [name]) {
    left = stepPart(left, part);
    if (left === true) return true;
  }
  return left;
}

/** @returns undefined when nothing is left */
export function filterByPaths(value: Tree, paths: readonly Path[], options: PathFilterOptions): Tree | undefined {
  const { keep, dottedNames, open } = options;
  const tree = value instanceof Uint8Array && open !== undefined ? open(value) : value;
  if (tree === null || typeof tree !== "object" || tree instanceof JsonNumber || tree instanceof Uint8Array) {
    return keep ? undefined : tree;
  }
  if (Array.isArray(tree)) {
    const items = tree.map((item) => filterByPaths(item as Tree, paths, options)).filter((item) => item !== undefined);
    return items.length > 0 || (!keep && tree.length === 0) ? items : undefined;
  }
  const result: { [key: string]: Tree } = Object.create(null);
  let size = 0;
  let before = 0;
  for (const [key, inner] of Object.entries(tree as { readonly [key: string]: Tree | undefined })) {
    if (inner === undefined) continue;
    before++;
    const rest = step(paths, key, dottedNames);
    let left: Tree | undefined;
    if (rest === true) left = keep ? inner : undefined;
    else if (rest.length === 0) left = keep ? undefined : inner;
    else left = filterByPaths(inner, rest, options);
    if (left === undefined) continue;
    result[key] = left;
    size++;
  }
  return size > 0 || (!keep && before === 0) ? result : undefined;
}
