/** One request as an action sees it, and what an action is. */

import type { IndicesOptions } from "../action/index-names.ts";
import { LENIENT_EXPAND } from "../action/index-names.ts";
import type { Rerankers, SearchContexts } from "../action/search/index.ts";
import type { RefreshPolicy } from "../action/write.ts";
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import type { IndexRegistry } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonValue } from "../json/types.ts";
import { type Params, parseBoolean } from "./params.ts";
import type { Reply } from "./types.ts";

export interface Call {
  readonly registry: IndexRegistry;
  /** Scrolls and points in time that are open. */
  readonly contexts: SearchContexts;
  /** Models that searches may name. */
  readonly rerankers: Rerankers;
  /** Told the body of each search before it is read: throws for what the caller may not ask. */
  checkSearch(search: JsonValue | undefined): void;
  /** Told what has queries in it, in the same way. */
  checkQueries(value: JsonValue | undefined): void;
  readonly method: string;
  /** As it was sent. */
  readonly path: string;
  readonly params: Params;
  readonly hasBody: boolean;
  /** The body's bytes; taking them says that the action reads a body. */
  bytes(): Uint8Array;
  /** The body as it came, where its text is enough. */
  raw(): Uint8Array | string;
  readonly signal: AbortSignal | undefined;
  /** True when `Accept` names JSON. */
  readonly wantsJson: boolean;
}

/**
 * Reads the request, then carries it out. What is wrong with parameters or body is thrown while reading; between the two, parameters that
 * nobody asked for are refused.
 */
export type Action = (call: Call) => () => Promise<Reply> | Reply;

/** A part of the path, decoded. */
export function required(call: Call, name: string): string {
  const value = call.params.text(name);
  if (value === undefined) throw illegalArgument(`missing [${name}] in the path`);
  return value;
}

/** Parts of a list in the path or in a parameter; none when it is absent. */
export function names(call: Pick<Call, "params">, name: string): string[] {
  return (call.params.text(name) ?? "").split(",").filter((part) => part !== "");
}

/** The body as JSON; `undefined` when there is none. Places are kept for errors. */
export function bodyJson(call: Call): JsonValue | undefined {
  return call.hasBody ? parseJson(call.raw(), { positions: true }) : undefined;
}

export function requiredBody(call: Call, reason: string): Uint8Array {
  const bytes = call.bytes();
  if (bytes.length === 0) throw new EngineError("parse_exception", reason);
  return bytes;
}

/** A boolean as settings are read. */
export function nodeBoolean(call: Pick<Call, "params">, name: string, fallback: boolean): boolean {
  const value = call.params.text(name);
  if (value === undefined || value === "") return fallback;
  try {
    return parseBoolean(value);
  } catch (error) {
    throw illegalArgument(`Could not convert [${name}] to boolean`, { cause: error });
  }
}

/** `ignore_unavailable`, `allow_no_indices`, `expand_wildcards`, over an API's defaults. */
export function indicesOptions(call: Pick<Call, "params">, defaults: IndicesOptions = LENIENT_EXPAND): IndicesOptions {
  const wildcards = call.params.list("expand_wildcards");
  let { expandOpen, expandClosed, expandHidden } = defaults;
  if (wildcards !== undefined && wildcards.length > 0) {
    expandOpen = expandClosed = expandHidden = false;
    for (const value of wildcards) {
      if (value === "open") expandOpen = true;
      else if (value === "hidden") expandHidden = true;
      else if (value === "closed") expandClosed = true;
      else if (value === "all") expandOpen = expandClosed = expandHidden = true;
      else if (value === "none") expandOpen = expandClosed = expandHidden = false;
      else throw illegalArgument(`No valid expand wildcard value [${value}]`);
    }
  }
  call.params.accept("ignore_throttled");
  return {
    ...defaults,
    expandOpen,
    expandClosed,
    expandHidden,
    ignoreUnavailable: nodeBoolean(call, "ignore_unavailable", defaults.ignoreUnavailable),
    allowNoIndices: nodeBoolean(call, "allow_no_indices", defaults.allowNoIndices),
  };
}

export function refreshPolicy(call: Call): RefreshPolicy {
  const value = call.params.text("refresh");
  if (value === undefined || value === "false") return "none";
  if (value === "true" || value === "") return "immediate";
  if (value === "wait_for") return "wait";
  throw illegalArgument(`Unknown value for refresh: [${value}].`);
}

/** Times that requests allow themselves: read, so that nonsense is refused; nothing here takes that long. */
export function acceptTimeouts(call: Call): void {
  call.params.time("timeout");
  call.params.time("master_timeout");
}

/** One copy of each shard is active, always: more of them cannot be waited for. */
export function activeShards(call: Call): void {
  const value = call.params.text("wait_for_active_shards");
  if (value === undefined || value === "all" || value === "null" || value === "") return;
  if (!/^[+-]?\d+$/.test(value)) {
    throw illegalArgument(`cannot parse ActiveShardCount[${value}]`, {
      cause: new EngineError("number_format_exception", `For input string: "${value}"`),
    });
  }
  if (Number(value) < 0) throw illegalArgument(`shard count cannot be a negative value`);
  if (Number(value) > 1) throw unsupported(`wait_for_active_shards=${value}`);
}
