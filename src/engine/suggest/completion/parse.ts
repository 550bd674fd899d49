/** The `completion` suggester's options (CompletionSuggestionBuilder, FuzzyOptions, RegexOptions). */
import {
  bool,
  type FieldReader,
  field,
  int,
  intFrom,
  readObject,
  text,
} from "../../aggregations/support/object-parser.ts";
import { EngineError, illegalArgument } from "../../errors.ts";
import { parseJson, positionOf } from "../../json/parse.ts";
import type { JsonObject } from "../../json/types.ts";
import { writeJson } from "../../json/write.ts";
import { REGEXP_FLAGS } from "../../query/automaton/regexp.ts";
import { DEFAULT_LIMIT } from "../../query/automaton/wildcard.ts";
import { parseFuzziness } from "../../query/dsl/fuzziness.ts";
import { parseFlags } from "../../query/dsl/multi-term.ts";
import { isObject, readInt } from "../../query/dsl/read.ts";
import { commonOptions, positiveSize } from "../common-options.ts";
import type { Suggester } from "../types.ts";
import { completionSuggester } from "./completion.ts";
import type { CompletionOptions, FuzzyOptions, RegexOptions } from "./options.ts";

const notNegative = (name: string) => intFrom(0, () => `${name} must not be negative`);

interface FuzzyBody {
  min_length: number;
  max_determinized_states: number;
  unicode_aware: boolean;
  prefix_length: number;
  transpositions: boolean;
  fuzziness: number;
}

/** Without a text the length that `AUTO` goes by is unknown: one edit (Fuzziness.asDistance). */
const fuzziness: FieldReader<number> = field(["string", "number", "boolean"], (value) => {
  const parsed = parseFuzziness(value);
  return "edits" in parsed ? parsed.edits : 1;
});

const FUZZY: { readonly [K in keyof FuzzyBody]: FieldReader<FuzzyBody[K]> } = {
  min_length: notNegative("fuzzyMinLength"),
  max_determinized_states: notNegative("maxDeterminizedStates"),
  unicode_aware: bool,
  prefix_length: notNegative("fuzzyPrefixLength"),
  transpositions: bool,
  fuzziness,
};

function parseFuzzy(json: JsonObject): FuzzyOptions {
  const body = readObject<FuzzyBody>("fuzzy", json, FUZZY);
  return {
    maxEdits: body.fuzziness ?? 1,
    transpositions: body.transpositions ?? true,
    minLength: body.min_length ?? 3,
    prefixLength: body.prefix_length ?? 1,
    unicodeAware: body.unicode_aware ?? false,
  };
}

interface RegexBody {
  max_determinized_states: number;
  flags: number;
  flags_value: number;
}

const flags: FieldReader<number> = field(["string", "number", "boolean"], (value, json, key) => {
  if (typeof value === "string") return parseFlags(value);
  if (typeof value === "boolean") throw new EngineError("parse_exception", "regex flags supports string or number");
  return readInt(value, json, key);
});

const REGEX: { readonly [K in keyof RegexBody]: FieldReader<RegexBody[K]> } = {
  max_determinized_states: notNegative("maxDeterminizedStates"),
  flags,
  flags_value: flags,
};

function parseRegex(json: JsonObject): RegexOptions {
  const body = readObject<RegexBody>("regex", json, REGEX);
  return {
    flags: body.flags ?? body.flags_value ?? REGEXP_FLAGS.ALL,
    limit: body.max_determinized_states ?? DEFAULT_LIMIT,
  };
}

export const DEFAULT_REGEX: RegexOptions = { flags: REGEXP_FLAGS.ALL, limit: DEFAULT_LIMIT };

interface Body {
  fuzzy: FuzzyOptions | undefined;
  regex: RegexOptions;
  field: string;
  analyzer: string;
  size: number;
  shard_size: number;
  contexts: JsonObject;
  context: never;
  skip_duplicates: boolean;
}

/** Elasticsearch reads what was given again, on each shard: its errors count columns in what it has written for that. */
const contexts: FieldReader<JsonObject> = field(
  ["object"],
  (value) => parseJson(writeJson(value), { positions: true }) as JsonObject,
);

const context: FieldReader<never> = (json, key) => {
  const { line = 1, col = 1 } = positionOf(json, { value: key }) ?? {};
  const reason = `deprecated fields not supported in [completion] but got [context] at [${line}:${col}] which has been replaced with [contexts]`;
  throw new EngineError("unsupported_operation_exception", reason, { status: 500 });
};

const FIELDS: { readonly [K in keyof Body]: FieldReader<Body[K]> } = {
  fuzzy: field(["object", "boolean"], (value) =>
    isObject(value) ? parseFuzzy(value) : value === true ? parseFuzzy({}) : undefined,
  ),
  regex: field(["object"], (value) => parseRegex(value as JsonObject)),
  field: text,
  analyzer: text,
  size: field(["number", "string"], (value, json, key) => positiveSize(readInt(value, json, key))),
  shard_size: int,
  contexts,
  context,
  skip_duplicates: bool,
};

export function parseCompletionSuggester(json: JsonObject): Suggester {
  const body = readObject<Body>("completion", json, FIELDS);
  if (body.field === "") throw illegalArgument("suggestion field name is empty");
  const common = commonOptions({
    ...(body.field === undefined ? {} : { field: body.field }),
    ...(body.analyzer === undefined ? {} : { analyzer: body.analyzer }),
    ...(body.size === undefined ? {} : { size: body.size }),
    ...(body.shard_size === undefined ? {} : { shardSize: body.shard_size }),
  });
  const options: CompletionOptions = {
    ...common,
    ...(body.fuzzy ? { fuzzy: body.fuzzy } : {}),
    ...(body.regex ? { regex: body.regex } : {}),
    ...(body.contexts ? { contexts: body.contexts } : {}),
    skipDuplicates: body.skip_duplicates ?? false,
  };
  return completionSuggester(options);
}
