/** `_source` and `stored_fields`. */
import { EngineError, unsupported } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { errorAt, isArray, textOf } from "../../../query/dsl/read.ts";
import { type FetchSource, fetchSourceParams, parseFetchSource } from "../../fetch-source.ts";
import type { Draft } from "../request.ts";
import type { RequestFeature } from "./types.ts";

function readSource(body: JsonObject, value: JsonValue): FetchSource {
  try {
    return parseFetchSource(value);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "parsing_exception") throw error;
    throw errorAt(body, { value: "_source" }, error.reason);
  }
}

/** `_none_`, an empty list (ids alone) or `_source`. No other field is stored here. */
function readStoredFields(value: JsonValue, draft: Draft): void {
  const names = (isArray(value) ? value : [value]).map(textOf);
  draft.storedFields = !(names.length === 1 && names[0] === "_none_");
  draft.withoutFields = !draft.storedFields || names.length === 0;
  if (!draft.withoutFields && names.some((name) => name !== "_source")) throw unsupported("stored_fields");
}

export const sourceKeys: RequestFeature = {
  keys: {
    _source: {
      kinds: ["object", "list", "scalar"],
      read(body, key, draft) {
        draft.source = readSource(body, body[key]);
        draft.sourceGiven = true;
      },
    },
    stored_fields: {
      kinds: ["list", "scalar"],
      read(body, key, draft) {
        readStoredFields(body[key], draft);
      },
    },
  },
  params(params, draft) {
    const source = fetchSourceParams(params);
    if (source) Object.assign(draft, { source, sourceGiven: true });
    const stored = params.list("stored_fields");
    if (stored) readStoredFields(stored, draft);
  },
  validate: ({ storedFields, sourceGiven, source }) =>
    !storedFields && sourceGiven && source.fetch
      ? ["[stored_fields] cannot be disabled if [_source] is requested"]
      : [],
};
