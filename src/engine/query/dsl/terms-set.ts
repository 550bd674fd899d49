/** terms_set: documents with as many of some terms as a field of theirs says, or as many as for minimum_should_match. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { numbersOf } from "../field-data.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { coveringQuery, type LeastMatches } from "../lucene/covering.ts";
import { termQuery } from "../lucene/term.ts";
import { makeBuilder, type QueryContext, queryShardError } from "./builder.ts";
import { checkClauseCount, readCommon } from "./compound.ts";
import { minimumShouldMatch } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, isArray, isObject, readText, textOf, tokenName } from "./read.ts";
import { fieldTermQuery } from "./term-level.ts";

interface TermsSetOptions {
  boost?: number;
  queryName?: string;
  terms: JsonValue[];
  field?: string;
  least?: string;
}

function readTerms(list: readonly JsonValue[]): JsonValue[] {
  return list.map((term, at) => {
    if (term === null) throw errorAt(list, { value: at }, "No value specified for terms query");
    if (isArray(term)) throw errorAt(list, "end", "[terms_set] unknown token [END_ARRAY] after [terms]");
    // Elasticsearch takes the braces and keys of an object for terms.
    if (isObject(term)) throw unsupported("an object among the terms of terms_set");
    return term;
  });
}

function readOptions(inner: JsonObject): TermsSetOptions {
  const options: TermsSetOptions = { terms: [] };
  for (const [option, value] of Object.entries(inner)) {
    if (isArray(value)) {
      if (option !== "terms") throw errorAt(inner, { value: option }, `[terms_set] query does not support [${option}]`);
      options.terms = readTerms(value);
    } else if (isObject(value) && option === "minimum_should_match_script") {
      if (options.field !== undefined || options.least !== undefined) {
        const reason = "A field or value has already been specified. Cannot specify both a script and a field or value";
        throw illegalArgument(reason);
      }
      throw unsupported("terms_set.minimum_should_match_script");
    } else if (isObject(value) || value === null) {
      throw errorAt(inner, { value: option }, `[terms_set] unknown token [${tokenName(value)}] after [${option}]`);
    } else if (option === "minimum_should_match_field") {
      if (options.least !== undefined) {
        const reason =
          "A script or value has already been specified. Cannot specify both a field and a script or value";
        throw illegalArgument(reason);
      }
      options.field = readText(inner, option);
    } else if (option === "minimum_should_match") {
      if (options.field !== undefined) {
        const reason =
          "A field or script has already been specified. Cannot specify both a value and a script or field";
        throw illegalArgument(reason);
      }
      options.least = textOf(value);
    } else if (!readCommon(inner, option, options)) {
      throw errorAt(inner, { value: option }, `[terms_set] query does not support [${option}]`);
    }
  }
  return options;
}

export const parseTermsSet: QueryParser = (json) => {
  const [name, second] = Object.keys(json);
  if (name === undefined) throw errorAt(json, "end", "[terms_set] unknown token [END_OBJECT]");
  const inner = json[name];
  if (!isObject(inner)) throw errorAt(json, { value: name }, `[terms_set] unknown token [${tokenName(inner)}]`);
  const options = readOptions(inner);
  if (second !== undefined) throw errorAt(json, { key: second }, "[terms_set] unknown token [FIELD_NAME]");
  return makeBuilder("terms_set", options, (context) => {
    const { terms } = options;
    if (terms.length === 0) return matchNoneQuery('No terms supplied for "terms_set" query.');
    checkClauseCount(terms.length);
    const least = leastMatches(options, context);
    const field = context.mapping.field(name);
    return coveringQuery(
      terms.map((term) => (field ? fieldTermQuery(field, term, context) : termQuery(name, textOf(term) ?? ""))),
      least,
    );
  });
};

function leastMatches({ field: name, least, terms }: TermsSetOptions, context: QueryContext): LeastMatches {
  if (name === undefined) {
    if (least === undefined) {
      throw new EngineError("illegal_state_exception", "No minimum should match has been specified");
    }
    const number = minimumShouldMatch(terms.length, least);
    return { text: `constant(${number})`, constant: number, of: () => () => number };
  }
  const field = context.mapping.field(name);
  if (!field) throw queryShardError(context, `failed to find minimum_should_match field [${name}]`);
  const numbers = numbersOf(field, context.indexName);
  return {
    text: `long(${name})`,
    of(leaf) {
      const { count, value } = numbers(leaf);
      return (doc) => (count(doc) > 0 ? Math.trunc(value(doc, 0)) : undefined);
    },
  };
}
