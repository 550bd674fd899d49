/** Options that every suggester has (SuggestionBuilder). */
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { readInt, textOf } from "../query/dsl/read.ts";
import type { CommonOptions } from "./types.ts";

export type CommonDraft = { -readonly [K in keyof CommonOptions]?: CommonOptions[K] };

/** Reads a scalar under one of the keys that every suggester has. @returns false for another key */
export function readCommon(draft: CommonDraft, json: JsonObject, key: string): boolean {
  if (key === "field") draft.field = textOf(json[key]);
  else if (key === "analyzer") draft.analyzer = textOf(json[key]);
  else if (key === "size") draft.size = positiveSize(readInt(json[key], json, key));
  else if (key === "shard_size") draft.shardSize = readInt(json[key], json, key);
  else return false;
  return true;
}

export function positiveSize(size: number): number {
  if (size <= 0) throw illegalArgument("size must be positive");
  return size;
}

export function commonOptions({ field, ...draft }: CommonDraft): CommonOptions {
  if (field === undefined) throw new EngineError("parse_exception", "the required field option [field] is missing");
  if (field === "") throw illegalArgument("suggestion field name is empty");
  return { field, ...draft };
}
