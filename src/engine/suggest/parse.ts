/** `suggest`, as Elasticsearch reads it (SuggestBuilder, SuggestionBuilder). */
import { EngineError, illegalArgument } from "../errors.ts";
import { positionOf } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import { errorAt, isArray, isObject, textOf, tokenName } from "../query/dsl/read.ts";
import { parseCompletionSuggester } from "./completion/parse.ts";
import { parsePhraseSuggester } from "./phrase/parse.ts";
import { parseTermSuggester, termSuggesterOf } from "./term/parse.ts";
import type { Suggester, Suggestion, SuggestRequest, SuggestText } from "./types.ts";

/** The suggesters. A new one is a folder and a line here. */
const SUGGESTERS: ReadonlyMap<string, (json: JsonObject) => Suggester> = new Map<
  string,
  (json: JsonObject) => Suggester
>([
  ["term", parseTermSuggester],
  ["phrase", parsePhraseSuggester],
  ["completion", parseCompletionSuggester],
]);

export function parseSuggest(json: JsonObject): SuggestRequest {
  let text: string | undefined;
  const suggestions: Suggestion[] = [];
  for (const name of Object.keys(json)) {
    const value = json[name];
    if (isObject(value)) suggestions.push({ name, ...parseSuggestion(value) });
    else if (value === null || isArray(value)) {
      throw errorAt(json, { value: name }, `unexpected token [${tokenName(value)}] after [${name}]`);
    } else if (name === "text") text = textOf(value);
    else throw illegalArgument(`[suggest] does not support [${name}]`);
  }
  return { ...(text === undefined ? {} : { text }), suggestions };
}

/** The correction of words that the URL asks for, named by its field. */
export function termSuggestion(
  field: string,
  options: { readonly size?: number; mode(): string },
): Omit<Suggestion, "text"> {
  return { name: field, suggester: termSuggesterOf(field, options) };
}

type Read = { -readonly [K in keyof SuggestText]: SuggestText[K] } & { suggester?: Suggester };

function parseSuggestion(json: JsonObject): Omit<Suggestion, "name"> {
  const read: Read = {};
  for (const key of Object.keys(json)) readValue(json, key, key, read);
  const { suggester } = read;
  if (suggester === undefined) throw new EngineError("parse_exception", "missing suggestion object");
  return { ...read, suggester };
}

/** Its reader steps over brackets and nulls; of several values the last one counts. @param name the key, also within lists */
function readValue(container: JsonObject | readonly unknown[], key: string | number, name: string, read: Read): void {
  const json = container as JsonObject;
  const value = json[key as string];
  if (isArray(value)) {
    for (const at of value.keys()) readValue(value, at, name, read);
  } else if (isObject(value)) {
    const parse = SUGGESTERS.get(name);
    if (parse) read.suggester = parse(value);
    else {
      const place = positionOf(json, { value: key as string });
      const at = place ? `[${place.line}:${place.col}] ` : "";
      throw new EngineError("named_object_not_found_exception", `${at}unknown field [${name}]`);
    }
  } else if (value !== null) {
    if (name !== "text" && name !== "prefix" && name !== "regex") {
      throw errorAt(json, { value: key as string }, `suggestion does not support [${name}]`);
    }
    read[name] = textOf(value);
  }
}
