/** Requests whose answers are recorded: target, and the body of a search. */
export interface Request {
  readonly target: string;
  readonly body: unknown;
}

const of = (target: string, suggest: unknown, more: Record<string, unknown> = {}): Request => ({
  target,
  body: { suggest, _source: false, ...more },
});
const term = (options: Record<string, unknown>, text: unknown = "anual leav", target = "words"): Request =>
  of(target, { x: { text, term: { field: "t", ...options } } });
const phrase = (options: Record<string, unknown>, text: unknown = "anual leav polcy", target = "words"): Request =>
  of(target, { x: { text, phrase: { field: "t", ...options } } });
const generator = (options: Record<string, unknown>, text?: unknown): Request =>
  phrase({ direct_generator: [{ field: "t", ...options }] }, text);
const each = <T>(values: readonly T[], make: (value: T) => Request): Request[] => values.map(make);

const T = { field: "t" };
const DISTANCES = [
  "internal",
  "damerau_levenshtein",
  "levenshtein",
  "jaro_winkler",
  "ngram",
  "JARO_Winkler",
  "soundex",
];
const WORDS = "anual quikc leaev polcies annua😀l a";

const WRONG = [
  { size: 0 },
  { shard_size: 0 },
  { max_inspections: 0 },
  { max_inspections: -1 },
  { max_edits: 3 },
  { prefix_length: -1 },
  { min_word_length: 0 },
  { accuracy: 2 },
  { max_term_freq: 1.5 },
  { max_term_freq: -1 },
  { min_doc_freq: -1 },
  { min_doc_freq: 1.5 },
  { sort: "foo" },
  { suggest_mode: "foo" },
  { bar: 1 },
  { bar: {} },
  { size: null },
  { size: "2" },
  { analyzer: "nope" },
  { field: "" },
  { field: 3 },
  { field: "nope" },
  { field: ["t"] },
  { shard_size: 2147483647 },
];

const TERMS: readonly Request[] = [
  term({}),
  ...each(["missing", "popular", "always"], (suggest_mode) => term({ suggest_mode }, "annual leav policing quick")),
  ...each(DISTANCES, (string_distance) => term({ string_distance, max_inspections: 20 }, WORDS)),
  ...each(["score", "frequency", "FREQUENCY"], (sort) => term({ sort, size: 10 }, "leavs quickes")),
  ...each([1, 2], (max_edits) => term({ max_edits }, WORDS)),
  ...each([0, 1, 3, 100], (prefix_length) => term({ prefix_length }, "xnnual anunal quicl")),
  ...each([1, 3, 10], (min_word_length) => term({ min_word_length, prefix_length: 0 }, "fx brwn certificte")),
  ...each([0.1, 1, 3], (min_doc_freq) => term({ min_doc_freq }, "anual leav")),
  ...each([0.1, 0.5, 1, 100], (max_term_freq) => term({ max_term_freq, suggest_mode: "always" }, "annual leave sick")),
  ...each([0, 0.7, 1], (accuracy) => term({ accuracy }, "anul leav")),
  ...each([1, 2], (max_inspections) => term({ max_inspections, size: 1, shard_size: 1 }, "anual quic")),
  ...each([1, 2], (size) => term({ size }, "anual quic")),
  ...each(["keyword", "whitespace", "alike"], (analyzer) => term({ analyzer }, "Anual leav")),
  ...each(["zh", "t.raw", "n", "place", "unindexed", "other", "t.only"], (field) =>
    term({ field }, "年修假 anual leav"),
  ),
  term({ field: "t.raw", prefix_length: 0 }, "TRAVEL policis"),
  term({ field: "t.raw" }, ""),
  term({ field: "t" }, ""),
  term({}, "anual \ud83d leavv年假 annua\ud83d"),
  term({ field: "zh", min_word_length: 1, prefix_length: 0 }, "年休佳申请"),
  ...each(WRONG, (options) => term(options)),
];

const SMOOTHING = [
  { laplace: { alpha: 0.7 } },
  { laplace: { foo: 3 } },
  { stupid_backoff: { discount: 0.2 } },
  { linear: { trigram_lambda: 0.2, bigram_lambda: 0.3, unigram_lambda: 0.5 } },
  { linear: { trigram_lambda: 0.2 } },
  { linear: { trigram_lambda: -0.2 } },
  { linear: { foo: 1 } },
  { linear: { foo: [1] } },
  { linear: { trigram_lambda: 1 }, laplace: {} },
  { laplace: 1 },
  { laplace: { alpha: "x" } },
  { foo: {} },
  {},
];

const PHRASES: readonly Request[] = [
  phrase({}),
  phrase({ field: "t.only" }),
  phrase({ field: "t.only", force_unigrams: false }),
  phrase({ field: "t.only", analyzer: "standard" }),
  phrase({ field: "t.only", direct_generator: [T] }),
  ...each(["t.pairs", "t"], (field) => phrase({ field, confidence: 0, max_errors: 3, size: 10 })),
  ...each([1, 2, 3], (gram_size) => phrase({ field: "t.pairs", gram_size, confidence: 0, max_errors: 3 })),
  ...each(["_", "", " "], (separator) => phrase({ field: "t.pairs", separator, confidence: 0 })),
  ...each(SMOOTHING, (smoothing) => phrase({ field: "t.pairs", smoothing, confidence: 0, max_errors: 2 })),
  ...each([0, 0.5, 1, 3], (confidence) => phrase({ confidence, size: 3 })),
  ...each([0.1, 0.5, 1, 2, 10], (max_errors) => phrase({ max_errors, confidence: 0, size: 10 })),
  ...each([0.1, 0.99, 2], (real_word_error_likelihood) => phrase({ real_word_error_likelihood })),
  ...each([3, 4], (token_limit) => phrase({ token_limit })),
  ...each([1, 2, 20], (shard_size) => phrase({ shard_size, confidence: 0, size: 20, max_errors: 3 })),
  phrase({ highlight: { pre_tag: "<b>", post_tag: "</b>" }, max_errors: 3 }),
  phrase({ highlight: { pre_tag: ["<i>"], post_tag: "</i>" } }, "sick leve and annual reprot"),
  phrase({ analyzer: "alike", confidence: 0 }, "anual holiday"),
  phrase({}, ""),
  phrase({}, "  "),
  phrase({ field: "n" }),
  phrase({ field: "place" }),
  phrase({ field: "t.raw", max_errors: 2 }, "Travel Policis"),
  phrase(
    { field: "zh", confidence: 0, max_errors: 3, direct_generator: [{ field: "zh", min_word_length: 1 }] },
    "年修假 规定",
  ),
  ...each(
    [
      { gram_size: 0 },
      { max_errors: 0 },
      { confidence: -1 },
      { real_word_error_likelihood: 0 },
      { separator: null },
      { token_limit: 0 },
      { foo: 1 },
      { foo: [] },
      { foo: {} },
      { highlight: { pre_tag: "<" } },
      { highlight: { foo: "<" } },
      { highlight: {} },
      { highlight: 1 },
      { collate: {} },
      { collate: { foo: 1 } },
      { collate: { prune: 1 } },
      { collate: { prune: true, params: { a: 1 } } },
      { smoothing: 3 },
      { direct_generator: T },
      { direct_generator: [] },
      { direct_generator: [3] },
      { direct_generator: [3, 4] },
      { direct_generator: [{}] },
      { direct_generator: [{ field: "nope" }] },
      { direct_generator: [{ field: "nope" }, T] },
      { direct_generator: [{ field: "other" }] },
      { shard_size: 2147483647 },
      { shard_size: 0 },
      { field: "nope" },
      { field: null },
    ],
    (options) => phrase(options),
  ),
  ...each(
    [
      { foo: 1 },
      { size: 0 },
      { size: 1 },
      { size: 1.5 },
      { size: "x" },
      { size: [1] },
      { max_edits: 0 },
      { max_edits: 1 },
      { accuracy: 0.9 },
      { accuracy: true },
      { sort: "x" },
      { sort: "frequency" },
      { suggest_mode: "x" },
      { suggest_mode: 3 },
      { suggest_mode: "always", min_word_length: 1 },
      { suggest_mode: "popular" },
      { string_distance: "x" },
      { string_distance: "ngram" },
      { pre_filter: "x" },
      { post_filter: "x" },
      { pre_filter: "standard" },
      { pre_filter: "whitespace", post_filter: "whitespace" },
      { post_filter: "pairs", suggest_mode: "always" },
      { pre_filter: "keyword", post_filter: "standard", min_doc_freq: 0.1 },
      { max_term_freq: -1 },
      { max_term_freq: 1.5 },
      { min_doc_freq: 1.5 },
      { prefix_length: 0, min_word_length: 2 },
      { max_inspections: -1 },
    ],
    (options) => generator(options, "anual leave polcy"),
  ),
];

const REQUESTS: readonly Request[] = [
  ...each(
    [
      {},
      { text: "anual" },
      { text: null, x: { term: T } },
      { text: ["a"], x: { term: T } },
      { text: "anual", x: { term: T }, y: { text: "leav", term: T } },
      { b: { text: "anual", term: T }, a: { text: "leav", phrase: T }, "": { text: "quik", term: T } },
      { b: { text: "a", term: { field: "one" } }, a: { text: "a", term: { field: "two" } } },
      { x: { text: ["anual", "leav"], term: T } },
      { x: { text: [["anual"], { text: "leav" }], term: T } },
      { x: { text: null, term: T } },
      { x: { text: 12345, term: T } },
      { x: { text: "anual", term: T, phrase: T } },
      { x: { foo: null, text: "anual", term: T } },
      { x: { foo: [1], text: "anual", term: T } },
      { x: { foo: [{ a: 1 }], text: "anual", term: T } },
      { x: { term: [T], text: "anual" } },
      { x: { prefix: "anual", term: T } },
      { x: { regex: "anual", term: T } },
      { x: { prefix: "anual", text: "leav", term: T } },
      { x: { term: T } },
    ],
    (suggest) => of("words", suggest),
  ),
  of("words", { x: { text: "anual", term: T } }, { query: { match_all: {} }, size: 1 }),
  of("words", { x: { text: "anual", term: T } }, { aggs: { a: { value_count: { field: "n" } } }, size: 1 }),
  of("words", { x: { text: "anual", term: T } }, { size: 20_000 }),
  of("words", { x: { text: "anual", term: T } }, { sort: ["nope"] }),
  of("words", { x: { text: "anual", term: T } }, { terminate_after: 1, track_total_hits: true }),
  of("words", { x: { text: "anual", term: T } }, { track_total_hits: false }),
  ...each(["words,more", "more", "more,empty", "words,spaces", "empty"], (target) => term({}, "anual Leav", target)),
  ...each(["words,more", "more", "more,empty", "empty"], (target) => phrase({ size: 3 }, undefined, target)),
  term({ sort: "frequency", size: 1, shard_size: 3 }, "annul polici", "words,more"),
  phrase({ confidence: 0, size: 2, max_errors: 2 }, undefined, "words,more"),
];

export const RECORDED: readonly Request[] = [...TERMS, ...PHRASES, ...REQUESTS];

/** Parameters of the URL. */
export const RECORDED_URLS: readonly string[] = [
  "suggest_field=t&suggest_text=anual&suggest_mode=popular&suggest_size=1&q=leave",
  "suggest_field=t&suggest_mode=missing&q=leav",
  "suggest_field=t&suggest_text=anual",
  "suggest_field=t&suggest_text=anual&suggest_mode=foo",
  "suggest_field=t&suggest_text=anual&suggest_mode=always&suggest_size=0",
  "suggest_field=nope&suggest_text=anual&suggest_mode=always",
  "suggest_text=t&suggest_mode=foo",
  "suggest_field=t&suggest_text=anual&suggest_mode=always&typed_keys",
];
