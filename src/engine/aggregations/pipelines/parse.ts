/** What the bodies of pipeline aggregations have in common. */
import type { EngineError } from "../../errors.ts";
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { type DocValueFormat, decimalDocValueFormat, RAW_DOUBLE } from "../../mapping/doc-value-format.ts";
import { errorAt, isArray, textOf, tokenName } from "../../query/dsl/read.ts";
import type { GapPolicy } from "./paths.ts";

export const GAP_POLICIES: readonly GapPolicy[] = ["insert_zeros", "skip", "keep_values"];

export function gapPolicy(value: JsonValue, json: JsonObject, key: string): GapPolicy {
  const policy = GAP_POLICIES.find((known) => known === value);
  if (policy) return policy;
  throw errorAt(
    json,
    { value: key },
    `Invalid gap policy: [${String(value)}], accepted values: [${GAP_POLICIES.join(", ")}]`,
  );
}

export const valueFormat = (pattern: string | undefined): DocValueFormat =>
  pattern === undefined ? RAW_DOUBLE : decimalDocValueFormat(pattern, RAW_DOUBLE);

export interface SiblingOptions {
  readonly paths: readonly string[];
  readonly gapPolicy: GapPolicy;
  readonly format: DocValueFormat;
  /** Options that only some have. */
  readonly more: { readonly [key: string]: JsonValue };
}

/** BucketMetricsParser: keys are known by the kind of their value. @param more kinds of value of further options */
export function readSibling(
  name: string,
  json: JsonObject,
  more: { readonly [key: string]: "number" | "boolean" | "array" } = {},
): SiblingOptions {
  let paths: readonly string[] | undefined;
  let policy: GapPolicy = "skip";
  let format: string | undefined;
  const others: { [key: string]: JsonValue } = {};
  const unexpected = (key: string): EngineError =>
    errorAt(json, { value: key }, `Unexpected token ${tokenName(json[key])} [${key}] in [${name}]`);
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (more[key] !== undefined) {
      const kind = isArray(value) ? "array" : typeof value === "boolean" ? "boolean" : "number";
      if (kind !== more[key] || (textOf(value) === undefined) !== isArray(value) || typeof value === "string")
        throw unexpected(key);
      others[key] = value;
    } else if (typeof value === "string" && key === "format") format = value;
    else if (typeof value === "string" && key === "gap_policy") policy = gapPolicy(value, json, key);
    else if (key === "buckets_path" && typeof value === "string") paths = [value];
    else if (key === "buckets_path" && isArray(value)) paths = value.map((item) => textOf(item) ?? "");
    else throw unexpected(key);
  }
  if (!paths) throw errorAt(json, "end", `Missing required field [buckets_path] for aggregation [${name}]`);
  return { paths, gapPolicy: policy, format: valueFormat(format), more: others };
}

export function required<T>(value: T | undefined, key: string): T {
  if (value !== undefined) return value;
  throw illegalArgument(`Required [${key}]`);
}
