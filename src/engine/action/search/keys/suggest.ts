/** `suggest`: its bodies are read as Elasticsearch reads them (SuggestBuilder, SuggestionBuilder); what makes suggestions is refused. */
import { EngineError, illegalArgument, unsupported } from "../../../errors.ts";
import { positionOf } from "../../../json/parse.ts";
import type { JsonObject } from "../../../json/types.ts";
import { errorAt, isArray, isObject, tokenName } from "../../../query/dsl/read.ts";
import type { RequestFeature } from "./types.ts";

const SUGGESTERS = ["term", "phrase", "completion"];
/** Keys whose text stands beside the suggester. */
const TEXTS = ["text", "prefix", "regex"];

export const suggestKeys: RequestFeature = {
  keys: {
    suggest: {
      kinds: ["object"],
      read(body, key) {
        for (const name of Object.keys(body[key] as JsonObject)) readEntry(body[key] as JsonObject, name);
      },
    },
  },
  params(params) {
    if (params.text("suggest_field") !== undefined) throw unsupported("suggest_field");
  },
};

/** A suggestion, or the text of all. */
function readEntry(json: JsonObject, name: string): void {
  const value = json[name];
  if (value === null || isArray(value)) {
    throw errorAt(json, { value: name }, `unexpected token [${tokenName(value)}] after [${name}]`);
  }
  if (isObject(value)) readSuggestion(value);
  else if (name !== "text") throw illegalArgument(`[suggest] does not support [${name}]`);
}

function readSuggestion(json: JsonObject): void {
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (!isObject(value)) {
      if (!TEXTS.includes(key)) throw errorAt(json, { value: key }, `suggestion does not support [${key}]`);
      continue;
    }
    if (SUGGESTERS.includes(key)) throw unsupported(`suggest ${key}`);
    const place = positionOf(json, { value: key });
    const at = place ? `[${place.line}:${place.col}] ` : "";
    throw new EngineError("named_object_not_found_exception", `${at}unknown field [${key}]`);
  }
  throw new EngineError("parse_exception", "missing suggestion object");
}
