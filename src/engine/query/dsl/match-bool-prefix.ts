/** match_bool_prefix: the terms of a text as clauses, the last one as the beginning of a term. */
import { illegalArgument } from "../../errors.ts";
import { makeBuilder } from "./builder.ts";
import { readFieldText } from "./field-text.ts";
import { defaultMatchOptions, fuzzyOptions, readMatchOption } from "./match.ts";
import { checkAnalyzer, fieldMatchQuery } from "./match-field.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";

/** Options of match that this query does not have. */
const MATCH_ONLY = ["zero_terms_query", "lenient", "auto_generate_synonyms_phrase_query"];

export const parseMatchBoolPrefix: QueryParser = (json) => {
  const name = "match_bool_prefix";
  const options = defaultMatchOptions();
  const { field, text } = readFieldText(
    name,
    json,
    (inner, option) => !MATCH_ONLY.includes(option) && readMatchOption(name, inner, option, options),
  );
  if (!field) throw illegalArgument(`[${name}] requires fieldName`);
  if (text === undefined) throw illegalArgument(`[${name}] requires query value`);
  return makeBuilder(name, options, (context) => {
    checkAnalyzer(name, options.analyzer, context);
    const match = { ...options, type: "bool_prefix", fuzzy: fuzzyOptions(options) } as const;
    const query = fieldMatchQuery(field, text, match, context);
    return applyMinimumShouldMatch(query, options.minimumShouldMatch);
  });
};
