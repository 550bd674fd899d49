/** A query of each type over the fields of `every-query.ts`, made from words. */
import type { estypes } from "@elastic/elasticsearch";

export interface Passage {
  readonly en?: string;
  readonly zh?: string;
  readonly body: string;
  readonly tag: string;
  readonly number: number;
  readonly day: string;
  readonly sentences: readonly { readonly text: string; readonly place: number }[];
}

export interface Words {
  readonly field: "en" | "zh";
  /** Words that stand next to each other. */
  readonly phrase: readonly [string, string, string];
  /** Words of one passage. */
  readonly apart: readonly [string, string, string];
  /** Between 0 and 1. */
  readonly number: number;
}

type Query = estypes.QueryDslQueryContainer;

const text = ({ apart }: Words) => apart.join(" ");
const joined = ({ field, phrase }: Words) => phrase.join(field === "zh" ? "" : " ");
const tag = ({ number }: Words) => `tag${Math.floor(number * 997)}`;
const begin = (word: string) => word.slice(0, Math.max(1, word.length - 1)).toLowerCase();
const spanTerm = (word: string): estypes.QueryDslSpanQuery => ({ span_term: { body: word.toLowerCase() } });
const escaped = (word: string) => word.replace(/[^\p{L}\p{N}]/gu, "");

export const everyQuery: { readonly [name: string]: (words: Words) => Query } = {
  match: (words) => ({ match: { [words.field]: text(words) } }),
  "match, and": (words) => ({ match: { [words.field]: { query: text(words), operator: "and" } } }),
  "match, fuzzy": (words) => ({ match: { body: { query: text(words), fuzziness: "AUTO" } } }),
  match_phrase: (words) => ({ match_phrase: { [words.field]: joined(words) } }),
  "match_phrase, slop 3": (words) => ({ match_phrase: { body: { query: text(words), slop: 3 } } }),
  match_phrase_prefix: (words) => ({ match_phrase_prefix: { body: `${words.phrase[0]} ${begin(words.phrase[1])}` } }),
  match_bool_prefix: (words) => ({ match_bool_prefix: { body: `${words.apart[0]} ${begin(words.apart[1])}` } }),
  "multi_match, best_fields": (words) => ({ multi_match: { query: text(words), fields: ["en", "zh", "body"] } }),
  "multi_match, most_fields": (words) => ({
    multi_match: { query: text(words), fields: ["en", "zh^2", "body"], type: "most_fields" },
  }),
  "multi_match, cross_fields": (words) => ({
    multi_match: { query: text(words), fields: ["en", "body"], type: "cross_fields" },
  }),
  "multi_match, phrase": (words) => ({ multi_match: { query: joined(words), fields: ["en", "zh"], type: "phrase" } }),
  "multi_match, bool_prefix": (words) => ({
    multi_match: { query: text(words), fields: ["body"], type: "bool_prefix" },
  }),
  combined_fields: (words) => ({ combined_fields: { query: text(words), fields: ["body"] } }),
  query_string: (words) => ({
    query_string: { query: words.apart.map(escaped).join(" OR "), fields: [words.field, "body"] },
  }),
  simple_query_string: (words) => ({ simple_query_string: { query: text(words), fields: ["en", "zh"] } }),
  term: (words) => ({ term: { tag: tag(words) } }),
  terms: (words) => ({ terms: { tag: [tag(words), "tag1", "tag2"] } }),
  terms_set: (words) => ({
    terms_set: {
      body: { terms: words.apart.map((word) => word.toLowerCase()), minimum_should_match: 2 },
    },
  }),
  "range, number": (words) => {
    const from = Math.floor(words.number * 90_000);
    return { range: { number: { gte: from, lt: from + 5000 } } };
  },
  "range, date": () => ({ range: { day: { gte: "2005-01-01", lt: "2006-01-01||+1M" } } }),
  "range, keyword": (words) => ({
    range: { tag: { gte: "tag2", lt: tag({ ...words, number: 0.3 + words.number / 2 }) } },
  }),
  exists: (words) => ({ exists: { field: words.field } }),
  prefix: (words) => ({ prefix: { body: begin(words.apart[0]) } }),
  wildcard: (words) => ({ wildcard: { body: `${begin(words.apart[0])}*` } }),
  "wildcard, leading": (words) => ({ wildcard: { body: `*${words.apart[0].slice(1).toLowerCase()}` } }),
  regexp: (words) => ({ regexp: { body: `${escaped(begin(words.apart[0]))}.{0,3}` } }),
  fuzzy: (words) => ({ fuzzy: { body: words.apart[0].toLowerCase() } }),
  ids: (words) => ({ ids: { values: [String(Math.floor(words.number * 1000)), "1", "2"] } }),
  bool: (words) => ({
    bool: {
      must: { match: { body: words.apart[0] } },
      should: [{ match: { [words.field]: words.apart[1] } }, { term: { tag: tag(words) } }],
      filter: { range: { number: { lt: 50_000 } } },
      must_not: { term: { tag: "tag3" } },
    },
  }),
  boosting: (words) => ({
    boosting: {
      positive: { match: { body: words.apart[0] } },
      negative: { match: { body: words.apart[1] } },
      negative_boost: 0.5,
    },
  }),
  constant_score: (words) => ({ constant_score: { filter: { match: { body: words.apart[0] } } } }),
  dis_max: (words) => ({
    dis_max: { queries: [{ match: { en: text(words) } }, { match: { zh: text(words) } }], tie_breaker: 0.3 },
  }),
  nested: (words) => ({
    nested: { path: "sentences", query: { match: { "sentences.text": text(words) } }, score_mode: "max" },
  }),
  more_like_this: (words) => ({
    more_like_this: { fields: ["body"], like: [text(words)], min_term_freq: 1, min_doc_freq: 2 },
  }),
  intervals: (words) => ({
    intervals: { body: { match: { query: `${words.apart[0]} ${words.apart[1]}`, max_gaps: 5 } } },
  }),
  span_near: (words) => ({
    span_near: { clauses: [spanTerm(words.apart[0]), spanTerm(words.apart[1])], slop: 5, in_order: false },
  }),
  span_first: (words) => ({ span_first: { match: spanTerm(words.apart[0]), end: 20 } }),
  span_not: (words) => ({
    span_not: { include: spanTerm(words.apart[0]), exclude: spanTerm(words.apart[1]), dist: 3 },
  }),
  match_all: () => ({ match_all: {} }),
  match_none: () => ({ match_none: {} }),
};
