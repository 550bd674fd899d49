/** Random queries of every kind that there is, with options that are seldom used, and some that are wrong. */

import { innerHitsOf } from "./fetch.ts";
import { geoQueryOf } from "./geo.ts";
import { queryStringOf, simpleQueryStringOf, termsFromElsewhere } from "./query-strings.ts";
import type { Random } from "./random.ts";
import { distanceFeatureOf, functionScoreOf } from "./scoring.ts";
import { seldomQueryOf } from "./text/queries.ts";
import { knnOf, vectorFields } from "./vectors.ts";
import { type Field, type Json, type JsonMap, keyword, text, value, type World } from "./world.ts";

const MSM: readonly Json[] = [1, 2, -1, "50%", "-30%", "2<75%", "3<-1 5<50%", 0, 10];
const MULTI_MATCH_TYPES = ["best_fields", "most_fields", "cross_fields", "phrase", "phrase_prefix", "bool_prefix"];
const BOUNDS = ["gt", "gte", "lt", "lte"];

/** Words that stand in some document, so that queries find something. */
export function words(random: Random, world: World): string {
  const documents = world.batches
    .flat()
    .flatMap(([, body]) => (body === undefined ? [] : [(body.doc ?? body) as JsonMap]));
  const texts = documents
    .flatMap((document) => Object.values(document))
    .filter((inner): inner is string => typeof inner === "string" && inner !== "");
  if (texts.length === 0 || random.oneIn(6)) return text(random);
  const whole = random.pick(texts);
  const parts = /\s/.test(whole) ? whole.split(/\s+/) : (whole.match(/.{1,4}/gu) ?? [whole]);
  const from = random.int(0, parts.length - 1);
  return parts.slice(from, from + random.int(1, 4)).join(/\s/.test(whole) ? " " : "");
}

/** @param nested the nested object that the query is in */
export function queryOf(random: Random, world: World, nested: string | undefined, depth: number): JsonMap {
  const here = world.fields.filter((field) => field.nested === nested);
  const fields = here.length === 0 ? world.fields : here;
  const texts = fields.filter(({ type }) => type === "text");
  const searched = fields.filter(({ type }) => type !== "dense_vector");
  const field = random.oneIn(40)
    ? { name: "missing", type: "keyword", mapping: {} }
    : random.pick(searched.length > 0 ? searched : fields);
  const textField = texts.length > 0 && !random.oneIn(6) ? random.pick(texts) : field;
  const again = () => queryOf(random, world, nested, depth + 1);
  const several = (most: number) => Array.from({ length: random.int(1, most) }, again);
  const boosted = (body: JsonMap): JsonMap =>
    random.oneIn(6) ? { ...body, boost: random.pick([0, 0.5, 2, 3.7]) } : body;

  if (world.texts && random.oneIn(3)) {
    const termOfField = (each: Field) => termOf(random, each);
    const inner = depth < 3 ? again : () => ({ term: { [field.name]: termOf(random, field) } });
    const parts = {
      random,
      world,
      fields,
      texts,
      words: () => words(random, world),
      termOf: termOfField,
      again: inner,
    };
    return seldomQueryOf(parts);
  }
  const names = searched.map(({ name }) => name);
  const simple: (() => JsonMap)[] = [
    () => ({ match_all: boosted({}) }),
    () => ({
      match: {
        [textField.name]: random.oneIn(3)
          ? words(random, world)
          : matchOptions(random, boosted({ query: words(random, world) })),
      },
    }),
    () => ({ match: { [textField.name]: matchOptions(random, { query: words(random, world) }) } }),
    () => ({
      match_phrase: {
        [textField.name]: random.oneIn(3)
          ? words(random, world)
          : phraseOptions(random, boosted({ query: words(random, world) })),
      },
    }),
    () => ({
      [random.pick(["match_phrase_prefix", "match_bool_prefix"])]: {
        [textField.name]: random.oneIn(2) ? begun(random, world) : boosted({ query: begun(random, world) }),
      },
    }),
    () => ({
      multi_match: multiMatch(
        random,
        boosted({
          query: words(random, world),
          fields: random
            .some(
              fields.filter(({ type }) => type !== "dense_vector"),
              1,
              3,
            )
            .map(({ name }) => (random.oneIn(3) ? `${name}^${random.pick([2, 0.5])}` : name)),
        }),
      ),
    }),
    () => spanOf(random, world, textField.name, 2),
    () => ({ intervals: { [textField.name]: boosted(intervalsOf(random, world, 2)) } }),
    () => ({
      more_like_this: boosted({
        fields: random.some(texts.length > 0 ? texts : fields, 1, 2).map(({ name }) => name),
        like: random.pick<Json>([
          words(random, world),
          { _id: String(random.int(0, 9)) },
          [words(random, world), "fox"],
        ]),
        min_term_freq: random.pick([1, 2]),
        min_doc_freq: random.pick([1, 2]),
        ...(random.oneIn(3) ? { max_query_terms: random.int(1, 5) } : {}),
        ...(random.oneIn(4) ? { minimum_should_match: random.pick(MSM) } : {}),
        ...(random.oneIn(6) ? { include: true } : {}),
        ...(random.oneIn(6) ? { unlike: words(random, world) } : {}),
      }),
    }),
    () => ({
      combined_fields: boosted({
        query: words(random, world),
        fields: random
          .some(texts, 1, 3)
          .map(({ name }) => (random.oneIn(3) ? `${name}^${random.pick([2, 1.5, 0.5])}` : name)),
        ...(random.oneIn(3) ? { operator: random.pick(["and", "or", "AND"]) } : {}),
        ...(random.oneIn(4) ? { minimum_should_match: random.pick(MSM) } : {}),
        ...(random.oneIn(8) ? { zero_terms_query: random.pick(["all", "none"]) } : {}),
      }),
    }),
    () => ({
      term: { [field.name]: random.oneIn(2) ? termOf(random, field) : boosted({ value: termOf(random, field) }) },
    }),
    () => ({ terms: boosted({ [field.name]: Array.from({ length: random.int(0, 4) }, () => termOf(random, field)) }) }),
    () => ({ range: { [field.name]: rangeOf(random, field) } }),
    () => ({ exists: boosted({ field: random.pick([field.name, "ob", "missing"]) }) }),
    () => ({ ids: boosted({ values: random.some(["0", "1", "2", "99"], 0, 3) }) }),
    () => distanceFeatureOf(random, fields),
    () => (fields.some(({ type }) => type === "geo_point") ? geoQueryOf(random, fields) : { match_none: {} }),
    () => ({ match_none: {} }),
    () => termsOf(random, world, field, boosted),
    () => termsOf(random, world, textField, boosted),
    () => queryStringOf(random, names, () => words(random, world)),
    () => simpleQueryStringOf(random, names, () => words(random, world)),
    () => termsFromElsewhere(random, world, field, () => termOf(random, field), again),
  ];
  const near = vectorFields(world, nested);
  if (near.length > 0) simple.push(() => ({ knn: knnOf(random, near, () => queryOf(random, world, undefined, 3)) }));
  const compound: (() => JsonMap)[] = [
    () => ({ bool: boosted(boolOf(random, several)) }),
    () => ({ bool: boosted(boolOf(random, several)) }),
    () => ({ constant_score: boosted({ filter: again() }) }),
    () => ({
      dis_max: boosted({ queries: several(3), ...(random.oneIn(2) ? { tie_breaker: random.pick([0.3, 1]) } : {}) }),
    }),
    ...(world.texts ? [] : [() => functionScoreOf(random, world, again)]),
    () => ({ boosting: boosted({ positive: again(), negative: again(), negative_boost: random.pick([0.2, 0.5, 1]) }) }),
  ];
  if (nested === undefined && world.fields.some((inner) => inner.nested !== undefined)) {
    const mode = random.pick(["avg", "sum", "min", "max", "none"]);
    compound.push(() => ({
      nested: boosted({
        path: "ne",
        query: queryOf(random, world, "ne", depth + 1),
        ...(random.oneIn(2) ? { score_mode: mode } : {}),
        ...(!world.texts && random.oneIn(4)
          ? { inner_hits: innerHitsOf(random, world, `within ${random.int(0, 99_999)}`) }
          : {}),
      }),
    }));
  }
  if (random.oneIn(60))
    return random.pick<JsonMap>([
      { match: {} },
      { bool: { shall: [] } },
      { matches: { a: 1 } },
      { term: { k1: ["a"] } },
      {},
      { nested: { path: "t1", query: { match_all: {} } } },
    ]);
  return (depth < 3 && random.oneIn(2) ? random.pick(compound) : random.pick(simple))();
}

function matchOptions(random: Random, body: JsonMap): JsonMap {
  const options: JsonMap = { ...body };
  if (random.oneIn(3)) options.operator = random.pick(["and", "or", "AND"]);
  if (random.oneIn(4)) options.minimum_should_match = random.pick(MSM);
  if (random.oneIn(8)) options.zero_terms_query = random.pick(["all", "none"]);
  if (random.oneIn(8)) options.lenient = true;
  if (random.oneIn(10)) options.analyzer = random.pick(["standard", "whitespace", "ik_smart", "absent"]);
  if (random.oneIn(6)) {
    options.fuzziness = random.pick<Json>([0, 1, 2, "AUTO", "AUTO:1,4"]);
    if (random.oneIn(3)) options.prefix_length = random.int(0, 2);
    if (random.oneIn(3)) options.max_expansions = random.int(1, 4);
    if (random.oneIn(4)) options.fuzzy_rewrite = random.pick(REWRITES);
    if (random.oneIn(4)) options.fuzzy_transpositions = false;
  }
  return options;
}

/** A span query on one field. */
function spanOf(random: Random, world: World, field: string, depth: number): JsonMap {
  const inner = () => spanOf(random, world, field, depth - 1);
  const several = () => Array.from({ length: random.int(1, 3) }, inner);
  const term = (): JsonMap => {
    const parts = words(random, world).toLowerCase().split(/\s/);
    return { span_term: { [field]: random.oneIn(2) ? random.pick(parts) : (random.pick(parts)[0] ?? "a") } };
  };
  if (depth === 0 || random.oneIn(4)) return term();
  const slop = random.pick([0, 1, 3, 10]);
  return random.pick<() => JsonMap>([
    () => ({ span_near: { clauses: several(), slop, in_order: random.oneIn(2) } }),
    () => ({ span_or: { clauses: several() } }),
    () => ({
      span_not: { include: inner(), exclude: inner(), ...(random.oneIn(3) ? { dist: random.int(0, 2) } : {}) },
    }),
    () => ({ span_first: { match: inner(), end: random.int(0, 5) } }),
    () => ({ span_containing: { big: inner(), little: inner() } }),
    () => ({ span_within: { big: inner(), little: inner() } }),
    () => ({ span_multi: { match: forTerms(random, field, begun(random, world).toLowerCase().slice(0, 2)) } }),
  ])();
}

/** A query for many terms, within a span query. */
function forTerms(random: Random, field: string, text: string): JsonMap {
  const boost: JsonMap = random.oneIn(4) ? { boost: random.pick([0, 0.5, 3]) } : {};
  return random.pick<() => JsonMap>([
    () => ({ prefix: { [field]: { value: text, ...boost } } }),
    () => ({ wildcard: { [field]: { value: `${text}*`, ...boost } } }),
    () => ({ fuzzy: { [field]: { value: text, ...boost } } }),
    () => ({ range: { [field]: { [random.pick(["gt", "gte", "lt", "lte"])]: text, ...boost } } }),
  ])();
}

const INTERVAL_FILTERS = [
  "before",
  "after",
  "contained_by",
  "containing",
  "not_contained_by",
  "not_containing",
  "overlapping",
  "not_overlapping",
];

/** A rule of an intervals query. */
function intervalsOf(random: Random, world: World, depth: number): JsonMap {
  const inner = () => intervalsOf(random, world, depth - 1);
  const several = () => Array.from({ length: random.int(1, 3) }, inner);
  const options = (body: JsonMap): JsonMap => {
    if (random.oneIn(2)) body.max_gaps = random.pick([-1, 0, 0, 1, 3]);
    if (random.oneIn(2)) body.ordered = random.oneIn(2);
    return filtered(body);
  };
  const filtered = (body: JsonMap): JsonMap => {
    if (depth > 0 && random.oneIn(4)) body.filter = { [random.pick(INTERVAL_FILTERS)]: inner() };
    return body;
  };
  const match = (): JsonMap => ({ match: options({ query: words(random, world) }) });
  if (depth === 0 || random.oneIn(3)) return match();
  return random.pick<() => JsonMap>([
    match,
    () => ({ any_of: filtered({ intervals: several() }) }),
    () => ({ all_of: options({ intervals: several() }) }),
    () => ({ prefix: { prefix: begun(random, world).slice(0, 2) } }),
    () => ({ wildcard: { pattern: `${begun(random, world).slice(0, 2)}*` } }),
    () => ({ regexp: { pattern: "[a-f].*" } }),
    () => ({ fuzzy: { term: begun(random, world), fuzziness: random.pick<Json>([0, 1, 2, "AUTO"]) } }),
    () => ({
      range: {
        [random.pick(["gt", "gte"])]: begun(random, world),
        [random.pick(["lt", "lte"])]: begun(random, world),
      },
    }),
  ])();
}

/** Words, the last of them cut off. */
function begun(random: Random, world: World): string {
  const whole = words(random, world);
  return random.oneIn(3) ? whole : whole.slice(0, random.int(1, Math.max(1, whole.length)));
}

function phraseOptions(random: Random, body: JsonMap): JsonMap {
  const options: JsonMap = { ...body };
  // Words repeated and out of order: what slop is about.
  if (random.oneIn(3)) {
    const parts = String(body.query).split(" ");
    options.query = [...random.some(parts, 1, parts.length), ...random.some(parts, 0, 2)].join(" ");
  }
  if (random.oneIn(2)) options.slop = random.pick([0, 1, 2, 3, 10, 100]);
  if (random.oneIn(8)) options.zero_terms_query = random.pick(["all", "none"]);
  if (random.oneIn(10))
    options.analyzer = random.pick(["standard", "whitespace", "stop", "ik_max_word", "cjk", "absent"]);
  return options;
}

function multiMatch(random: Random, body: JsonMap): JsonMap {
  const options = matchOptions(random, body);
  if (random.oneIn(2)) options.type = random.pick(MULTI_MATCH_TYPES);
  if (random.oneIn(3)) options.tie_breaker = random.pick([0, 0.3, 1]);
  if (String(options.type).startsWith("phrase")) {
    for (const key of ["operator", "minimum_should_match", "fuzziness"]) delete options[key];
    if (random.oneIn(3)) options.slop = random.int(0, 4);
  }
  if (options.type === "cross_fields") delete options.fuzziness;
  return options;
}

const REWRITES = [
  ..."constant_score constant_score_boolean scoring_boolean top_terms_2 top_terms_boost_3".split(" "),
  "top_terms_blended_freqs_2",
];

/** prefix, wildcard, regexp or fuzzy, out of a term that may be there. */
function termsOf(random: Random, world: World, field: Field, boosted: (body: JsonMap) => JsonMap): JsonMap {
  const source =
    field.type === "text" ? words(random, world).toLowerCase().split(/\s/)[0] : String(termOf(random, field));
  const letters = [...source];
  const cut = random.int(0, letters.length);
  const part = (from: number, to: number) => letters.slice(from, to).join("");
  const kind = random.pick(["prefix", "wildcard", "regexp", "fuzzy"]);
  const options: JsonMap = {};
  if (random.oneIn(3)) options.rewrite = random.pick(REWRITES);
  if (kind !== "fuzzy" && random.oneIn(4)) options.case_insensitive = true;
  if (kind === "fuzzy") {
    if (random.oneIn(2)) options.fuzziness = random.pick<Json>([0, 1, 2, "AUTO", "AUTO:2,4"]);
    if (random.oneIn(4)) options.prefix_length = random.int(0, 3);
    if (random.oneIn(4)) options.max_expansions = random.int(1, 4);
    if (random.oneIn(5)) options.transpositions = false;
  }
  const value = {
    prefix: () => part(0, cut),
    wildcard: () => `${part(0, cut)}${random.pick(["*", "?", "*?"])}${part(cut + random.int(0, 2), letters.length)}`,
    regexp: () => `${part(0, cut)}${random.pick([".*", ".?", ".", "[a-z]+", "(a|b)*", "@", "<1-20>"])}`,
    fuzzy: () => `${part(0, cut)}${random.pick(["", "x", "年"])}${part(cut + random.int(0, 1), letters.length)}`,
  }[kind]!();
  return { [kind]: { [field.name]: boosted({ value, ...options }) } };
}

const termOf = (random: Random, field: Field): Json => {
  if (field.type === "text") return random.pick<Json>([text(random).split(/\s/)[0], "quick", "年假", "年", 12]);
  if (field.type === "keyword") return random.oneIn(12) ? random.pick<Json>([12, true]) : keyword(random);
  if (field.type === "ip" && random.oneIn(4))
    return random.pick(["10.0.0.0/8", "::/0", "192.168.0.0/24", "10.0.0.1/32"]);
  if (field.type === "integer_range") return random.int(-20, 30);
  if (field.type === "flattened") return keyword(random);
  return value(random, field);
};

function rangeOf(random: Random, field: Field): JsonMap {
  const range: JsonMap = {};
  for (const bound of random.some(BOUNDS, 1, 2)) {
    range[bound] =
      field.type === "date" && random.oneIn(4)
        ? random.pick(["2024-03-31||/M", "2024-02-29||+1d", "2023", "now", "now-1000y/d"])
        : termOf(random, field);
  }
  if (random.oneIn(8)) range.boost = 2;
  if (field.type === "integer_range" && random.oneIn(2))
    range.relation = random.pick(["within", "contains", "intersects"]);
  if (field.type === "date" && random.oneIn(6)) range.time_zone = random.pick(["+08:00", "-05:00"]);
  return range;
}

function boolOf(random: Random, several: (most: number) => JsonMap[]): JsonMap {
  const bool: JsonMap = {};
  for (const clause of random.some(["must", "should", "filter", "must_not", "should", "must"], 1, 3)) {
    const queries = several(3);
    bool[clause] = queries.length === 1 && random.oneIn(2) ? queries[0] : queries;
  }
  if (bool.should !== undefined && random.oneIn(3)) bool.minimum_should_match = random.pick(MSM);
  return bool;
}
