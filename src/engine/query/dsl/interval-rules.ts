/** The rules of an `intervals` query, and the sources of intervals that they stand for in an index (IntervalsSourceProvider). */
import { normalizeTerm } from "../../analysis/index.ts";
import type { Analyzer } from "../../analysis/types.ts";
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { REGEXP_FLAGS } from "../automaton/regexp.ts";
import { DEFAULT_LIMIT } from "../automaton/wildcard.ts";
import {
  anyIntervals,
  fixedFieldIntervals,
  INTERVAL_FILTERS,
  type IntervalsSource,
  multiTermIntervals,
} from "../lucene/interval-sources.ts";
import type { TermMatcher } from "../lucene/multi-term.ts";
import { fuzzyMatcher, prefixMatcher, rangeMatcher, regexpMatcher, wildcardMatcher } from "../lucene/term-matchers.ts";
import { intervalsOfBeginning } from "./beginnings.ts";
import type { QueryContext } from "./builder.ts";
import { MAX_CLAUSES } from "./compound.ts";
import { compiled } from "./field-terms.ts";
import { AUTO, type Fuzziness, maxEdits, parseFuzziness } from "./fuzziness.ts";
import { checkPositions, combineSources, textIntervals } from "./interval-text.ts";
import {
  contentError,
  errorAt,
  inField,
  isArray,
  isObject,
  located,
  readBoolean,
  readInt,
  textOf,
  tokenName,
  unknownKey,
  wrongKind,
} from "./read.ts";

/** The field that a rule is about, under the name that was given. */
export interface IntervalField {
  readonly name: string;
  readonly field: MappedField;
}

export interface IntervalRule {
  /** Other fields that it names: where the index lacks one, nothing is found. */
  readonly fields: readonly string[];
  source(context: QueryContext, field: IntervalField): IntervalsSource;
}

/** What the settings of the rules are, by their kinds in the body. */
interface Settings {
  readonly text: Map<string, string>;
  readonly number: Map<string, number>;
  readonly truth: Map<string, boolean>;
  rules: readonly IntervalRule[];
  filter?: IntervalFilter;
  fuzziness: Fuzziness;
}

type Kind = "text" | "number" | "truth" | "rules" | "filter" | "fuzziness";

interface Rule {
  readonly settings: Readonly<Record<string, Kind>>;
  readonly required?: string;
  make(settings: Settings): IntervalRule;
}

type IntervalFilter = (source: IntervalsSource, context: QueryContext, field: IntervalField) => IntervalsSource;

/** The rule under a key. */
export function readRule(json: JsonObject, name: string): IntervalRule {
  if (!Object.hasOwn(RULES, name)) {
    const known = "[match, any_of, all_of, prefix, wildcard, regexp, range]";
    throw errorAt(json, { key: name }, `Unknown interval type [${name}], expecting one of ${known}`);
  }
  const body = json[name];
  if (!isObject(body)) {
    throw contentError(json, { value: name }, `[${name}] Expected START_OBJECT but was: ${tokenName(body)}`);
  }
  const rule = RULES[name];
  const settings: Settings = {
    text: new Map(),
    number: new Map(),
    truth: new Map(),
    rules: [],
    fuzziness: AUTO,
  };
  for (const key of Object.keys(body)) {
    if (!Object.hasOwn(rule.settings, key)) {
      throw unknownKey(name, body, key, Object.keys(rule.settings));
    }
    const kind = rule.settings[key];
    if (!TAKES[kind](body[key])) throw wrongKind(name, body, key);
    inField(name, body, key, () => readSetting(body, key, kind, settings));
  }
  const { required } = rule;
  if (required !== undefined && !Object.hasOwn(body, required)) {
    throw located(illegalArgument(`Required [${required}]`), body, "end");
  }
  try {
    return rule.make(settings);
  } catch (error) {
    throw error instanceof EngineError ? located(error, body, "end") : error;
  }
}

/** Which kinds of values an ObjectParser takes for a setting. */
const TAKES: Readonly<Record<Kind, (value: JsonValue) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => textOf(value) !== undefined && typeof value !== "boolean",
  truth: (value) => typeof value === "boolean" || typeof value === "string",
  rules: (value) => isObject(value) || isArray(value),
  filter: (value) => isObject(value),
  fuzziness: (value) => !isObject(value) && !isArray(value),
};

function readSetting(json: JsonObject, key: string, kind: Kind, settings: Settings): void {
  const value = json[key];
  if (kind === "text") settings.text.set(key, textOf(value) ?? "");
  else if (kind === "number") settings.number.set(key, readInt(value, json, key));
  else if (kind === "truth") settings.truth.set(key, readBoolean(value));
  else if (kind === "fuzziness") settings.fuzziness = parseFuzziness(value);
  else if (kind === "filter" && isObject(value)) settings.filter = readFilter(value);
  else if (isObject(value)) settings.rules = [onlyRule(value)];
  else if (isArray(value)) settings.rules = value.map((item, i) => listedRule(value, item, i));
}

/** An object with one rule. */
function onlyRule(json: JsonObject): IntervalRule {
  const [name, second] = Object.keys(json);
  if (name === undefined) throw errorAt(json, "end", "Expected [FIELD_NAME] but got [END_OBJECT]");
  const rule = readRule(json, name);
  if (second !== undefined) throw errorAt(json, { key: second }, "Expected [END_OBJECT] but got [FIELD_NAME]");
  return rule;
}

function listedRule(list: readonly JsonValue[], item: JsonValue, i: number): IntervalRule {
  if (isObject(item)) return onlyRule(item);
  if (isArray(item)) {
    const error = new EngineError("illegal_state_exception", "expected value but got [START_ARRAY]", { status: 500 });
    throw located(error, list, { value: i });
  }
  // The reader takes the scalar for the rule's bracket, and looks at what follows.
  const [at, token] =
    i + 1 < list.length ? ([{ value: i + 1 }, tokenName(list[i + 1])] as const) : (["end", "END_ARRAY"] as const);
  throw errorAt(list, at, `Expected [FIELD_NAME] but got [${token}]`);
}

function readFilter(json: JsonObject): IntervalFilter {
  const [type, second] = Object.keys(json);
  if (type === undefined) throw errorAt(json, "end", "Expected [FIELD_NAME] but got [END_OBJECT]");
  if (type === "script") throw unsupported("script filters of intervals");
  const body = json[type];
  if (!isObject(body)) {
    throw errorAt(json, { value: type }, `Expected [START_OBJECT] but got [${tokenName(body)}]`);
  }
  const rule = onlyRule(body);
  if (second !== undefined) throw errorAt(json, { key: second }, "Expected [END_OBJECT] but got [FIELD_NAME]");
  const name = type.toLowerCase();
  return (source, context, field) => {
    const missing = rule.fields.find((other) => context.mapping.field(other) === undefined);
    // Elasticsearch stumbles over the missing field: a NullPointerException of its own.
    if (missing !== undefined) throw unsupported(`use_field [${missing}] in a filter, a field that the index lacks`);
    const other = rule.source(context, field);
    if (!Object.hasOwn(INTERVAL_FILTERS, name)) throw illegalArgument(`Unknown filter type [${name}]`);
    return INTERVAL_FILTERS[name](source, other);
  };
}

function filtered(
  { filter }: Settings,
  source: IntervalsSource,
  context: QueryContext,
  field: IntervalField,
): IntervalsSource {
  return filter ? filter(source, context, field) : source;
}

const fieldsOf = (rules: readonly IntervalRule[]) => rules.flatMap(({ fields }) => fields);

/** A rule for terms of the field, or of the one that it names instead. */
function ofTerms(
  settings: Settings,
  make: (field: IntervalField, analyzer: Analyzer | undefined) => IntervalsSource,
): IntervalRule {
  const useField = settings.text.get("use_field");
  const named = settings.text.get("analyzer");
  return {
    fields: useField === undefined ? [] : [useField],
    source(context, given) {
      const other = useField === undefined ? undefined : context.mapping.field(useField);
      const field = useField !== undefined && other ? { name: useField, field: other } : given;
      // An analyzer that the index does not know is left out.
      const analyzer = (named === undefined ? undefined : context.analysis.get(named)) ?? field.field.searchAnalyzer;
      const source = make(field, analyzer);
      return filtered(
        settings,
        useField === undefined ? source : fixedFieldIntervals(useField, source),
        context,
        field,
      );
    },
  };
}

/** A rule for all terms that match normalised texts. @param shown Lucene's text of it @param indexed what the index has ready for the first text */
function ofManyTerms(
  settings: Settings,
  texts: readonly string[],
  shown: (texts: readonly string[]) => string,
  matcher: (texts: readonly string[]) => TermMatcher,
  indexed?: (field: MappedField, text: string) => IntervalsSource | undefined,
): IntervalRule {
  return ofTerms(settings, ({ field }, analyzer) => {
    checkPositions(field, analyzer);
    const normal = texts.map((text) => (analyzer ? normalizeTerm(analyzer, text) : text));
    return (
      indexed?.(field, normal[0]) ??
      multiTermIntervals(
        compiled(() => matcher(normal)),
        shown(normal),
        MAX_CLAUSES,
      )
    );
  });
}

const TERMS = { analyzer: "text", use_field: "text" } as const;

const patternRule = (
  setting: string,
  end: string,
  matcher: (pattern: string) => TermMatcher,
  indexed?: (field: MappedField, text: string) => IntervalsSource | undefined,
): Rule => ({
  settings: { [setting]: "text", ...TERMS },
  required: setting,
  make(settings) {
    const pattern = settings.text.get(setting) ?? "";
    return ofManyTerms(
      settings,
      [pattern],
      ([text]) => text + end,
      ([text]) => matcher(text),
      indexed,
    );
  },
});

/** One of two settings that exclude each other. */
function oneOf({ text }: Settings, inclusive: string, exclusive: string): { term: string; inclusive: boolean } {
  const [including, excluding] = [text.get(inclusive), text.get(exclusive)];
  if ((including === undefined) === (excluding === undefined)) {
    const cause = illegalArgument(`Either [${inclusive}] or [${exclusive}], one of them must be provided`);
    const reason = "Failed to build [range] after last required field arrived";
    throw new EngineError("x_content_parse_exception", reason, { cause });
  }
  return { term: including ?? excluding ?? "", inclusive: including !== undefined };
}

const RULES: Readonly<Record<string, Rule>> = {
  match: {
    settings: {
      query: "text",
      max_gaps: "number",
      ordered: "truth",
      analyzer: "text",
      filter: "filter",
      use_field: "text",
    },
    required: "query",
    make(settings) {
      const { text, number, truth } = settings;
      return ofTerms(settings, ({ field }, analyzer) =>
        textIntervals(field, analyzer, text.get("query") ?? "", number.get("max_gaps"), truth.get("ordered")),
      );
    },
  },
  any_of: {
    settings: { intervals: "rules", filter: "filter" },
    required: "intervals",
    make: (settings) => ({
      fields: fieldsOf(settings.rules),
      source(context, field) {
        const sources = settings.rules.map((rule) => rule.source(context, field));
        return filtered(settings, anyIntervals(sources), context, field);
      },
    }),
  },
  all_of: {
    settings: { ordered: "truth", intervals: "rules", max_gaps: "number", filter: "filter" },
    required: "intervals",
    make: (settings) => ({
      fields: fieldsOf(settings.rules),
      source(context, field) {
        const sources = settings.rules.map((rule) => rule.source(context, field));
        const combined = combineSources(sources, settings.number.get("max_gaps"), settings.truth.get("ordered"));
        return filtered(settings, combined, context, field);
      },
    }),
  },
  prefix: patternRule("prefix", "*", (prefix) => prefixMatcher(prefix, false), intervalsOfBeginning),
  wildcard: patternRule("pattern", "", (pattern) => wildcardMatcher(pattern, false, false)),
  regexp: patternRule("pattern", "", (pattern) =>
    regexpMatcher(pattern, { flags: REGEXP_FLAGS.ALL, ignoreCase: false, limit: DEFAULT_LIMIT }, false),
  ),
  fuzzy: {
    settings: {
      term: "text",
      prefix_length: "number",
      transpositions: "truth",
      fuzziness: "fuzziness",
      ...TERMS,
    },
    required: "term",
    make(settings) {
      const { text, number, truth, fuzziness } = settings;
      const word = text.get("term") ?? "";
      const prefixLength = number.get("prefix_length") ?? 0;
      return ofManyTerms(
        settings,
        [word],
        ([term]) => term,
        ([term]) => {
          if (prefixLength < 0) throw illegalArgument("prefixLength cannot be negative.");
          const transpositions = truth.get("transpositions") ?? true;
          return fuzzyMatcher(term, { maxEdits: maxEdits(fuzziness, word), prefixLength, transpositions });
        },
      );
    },
  },
  range: {
    settings: { gte: "text", gt: "text", lte: "text", lt: "text", ...TERMS },
    make(settings) {
      const lower = oneOf(settings, "gte", "gt");
      const upper = oneOf(settings, "lte", "lt");
      return ofManyTerms(
        settings,
        [lower.term, upper.term],
        ([from, to]) => `{${from},${to}}`,
        ([from, to]) => rangeMatcher({ ...lower, term: from }, { ...upper, term: to }),
      );
    },
  },
};
