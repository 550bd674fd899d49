/** prefix, wildcard, regexp and fuzzy: documents with a term that matches. */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { REGEXP_FLAGS } from "../automaton/regexp.ts";
import { DEFAULT_LIMIT } from "../automaton/wildcard.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryBuilder, type QueryContext } from "./builder.ts";
import { readCommon } from "./compound.ts";
import {
  fieldFuzzyQuery,
  fieldPrefixQuery,
  fieldRegexpQuery,
  fieldWildcardQuery,
  unmappedRegexpQuery,
} from "./field-terms.ts";
import { AUTO, parseFuzziness } from "./fuzziness.ts";
import type { QueryParser } from "./parse.ts";
import {
  atOption,
  errorAt,
  isArray,
  isObject,
  onlyField,
  readBoolean,
  readInt,
  readText,
  textOf,
  tokenName,
} from "./read.ts";
import { parseRewriteMethod } from "./rewrite-method.ts";
import { checkTermLength, unmapped } from "./term-level.ts";

interface Options {
  boost?: number;
  queryName?: string;
  value?: JsonValue;
  rewrite?: string | undefined;
}

interface Form<O extends Options> {
  readonly name: string;
  readonly options: () => O;
  /** Reads an option's value; false for one that the query does not have. */
  readonly read: (json: JsonObject, option: string, options: O) => boolean;
  /** Null stands for no value where the query reads `textOrNull`. */
  readonly nullable: boolean;
}

/** Reads `{field: value}` or `{field: {value: …, option: …}}`. */
function readForm<O extends Options>(form: Form<O>, json: JsonObject): { field: string; options: O } {
  let field: string | undefined;
  let options = form.options();
  const text = (container: JsonObject, key: string) =>
    form.nullable && container[key] === null ? undefined : readText(container, key);
  for (const [key, inner] of Object.entries(json)) {
    field = onlyField(form.name, json, key, field);
    if (!isObject(inner)) {
      options.value = text(json, key);
      continue;
    }
    options = form.options();
    for (const option of Object.keys(inner)) {
      const known = atOption(inner, option, () => {
        if (option === "value") options.value = text(inner, option);
        else if (option === "rewrite") options.rewrite = inner[option] === null ? undefined : readText(inner, option);
        else return form.read(inner, option, options) || readCommon(inner, option, options);
        return true;
      });
      if (!known) throw errorAt(inner, { value: option }, `[${form.name}] query does not support [${option}]`);
    }
  }
  if (!field) throw illegalArgument("field name is null or empty");
  if (options.value === undefined) throw illegalArgument("value cannot be null");
  return { field, options };
}

function onField<O extends Options>(
  name: string,
  { field, options }: { field: string; options: O },
  build: (field: MappedField, value: string, context: QueryContext) => Query,
): QueryBuilder {
  const value = textOf(options.value) ?? "";
  return makeBuilder(name, options, (context) => build(context.mapping.field(field)!, value, context), unmapped(field));
}

interface PatternOptions extends Options {
  ignoreCase: boolean;
}

function readPattern(json: JsonObject, option: string, options: PatternOptions): boolean {
  if (option !== "case_insensitive") return false;
  options.ignoreCase = readBoolean(json[option]);
  return true;
}

const PREFIX: Form<PatternOptions> = {
  name: "prefix",
  options: () => ({ ignoreCase: false }),
  read: readPattern,
  nullable: true,
};

export interface PrefixRequest {
  readonly value: string;
  readonly rewrite: string | undefined;
}

/** The part of a prefix query that span_multi takes over. */
export function readPrefix(json: JsonObject): PrefixRequest {
  const { value, rewrite } = readForm(PREFIX, json).options;
  return { value: textOf(value) ?? "", rewrite };
}

export const parsePrefix: QueryParser = (json) => {
  const read = readForm(PREFIX, json);
  return onField("prefix", read, (field, value, context) => {
    checkLength("prefix", value, context);
    const { ignoreCase, rewrite } = read.options;
    return fieldPrefixQuery(field, value, { ignoreCase, rewrite: parseRewriteMethod(rewrite) }, context);
  });
};

const WILDCARD: Form<PatternOptions> = {
  name: "wildcard",
  options: () => ({ ignoreCase: false }),
  read(json, option, options) {
    if (option !== "wildcard") return readPattern(json, option, options);
    options.value = readText(json, option);
    return true;
  },
  nullable: false,
};

export const parseWildcard: QueryParser = (json) => {
  const read = readForm(WILDCARD, json);
  return onField("wildcard", read, (field, value, context) => {
    const { ignoreCase, rewrite } = read.options;
    return fieldWildcardQuery(field, value, { ignoreCase, rewrite: parseRewriteMethod(rewrite) }, context);
  });
};

interface RegexpForm extends PatternOptions {
  flags: number;
  limit: number;
}

/** Names of operators with `|` between them; nothing between them means all. */
export function parseFlags(text: string): number {
  if (text === "") return REGEXP_FLAGS.ALL;
  let flags = 0;
  for (const part of text.split("|")) {
    if (part === "") continue;
    const name = part.toUpperCase();
    const flag = name === "AUTOMATON" ? undefined : Object.entries(REGEXP_FLAGS).find(([known]) => known === name);
    if (!flag) throw illegalArgument(`Unknown regexp flag [${part}]`);
    flags |= flag[1];
  }
  return flags;
}

const REGEXP: Form<RegexpForm> = {
  name: "regexp",
  options: () => ({ ignoreCase: false, flags: REGEXP_FLAGS.ALL, limit: DEFAULT_LIMIT }),
  read(json, option, options) {
    const value = json[option];
    if (option === "flags") options.flags = value === null ? REGEXP_FLAGS.ALL : parseFlags(readText(json, option));
    else if (option === "flags_value") options.flags = readInt(value);
    else if (option === "max_determinized_states") options.limit = readInt(value);
    else return readPattern(json, option, options);
    return true;
  },
  nullable: true,
};

/** The only one of its kind that a field which is not mapped leaves as it is: the queries around it are built. */
export const parseRegexp: QueryParser = (json) => {
  const { field: name, options } = readForm(REGEXP, json);
  const value = textOf(options.value) ?? "";
  return makeBuilder("regexp", options, (context) => {
    checkLength("regex", value, context);
    const { ignoreCase, flags, limit } = options;
    const rewrite = parseRewriteMethod(options.rewrite);
    const field = context.mapping.field(name);
    if (field) return fieldRegexpQuery(field, value, { ignoreCase, flags, limit, rewrite }, context);
    return unmappedRegexpQuery(name, value, { ignoreCase, flags, limit, rewrite });
  });
};

/** `index.max_regex_length`, which prefixes keep to as well */
export function checkLength(kind: "regex" | "prefix", value: string, { maxRegexLength }: QueryContext): void {
  if (value.length <= maxRegexLength) return;
  const query = kind === "regex" ? "Regexp" : "Prefix";
  throw illegalArgument(
    `The length of ${kind} [${value.length}] used in the ${query} Query request has exceeded the allowed maximum of [${maxRegexLength}]. ` +
      "This maximum can be set by changing the [index.max_regex_length] index level setting.",
  );
}

export const parseFuzzy: QueryParser = (json) => {
  const fresh = () => ({
    ...({} as Options),
    fuzziness: AUTO,
    prefixLength: 0,
    maxExpansions: 50,
    transpositions: true,
  });
  let options = fresh();
  let name: string | undefined;
  for (const [key, inner] of Object.entries(json)) {
    name = onlyField("fuzzy", json, key, name);
    if (isArray(inner)) {
      const second = inner.length === 0 ? key : "null";
      throw errorAt(
        inner,
        inner.length === 0 ? "end" : { value: 0 },
        `[fuzzy] query doesn't support multiple fields, found [${key}] and [${second}]`,
      );
    }
    if (!isObject(inner)) {
      options.value = inner === null ? undefined : inner;
      continue;
    }
    options = fresh();
    for (const [option, value] of Object.entries(inner)) {
      if (textOf(value) === undefined) {
        throw errorAt(inner, { value: option }, `[fuzzy] unexpected token [${tokenName(value)}] after [${option}]`);
      }
      const known = atOption(inner, option, () => {
        if (option === "value" || option === "term") options.value = value;
        else if (option === "fuzziness") options.fuzziness = parseFuzziness(value);
        else if (option === "prefix_length") options.prefixLength = readInt(value);
        else if (option === "max_expansions") options.maxExpansions = readInt(value);
        else if (option === "transpositions") options.transpositions = readBoolean(value);
        else if (option === "rewrite") options.rewrite = readText(inner, option);
        else return readCommon(inner, option, options);
        return true;
      });
      if (!known) throw errorAt(inner, { value: option }, `[fuzzy] query does not support [${option}]`);
    }
  }
  if (!name) throw illegalArgument("field name cannot be null or empty");
  if (options.value === undefined) throw illegalArgument("query value cannot be null");
  checkTermLength(options.value);
  const field = name;
  const wanted = options.value;
  const { fuzziness, prefixLength, maxExpansions, transpositions, rewrite } = options;
  return makeBuilder(
    "fuzzy",
    options,
    (context) =>
      fieldFuzzyQuery(
        context.mapping.field(field)!,
        wanted,
        { fuzziness, prefixLength, maxExpansions, transpositions, rewrite: parseRewriteMethod(rewrite) },
        context,
      ),
    unmapped(field),
  );
};
