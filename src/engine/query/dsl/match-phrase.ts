/** match_phrase: the terms of a text next to each other, or at most `slop` moves away from that. */
import { illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { makeBuilder } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { readZeroTerms } from "./match.ts";
import { checkAnalyzer, type FieldMatch, fieldMatchQuery } from "./match-field.ts";
import type { QueryParser } from "./parse.ts";
import { atOption, errorAt, isArray, isObject, onlyField, readInt, readText, textOf, tokenName } from "./read.ts";

type PhraseOptions = { -readonly [K in keyof FieldMatch]: FieldMatch[K] } & { boost?: number; queryName?: string };

export const parseMatchPhrase: QueryParser = (json) => {
  const options: PhraseOptions = { type: "phrase" };
  let fieldName: string | undefined;
  let text: JsonValue | undefined;
  for (const [key, inner] of Object.entries(json)) {
    fieldName = onlyField("match_phrase", json, key, fieldName);
    if (isArray(inner)) readText(json, key);
    if (!isObject(inner)) {
      text = inner ?? undefined;
      continue;
    }
    for (const [option, value] of Object.entries(inner)) {
      if (textOf(value) === undefined)
        throw errorAt(inner, { value: option }, `[match_phrase] unknown token [${tokenName(value)}] after [${option}]`);
      atOption(inner, option, () => {
        if (option === "query") text = value;
        else if (option === "analyzer") options.analyzer = textOf(value);
        else if (option === "slop") options.slop = readInt(value, inner, option);
        else if (option === "zero_terms_query") options.zeroTermsQuery = readZeroTerms(inner, option);
        else if (!readCommon(inner, option, options))
          throw errorAt(inner, { value: option }, `[match_phrase] query does not support [${option}]`);
      });
    }
  }
  if (!fieldName) throw illegalArgument("[match_phrase] requires fieldName");
  if (text === undefined) throw illegalArgument("[match_phrase] requires query value");
  if (options.slop !== undefined && options.slop < 0) throw illegalArgument("No negative slop allowed.");
  const [name, wanted] = [fieldName, text];
  return makeBuilder("match_phrase", options, (context) => {
    checkAnalyzer("match_phrase", options.analyzer, context);
    return fieldMatchQuery(name, wanted, options, context);
  });
};
