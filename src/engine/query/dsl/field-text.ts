/** The body of a query that asks one field for a text: `{ field: text }` or `{ field: { query: text, option: … } }`. */
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { atOption, errorAt, isArray, isObject, onlyField, readText, textOf, tokenName } from "./read.ts";

export interface FieldText {
  readonly field: string | undefined;
  readonly text: JsonValue | undefined;
}

/** @param readOption reads any other option than `query`; false when there is none of that name */
export function readFieldText(
  name: string,
  json: JsonObject,
  readOption: (options: JsonObject, key: string) => boolean,
): FieldText {
  let field: string | undefined;
  let text: JsonValue | undefined;
  for (const [key, inner] of Object.entries(json)) {
    field = onlyField(name, json, key, field);
    if (isArray(inner)) readText(json, key);
    if (!isObject(inner)) {
      text = inner ?? undefined;
      continue;
    }
    for (const [option, value] of Object.entries(inner)) {
      if (textOf(value) === undefined)
        throw errorAt(inner, { value: option }, `[${name}] unknown token [${tokenName(value)}] after [${option}]`);
      if (option === "query") text = value;
      else if (!atOption(inner, option, () => readOption(inner, option)))
        throw errorAt(inner, { value: option }, `[${name}] query does not support [${option}]`);
    }
  }
  return { field, text };
}
