/**
 * `inner_hits` of a query: which nested documents of a hit made it one. Names and numbers are read here; what is shown of them, by the
 * fetch phase, which knows how (InnerHitBuilder).
 */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { Mapping } from "../../mapping/types.ts";
import type { QueryBuilder } from "./builder.ts";
import { inField, isArray, isObject, readBoolean, readInt, textOf, unknownKey, wrongKind } from "./read.ts";

/** Which hits within a hit are shown. */
export interface HitOptions {
  readonly name: string | undefined;
  readonly from: number;
  readonly size: number;
  /** All options: the fetch phase reads the others. */
  readonly json: JsonObject;
}

export interface InnerHits extends HitOptions {
  /** Of the nested object, whose name stands for one that is not given; it may depend on the mapping. */
  readonly path: string | ((mapping: Mapping) => string | undefined);
  /** What nested documents are looked for. */
  readonly query: QueryBuilder;
}

type Kind = "text" | "number" | "flag" | "list" | "object";

const PARSER = "inner_hits";
const DEFAULT_SIZE = 3;

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  name: ["text"],
  ignore_unmapped: ["flag"],
  from: ["number"],
  size: ["number"],
  explain: ["flag"],
  version: ["flag"],
  seq_no_primary_term: ["flag"],
  track_scores: ["flag"],
  stored_fields: ["text", "list"],
  docvalue_fields: ["list"],
  fields: ["list"],
  script_fields: ["object"],
  sort: ["list", "object"],
  _source: ["text", "flag", "list", "object"],
  highlight: ["object"],
  collapse: ["object"],
};
const KEYS = Object.keys(KINDS);

function takes(kinds: readonly Kind[], value: JsonValue): boolean {
  if (isArray(value)) return kinds.includes("list");
  if (isObject(value)) return kinds.includes("object");
  if (value === null) return false;
  if (typeof value === "boolean") return kinds.includes("flag");
  // Numbers and flags may be written as texts.
  if (typeof value === "string") return ["text", "number", "flag"].some((kind) => kinds.includes(kind as Kind));
  return kinds.includes("number");
}

/** The options under `inner_hits`. */
export function parseHitOptions(json: JsonObject): HitOptions {
  const numbers = { from: 0, size: DEFAULT_SIZE };
  let name: string | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    const kinds = KINDS[key];
    if (kinds === undefined) throw unknownKey(PARSER, json, key, KEYS);
    if (!takes(kinds, value)) throw wrongKind(PARSER, json, key);
    if (key === "name") name = textOf(value);
    else if (key === "from" || key === "size") numbers[key] = inField(PARSER, json, key, () => count(key, value));
    else if (kinds.length === 1 && kinds[0] === "flag") inField(PARSER, json, key, () => readBoolean(value));
  }
  return { name, ...numbers, json };
}

function count(key: string, value: JsonValue): number {
  const number = readInt(value);
  if (number < 0) throw illegalArgument(`illegal ${key} value, at least 0 or higher`);
  return number;
}

/** What is to be shown of the hits of some queries together. */
export function innerHitsOf(builders: readonly QueryBuilder[]): InnerHits[] {
  return builders.flatMap(({ innerHits = [] }) => innerHits);
}
