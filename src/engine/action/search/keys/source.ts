/** `_source` and `stored_fields`. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { errorAt, isArray, placeOf, readText, tokenName } from "../../../query/dsl/read.ts";
import { type FetchSource, fetchSourceParams, parseFetchSource } from "../../fetch-source.ts";
import type { Draft } from "../request.ts";
import type { RequestFeature } from "./types.ts";

function readSource(body: JsonObject, value: JsonValue): FetchSource {
  try {
    return parseFetchSource(value);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "parsing_exception" || placeOf(error)) throw error;
    throw errorAt(body, { value: "_source" }, error.reason);
  }
}

/** `_none_`, an empty list (ids alone), or names and patterns, `_source` among them (StoredFieldsContext). */
function readStoredFields(names: readonly string[], draft: Draft): void {
  const none = names.includes("_none_");
  if (none && names.length > 1) throw illegalArgument("cannot combine _none_ with other fields");
  draft.storedFields = !none;
  draft.storedFieldNames = none ? [] : names.filter((name) => name !== "_source");
  draft.withoutSource = !names.includes("_source");
}

function storedFieldNames(body: JsonObject, key: string): string[] {
  const value = body[key];
  if (typeof value === "string") return [value];
  if (!isArray(value)) {
    throw errorAt(
      body,
      { value: key },
      `Expected [VALUE_STRING] or [START_ARRAY] in [${key}] but found [${tokenName(value)}]`,
    );
  }
  return value.map((_, at) => readText(value, at));
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
        readStoredFields(storedFieldNames(body, key), draft);
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
