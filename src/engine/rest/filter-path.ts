/**
 * `filter_path`: keeps (or, with a leading `-`, drops) the parts of a response that paths name. `*` stands for a part of one name, `**`
 * for any number of levels. An object or array that becomes empty goes; one that was empty stays.
 */
import { parseJson } from "../json/parse.ts";
import { JsonNumber } from "../json/types.ts";
import type { ResponseValue } from "./types.ts";

type Path = readonly string[];
type Fields = { readonly [key: string]: ResponseValue | undefined };

/** Splits at dots; `\.` is a dot within a name. */
function parsePath(text: string): Path {
  return text.split(/(?<!\\)\./).map((part) => part.replaceAll("\\.", "."));
}

/** True when the name matches a pattern with `*`. */
export function matchesSimple(pattern: string, name: string): boolean {
  if (!pattern.includes("*")) return pattern === name;
  const parts = pattern.split("*");
  if (!name.startsWith(parts[0])) return false;
  let at = parts[0].length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  const last = parts[parts.length - 1];
  return name.length - last.length >= at && name.endsWith(last);
}

/** What remains of the paths below a key; `true` when one of them ends there. */
function step(paths: readonly Path[], key: string): readonly Path[] | true {
  const rest: Path[] = [];
  for (const path of paths) {
    let at = 0;
    while (path[at] === "**") {
      rest.push(path.slice(at));
      at++;
      if (at === path.length) return true;
    }
    if (!matchesSimple(path[at], key)) continue;
    if (at + 1 === path.length) return true;
    rest.push(path.slice(at + 1));
  }
  return rest;
}

const isContainer = (value: ResponseValue): value is readonly ResponseValue[] | Fields =>
  value !== null && typeof value === "object" && !(value instanceof JsonNumber);

const opened = (value: ResponseValue): ResponseValue => (value instanceof Uint8Array ? parseJson(value) : value);

/** @returns `undefined` when nothing is left */
function filtered(value: ResponseValue, paths: readonly Path[], keep: boolean): ResponseValue | undefined {
  const open = opened(value);
  if (!isContainer(open)) return keep ? undefined : open;
  if (Array.isArray(open)) {
    const items = open.map((item) => filtered(item, paths, keep)).filter((item) => item !== undefined);
    return items.length > 0 || (!keep && open.length === 0) ? items : undefined;
  }
  const result: { [key: string]: ResponseValue } = Object.create(null);
  let size = 0;
  let before = 0;
  for (const [key, inner] of Object.entries(open)) {
    if (inner === undefined) continue;
    before++;
    const rest = step(paths, key);
    let left: ResponseValue | undefined;
    if (rest === true) left = keep ? inner : undefined;
    else if (rest.length === 0) left = keep ? undefined : inner;
    else left = filtered(inner, rest, keep);
    if (left === undefined) continue;
    result[key] = left;
    size++;
  }
  return size > 0 || (!keep && before === 0) ? result : undefined;
}

/** @param filters the parts of `filter_path`, such as `hits.hits._id` or `-took` */
export function filterPath(value: ResponseValue, filters: readonly string[]): ResponseValue {
  const keeps = filters.filter((filter) => !filter.startsWith("-")).map(parsePath);
  const drops = filters.filter((filter) => filter.startsWith("-")).map((filter) => parsePath(filter.slice(1)));
  const empty: ResponseValue = Array.isArray(value) ? [] : {};
  let result = value;
  if (keeps.length > 0) result = filtered(result, keeps, true) ?? empty;
  if (drops.length > 0) result = filtered(result, drops, false) ?? empty;
  return result;
}
