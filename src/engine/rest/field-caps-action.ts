/** `_field_caps`: reading the request. */

import { checkBlocks } from "../action/blocks.ts";
import { checkFilters, type FieldCapsFailure, fieldCaps } from "../action/field-caps.ts";
import { resolveIndices } from "../action/index-names.ts";
import { validationFailed } from "../action/write.ts";
import { illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import { contentError, inField, isArray, isObject, tokenName, wrongKind } from "../query/dsl/read.ts";
import { type Action, bodyJson, indicesOptions, names } from "./call.ts";
import { errorObject } from "./errors.ts";
import type { ResponseValue } from "./types.ts";

const REQUEST = "field_caps_request";

interface Body {
  readonly fields?: readonly string[];
  readonly indexFilter?: QueryBuilder;
  readonly runtimeMappings?: JsonObject;
}

function readBody(body: JsonValue | undefined): Body {
  if (body === undefined) return {};
  if (!isObject(body))
    throw contentError(body, "start", `[${REQUEST}] Expected START_OBJECT but was: ${tokenName(body)}`);
  const read: { -readonly [K in keyof Body]: Body[K] } = {};
  for (const [key, value] of Object.entries(body)) {
    if (key === "fields") {
      read.fields = isArray(value) ? value.map((name: JsonValue) => String(name)) : [String(value)];
      continue;
    }
    if (key !== "index_filter" && key !== "runtime_mappings")
      throw contentError(body, { key }, `[${REQUEST}] unknown field [${key}]`);
    if (!isObject(value)) throw wrongKind(REQUEST, body, key);
    if (key === "runtime_mappings") read.runtimeMappings = value;
    else read.indexFilter = inField(REQUEST, body, key, () => parseInnerQuery(body, key, 1));
  }
  return read;
}

function failed(failures: readonly FieldCapsFailure[]): { [key: string]: ResponseValue } {
  return {
    failed_indices: failures.reduce((sum, { indices }) => sum + indices.length, 0),
    failures: failures.map(({ indices, error }) => ({ indices, failure: { error: errorObject(error) } })),
  };
}

export const getFieldCaps: Action = (call) => {
  const options = indicesOptions(call);
  const expressions = names(call, "index");
  const given = call.params.text("fields");
  const { fields: inBody, indexFilter, runtimeMappings } = readBody(bodyJson(call));
  if (given !== undefined && inBody !== undefined) {
    throw illegalArgument(
      "can't specify a request body and [fields] request parameter, either specify a request body or the [fields] request parameter",
    );
  }
  if (given === "") throw illegalArgument("specified fields can't be null or empty");
  const fields = inBody ?? given?.split(",") ?? [];
  if (fields.length === 0) throw validationFailed(["no fields specified"]);
  const filters = call.params.list("filters") ?? [];
  const types = call.params.list("types") ?? [];
  const includeUnmapped = call.params.flag("include_unmapped") ?? false;
  if (call.params.flag("include_empty_fields") === false) throw unsupported("include_empty_fields=false");
  return async () => {
    const indices = resolveIndices(call.registry, expressions, options);
    checkBlocks(
      indices.map(({ index }) => index),
      "read",
    );
    // It is the shards that know the filters.
    if (indices.length > 0) checkFilters(filters);
    const request = { fields, includeUnmapped, filters, types, indexFilter, runtimeMappings };
    const { failures, ...told } = await fieldCaps(indices, request);
    return { body: failures.length === 0 ? told : { ...told, ...failed(failures) } };
  };
};
