/** `filter_path`: keeps (or, with a leading `-`, drops) the parts of a response that paths name. */

import { parseJson } from "../json/parse.ts";
import { filterByPaths, type Path, type Tree } from "../json/path-filter.ts";
import type { ResponseValue } from "./types.ts";

/** Splits at dots; `\.` is a dot within a name. */
function parsePath(text: string): Path {
  return text.split(/(?<!\\)\./).map((part) => part.replaceAll("\\.", "."));
}

const open = (bytes: Uint8Array) => parseJson(bytes) as Tree;

/** @param filters the parts of `filter_path`, such as `hits.hits._id` or `-took` */
export function filterPath(value: ResponseValue, filters: readonly string[]): ResponseValue {
  const keeps = filters.filter((filter) => !filter.startsWith("-")).map(parsePath);
  const drops = filters.filter((filter) => filter.startsWith("-")).map((filter) => parsePath(filter.slice(1)));
  const empty: Tree = Array.isArray(value) ? [] : {};
  let result: Tree = value;
  if (keeps.length > 0) result = filterByPaths(result, keeps, { keep: true, dottedNames: false, open }) ?? empty;
  if (drops.length > 0) result = filterByPaths(result, drops, { keep: false, dottedNames: false, open }) ?? empty;
  return result;
}
