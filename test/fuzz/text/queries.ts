/** Queries on text with the options that the ordinary ones of `../queries.ts` leave out. */
import type { Random } from "../random.ts";
import type { Field, Json, JsonMap, World } from "../world.ts";
import { analyzerNames } from "./world.ts";

export interface Parts {
  readonly random: Random;
  readonly world: World;
  /** Fields that may be asked for here. */
  readonly fields: readonly Field[];
  readonly texts: readonly Field[];
  /** A few words that stand in some document. */
  words(): string;
  /** A value as documents have it, or nearly. */
  termOf(field: Field): Json;
  /** A query within this one. */
  again(): JsonMap;
}

const MSM: readonly Json[] = [
  1,
  2,
  "2",
  -1,
  "50%",
  "-30%",
  "2<75%",
  "3<-1 5<50%",
  "1<2 3<50%",
  "0%",
  "100%",
  100,
  "-100%",
];
const PATTERNS = ["*", "t*", "*.raw", "ob.*", "ne.*", "k*", "zz", "_id", "t*^2", "*1^0.5"];

function maker(random: Random): { options: JsonMap; maybe(n: number, key: string, value: () => Json): void } {
  const options: JsonMap = {};
  return {
    options,
    maybe(n, key, value) {
      if (random.oneIn(n)) options[key] = value();
    },
  };
}

/** @returns one of the queries, most of whose options are left at their defaults */
export function seldomQueryOf(parts: Parts): JsonMap {
  const { random, fields, texts, words, again, termOf } = parts;
  const field = random.pick(fields);
  const asked = texts.length > 0 && !random.oneIn(5) ? random.pick(texts) : field;
  const analyzer = () => random.pick(analyzerNames);
  const { options, maybe } = maker(random);
  maybe(6, "boost", () => random.pick<Json>([0, 0.5, 2, "3", 1e-3]));
  maybe(5, "_name", () => random.pick(["one", "two", "", "名称"]));
  const fuzzy = () => {
    maybe(4, "fuzziness", () => random.pick<Json>([0, 1, 2, "AUTO", "auto:1,2", "1", "AUTO:3", 1.5]));
    maybe(6, "prefix_length", () => random.int(0, 3));
    maybe(6, "max_expansions", () => random.int(1, 3));
    maybe(8, "fuzzy_transpositions", () => random.oneIn(2));
    maybe(8, "fuzzy_rewrite", () => random.pick(["constant_score", "top_terms_2", "scoring_boolean", "nope"]));
  };
  const matching = () => {
    maybe(3, "operator", () => random.pick(["and", "or", "OR"]));
    maybe(3, "minimum_should_match", () => random.pick(MSM));
    maybe(5, "analyzer", analyzer);
    maybe(8, "lenient", () => random.oneIn(2));
    maybe(8, "zero_terms_query", () => random.pick(["all", "none", "ALL"]));
    maybe(8, "auto_generate_synonyms_phrase_query", () => random.oneIn(2));
  };
  return random.pick<() => JsonMap>([
    () => {
      matching();
      fuzzy();
      return { match: { [asked.name]: { query: words(), ...options } } };
    },
    () => {
      maybe(2, "slop", () => random.int(0, 5));
      maybe(2, "max_expansions", () => random.pick([0, 1, 2, 50]));
      maybe(5, "analyzer", analyzer);
      maybe(5, "zero_terms_query", () => random.pick(["all", "none"]));
      return { match_phrase_prefix: { [asked.name]: { query: cut(random, words()), ...options } } };
    },
    () => {
      matching();
      delete options.lenient;
      delete options.zero_terms_query;
      delete options.auto_generate_synonyms_phrase_query;
      fuzzy();
      return { match_bool_prefix: { [asked.name]: { query: cut(random, words()), ...options } } };
    },
    () => {
      const types = ["best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix"];
      maybe(2, "type", () => random.pick(types));
      maybe(3, "tie_breaker", () => random.pick([0, 0.3, 1]));
      matching();
      if (random.oneIn(3)) fuzzy();
      maybe(6, "slop", () => random.int(0, 3));
      const names = [...fields.map(({ name }) => name), ...PATTERNS];
      const of: JsonMap = random.oneIn(6)
        ? {}
        : { fields: random.oneIn(6) ? random.pick(names) : random.some(names, 0, 4) };
      return { multi_match: { query: cut(random, words()), ...of, ...options } };
    },
    () => likeOf(parts, options),
    () => {
      maybe(3, "relation", () => random.pick(["intersects", "within", "CONTAINS"]));
      maybe(4, "format", () => random.pick(["yyyy", "yyyy-MM-dd", "epoch_millis", "strict_date"]));
      maybe(4, "time_zone", () => random.pick(["+08:00", "Asia/Shanghai", "UTC", "nope"]));
      const bounds: JsonMap = random.oneIn(3)
        ? { from: termOf(field), to: random.oneIn(3) ? null : termOf(field), include_lower: random.oneIn(2) }
        : { [random.pick(["gt", "gte"])]: termOf(field), [random.pick(["lt", "lte"])]: termOf(field) };
      return { range: { [field.name]: { ...bounds, ...options } } };
    },
    () => {
      maybe(2, "case_insensitive", () => random.oneIn(2));
      return { term: { [field.name]: { value: termOf(field), ...options } } };
    },
    () => {
      maybe(2, "flags", () =>
        random.pick<Json>(["ALL", "NONE", "INTERSECTION|COMPLEMENT", "ANYSTRING", "INTERVAL", "x"]),
      );
      maybe(4, "max_determinized_states", () => random.pick([1, 20, 10000]));
      maybe(4, "case_insensitive", () => true);
      const begun = cut(random, String(termOf(field)));
      const value = random.pick([
        `${begun}.*`,
        `~${begun}`,
        `${begun}&.*`,
        "@",
        "<1-9>.*",
        "(a|b)+",
        "[",
        "a{2,",
        "#",
        "",
      ]);
      return { regexp: { [field.name]: { value, ...options } } };
    },
    () => {
      const [path, ignored] = random.pick<[string, Json]>([
        ["ne", false],
        ["ob", true],
        ["zz", true],
        ["zz", false],
      ]);
      return { nested: { path, query: again(), ignore_unmapped: ignored, ...options } };
    },
    () => ({
      // Which of the fields that cannot be asked for is named first is a matter of luck.
      exists: { field: random.pick([...PATTERNS.slice(1), field.name, "ob", "ne", "_source"]), ...options },
    }),
    () => ({
      bool: { must: again(), should: [again(), again(), again()], minimum_should_match: random.pick(MSM), ...options },
    }),
    () => ({ bool: { filter: [again()], must_not: random.oneIn(2) ? again() : [], ...options } }),
    () => ({ dis_max: { queries: [again(), again()], tie_breaker: random.pick([0, 0.7, 1]), ...options } }),
    () => ({ constant_score: { filter: again(), ...options } }),
    () => ({
      boosting: { positive: again(), negative: again(), negative_boost: random.pick([0, 0.5, 3]), ...options },
    }),
    () => ({
      span_near: { clauses: spans(parts, asked), slop: random.int(0, 4), in_order: random.oneIn(2), ...options },
    }),
    () => ({ span_or: { clauses: spans(parts, asked), ...options } }),
  ])();
}

function cut(random: Random, text: string): string {
  return random.oneIn(2) ? text : text.slice(0, random.int(0, text.length));
}

/** Spans of which one may be of another field that passes for this one. */
function spans({ random, fields, words }: Parts, { name }: Field): JsonMap[] {
  const term = (field: string): JsonMap => {
    const word = random.pick(words().toLowerCase().split(/\s/));
    return { span_term: { [field]: random.oneIn(3) ? { value: word, boost: random.pick([0.5, 2]) } : word } };
  };
  return Array.from({ length: random.int(1, 3) }, () =>
    random.oneIn(3)
      ? { span_field_masking: { query: term(random.pick(fields).name), field: name } }
      : random.oneIn(30)
        ? { span_gap: { [name]: random.int(0, 2) } }
        : term(name),
  );
}

function likeOf({ random, world, fields, texts, words }: Parts, options: JsonMap): JsonMap {
  const named = world.fields.filter(({ type }) => type === "text");
  const document = (): JsonMap => ({ doc: Object.fromEntries(named.slice(0, 2).map(({ name }) => [name, words()])) });
  const like = (): Json =>
    random.pick<() => Json>([
      words,
      () => ({ _id: String(random.int(0, 20)) }),
      document,
      () => ({ _id: "1", fields: [random.pick(fields).name] }),
    ])();
  const of: JsonMap = random.oneIn(4)
    ? {}
    : { fields: random.some(texts.length > 0 ? texts : fields, 1, 3).map(({ name }) => name) };
  const more: JsonMap = {};
  const maybe = (n: number, key: string, value: () => Json) => {
    if (random.oneIn(n)) more[key] = value();
  };
  maybe(2, "min_term_freq", () => 1);
  maybe(2, "min_doc_freq", () => random.int(1, 2));
  maybe(5, "max_doc_freq", () => random.int(1, 10));
  maybe(5, "min_word_length", () => random.int(0, 3));
  maybe(5, "max_word_length", () => random.int(0, 6));
  maybe(5, "max_query_terms", () => random.int(1, 4));
  maybe(5, "stop_words", () => ["the", "fox", "的"]);
  maybe(5, "boost_terms", () => random.pick([0, 1, 2.5]));
  maybe(5, "include", () => random.oneIn(2));
  maybe(6, "analyzer", () => random.pick(analyzerNames));
  maybe(6, "fail_on_unsupported_field", () => random.oneIn(2));
  maybe(5, "unlike", like);
  maybe(4, "minimum_should_match", () => random.pick(MSM));
  return { more_like_this: { ...of, like: random.oneIn(3) ? [like(), like()] : like(), ...more, ...options } };
}
