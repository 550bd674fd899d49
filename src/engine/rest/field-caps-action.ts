/** `_field_caps`: reading the request. */

import { checkBlocks } from "../action/blocks.ts";
import { checkFilters, fieldCaps } from "../action/field-caps.ts";
import { resolveIndices } from "../action/index-names.ts";
import { validationFailed } from "../action/write.ts";
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { positionOf } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { type Action, bodyJson, type Call, indicesOptions, names } from "./call.ts";

function bodyFields(call: Call): readonly string[] | undefined {
  const body = bodyJson(call);
  if (body === undefined || body === null || typeof body !== "object" || Array.isArray(body)) return undefined;
  const object = body as JsonObject;
  for (const key of Object.keys(object)) {
    if (key === "index_filter" || key === "runtime_mappings") throw unsupported(`_field_caps.${key}`);
    if (key !== "fields") {
      const { line, col } = positionOf(object, { key }) ?? { line: 1, col: 1 };
      throw new EngineError(
        "x_content_parse_exception",
        `[${line}:${col}] [field_caps_request] unknown field [${key}]`,
      );
    }
  }
  const { fields } = object;
  if (fields === undefined) return undefined;
  return Array.isArray(fields) ? fields.map((name: JsonValue) => String(name)) : [String(fields)];
}

export const getFieldCaps: Action = (call) => {
  const options = indicesOptions(call);
  const expressions = names(call, "index");
  const given = call.params.text("fields");
  const inBody = bodyFields(call);
  if (given !== undefined && inBody !== undefined) {
    throw illegalArgument(
      "can't specify a request body and [fields] request parameter, either specify a request body or the [fields] request parameter",
    );
  }
  if (given === "") throw illegalArgument("specified fields can't be null or empty");
  const fields = inBody ?? given?.split(",") ?? [];
  if (fields.length === 0) throw validationFailed(["no fields specified"]);
  const filters = call.params.list("filters") ?? [];
  checkFilters(filters);
  const types = call.params.list("types") ?? [];
  const includeUnmapped = call.params.flag("include_unmapped") ?? false;
  if (call.params.flag("include_empty_fields") === false) throw unsupported("include_empty_fields=false");
  return () => {
    const indices = resolveIndices(call.registry, expressions, options).map(({ index }) => index);
    checkBlocks(indices, "read");
    return { body: fieldCaps(indices, { fields, includeUnmapped, filters, types }) };
  };
};
