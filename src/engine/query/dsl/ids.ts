/** ids: documents by their ids. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { makeBuilder } from "./builder.ts";
import { readDeclared, takesCommon } from "./compound.ts";
import { documentsById } from "./metadata-fields.ts";
import type { QueryParser } from "./parse.ts";
import { asParsingError, contentError, isArray, located, objectField, textOf, tokenName, wrongKind } from "./read.ts";
import { suggestion } from "./suggestion.ts";

const ID_KEYS = ["values", "boost", "_name"];

function readIds(json: JsonObject): string[] {
  const value = json["values"];
  if (typeof value === "string") return [value];
  if (!isArray(value)) throw asParsingError(wrongKind("ids", json, "values"));
  return objectField("ids", json, "values", () =>
    value.map((id, i) => {
      const text = textOf(id);
      if (text !== undefined) return text;
      throw located(illegalArgument(`Expected text but found ${tokenName(id)}`), value, { value: i });
    }),
  );
}

export const parseIds: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  const ids: string[] = [];
  for (const key of Object.keys(json)) {
    if (key === "values") {
      ids.push(...readIds(json));
    } else if (takesCommon(key, json[key])) {
      objectField("ids", json, key, () => readDeclared("ids", json, key, options));
    } else if (ID_KEYS.includes(key)) throw asParsingError(wrongKind("ids", json, key));
    else throw asParsingError(contentError(json, { key }, `[ids] unknown field [${key}]${suggestion(key, ID_KEYS)}`));
  }
  return makeBuilder(
    "ids",
    options,
    (context) => documentsById(ids, context),
    () => ids.length === 0,
  );
};
