/** Random `_analyze` requests in all their forms: named and unnamed parts with random parameters, on texts of many scripts. */
import { CHAR_FILTERS, FILTERS, TOKENIZERS } from "../analysis-parts.ts";
import type { Random } from "../random.ts";
import { broken } from "../text/broken.ts";
import { ANALYZERS, type Json, type JsonMap, text } from "../world.ts";

/** Analyzers of the index that requests may ask for, beside those that are built in. */
export const INDEX_BODY: JsonMap = {
  settings: {
    number_of_replicas: 0,
    analysis: {
      char_filter: { cut: { type: "mapping", mappings: ["ph => f", "的 => "] } },
      tokenizer: { short: { type: "standard", max_token_length: 4 } },
      filter: {
        small: { type: "stop", stopwords: ["a", "the"], remove_trailing: false },
        pairs: { type: "shingle", max_shingle_size: 3, filler_token: "+" },
      },
      analyzer: {
        own: { tokenizer: "short", char_filter: ["cut"], filter: ["lowercase", "small", "pairs"] },
        gaps: { tokenizer: "whitespace", position_increment_gap: 7 },
        halts: { tokenizer: "standard", filter: ["lowercase", "stop"] },
        long: { type: "standard", max_token_length: 3, stopwords: "_french_" },
      },
      normalizer: { folded: { filter: ["lowercase", "asciifolding"] }, upper: { filter: ["uppercase"] } },
    },
  },
  mappings: {
    properties: {
      t: { type: "text", analyzer: "own", fields: { raw: { type: "keyword" } } },
      s: { type: "text", analyzer: "gaps", search_analyzer: "halts" },
      k: { type: "keyword", normalizer: "folded" },
      n: { type: "long" },
      d: { type: "date" },
      o: { properties: { t: { type: "text" } } },
      al: { type: "alias", path: "t" },
      f: { type: "flattened" },
    },
  },
};

const LANGUAGES = ["french", "german", "spanish", "italian", "portuguese", "dutch", "russian", "swedish", "pattern"];
const ALL_ANALYZERS = [...ANALYZERS, ...LANGUAGES];

const SCRIPTS = [
  "The quick brown foxes jumped over the lazy dogs' phones; running, runs, ran — generalizations of policies",
  "Les élèves de l'école n'ont pas été étonnés qu’il aille à l’hôpital",
  "Die Häuser der Straßenbahngesellschaften großer Städte",
  "中华人民共和国的年休假规定，员工请假三天。",
  "カタカナとひらがな、漢字かな交じり文です。ﾊﾝｶｸ",
  "한국어 형태소 분석은 어렵습니다",
  "العربية لغة جميلة والكتاب في البيت",
  "हिन्दी में लिखा हुआ पाठ",
  "ภาษาไทยไม่มีช่องว่างระหว่างคำ",
  "👨‍👩‍👧‍👦 🇨🇳🇫🇷 👍🏽 ❤️ 1️⃣ 🏴",
  "e\u0301te\u0301 a\u0300\u0301 \u200d \ufeff \u00ad soft\u00adhyphen",
  "<p>Hello &amp; <b>wor</b>ld &eacute;&#x4e2d;&#0; <script>x=1</script><!-- c --> a<br/>b &notanentity; <",
  "\ud83d a \udc00 \ud800",
  "user.name@example.com http://a.b/c?d=e#f C++ 3.14 1,000.5 AT&T x_1 O'Neil's",
  "Большие города и маленькие деревни",
  "",
  " \t\n",
  "a b a b a",
];

export function textOf(random: Random): Json {
  const one = (): string => {
    if (random.oneIn(2)) return text(random).slice(0, 200);
    const chosen = random.pick(SCRIPTS);
    if (random.oneIn(3)) return chosen + random.pick([" ", "", ", "]) + random.pick(SCRIPTS);
    const from = random.int(0, 5);
    return random.oneIn(3) ? chosen.slice(from, from + random.int(1, 12)) : chosen;
  };
  if (random.oneIn(40)) return random.pick<Json>([[], null, 5, true, {}, [null], [["a"]], 1.5]);
  return random.oneIn(3) ? Array.from({ length: random.int(1, 3) }, one) : one();
}

/** Parts of Elasticsearch's server itself, whose mistakes the node tells as Elasticsearch does. */
function serversOwn(random: Random): { tokenizer: Json; filter: Json } {
  const size = () => random.pick<Json>([1, 2, 3, 4, 0, -1, "2", "x", null, 2.5, 255]);
  const flag = () => random.pick<Json>([true, false, "true", "x", null]);
  const some = (options: readonly (readonly [string, () => Json])[]): JsonMap =>
    Object.fromEntries(random.some(options, 0, 3).map(([name, make]) => [name, make()]));
  const stop = (): JsonMap => ({
    type: "stop",
    ...some([
      [
        "stopwords",
        () =>
          random.pick<Json>(["_none_", "_english_", ["a", "The"], "a,the", "_nope_", [], null, 5, ["_french_", "x"]]),
      ],
      ["ignore_case", flag],
      ["remove_trailing", flag],
    ]),
  });
  const shingle = (): JsonMap => ({
    type: "shingle",
    ...some([
      ["min_shingle_size", size],
      ["max_shingle_size", size],
      ["output_unigrams", flag],
      ["output_unigrams_if_no_shingles", flag],
      ["token_separator", () => random.pick<Json>(["", "_", " ", null, 5])],
      ["filler_token", () => random.pick<Json>(["", "*", null])],
    ]),
  });
  return {
    tokenizer: random.oneIn(2) ? "standard" : { type: "standard", ...some([["max_token_length", size]]) },
    filter: random.oneIn(2) ? stop() : shingle(),
  };
}

/** Parts with parameters drawn anew, all of them valid. */
function drawnFilter(random: Random): Json {
  const [least, most] = [random.int(1, 3), random.int(0, 1)];
  return random.pick<Json>([
    { type: "length", min: random.int(0, 3), max: random.int(3, 8) },
    { type: "truncate", length: random.int(1, 6) },
    { type: "ngram", min_gram: least, max_gram: least + most, preserve_original: random.oneIn(2) },
    { type: "edge_ngram", min_gram: least, max_gram: least + random.int(0, 5), preserve_original: random.oneIn(2) },
    { type: "shingle", min_shingle_size: 2, max_shingle_size: random.int(2, 4), output_unigrams: random.oneIn(2) },
    { type: "keyword_marker", keywords: random.some(["running", "runs", "policies", "dogs", "städte"], 1, 3) },
    { type: "stemmer", language: random.pick(["porter2", "possessive_english", "light_english"]) },
    {
      type: "stop",
      stopwords: random.pick([
        "_english_",
        "_french_",
        "_german_",
        "_russian_",
        "_cjk_",
        "_arabic_",
        "_hindi_",
        "_thai_",
      ]),
    },
  ]);
}

const isSynonyms = (part: Json) => JSON.stringify(part).includes('"synonym');
const PLAIN = FILTERS.filter((part) => !isSynonyms(part));
const SYNONYMS = FILTERS.filter(isSynonyms);

export interface AnalyzeRequest {
  readonly inIndex: boolean;
  readonly body: Json;
}

/** IK counts on from whichever text it cut before, after one without words: its texts begin with one. */
function begun(value: Json, byIk: boolean): Json {
  if (!byIk) return value;
  if (Array.isArray(value)) return value.map((each) => begun(each, true));
  return typeof value === "string" ? `北京 ${value}` : value;
}

export function analyzeRequestOf(random: Random): AnalyzeRequest {
  const inIndex = random.oneIn(2);
  const own = serversOwn(random);
  const ownOnly = random.oneIn(4);
  const filters = (): Json[] => {
    if (ownOnly) return [own.filter];
    const before: Json[] = random.oneIn(6) ? [random.pick(SYNONYMS)] : [];
    const pool = () => (random.oneIn(2) ? random.pick(PLAIN) : drawnFilter(random));
    return [...before, ...Array.from({ length: random.int(0, 2) }, pool)];
  };
  const chain = (): JsonMap => {
    const filter = filters();
    // Rules are analyzed by the chain too: a tokenizer that keeps their words whole.
    const tokenizer = ownOnly ? own.tokenizer : filter.some(isSynonyms) ? "standard" : random.pick(TOKENIZERS);
    const chars = ownOnly || filter.some(isSynonyms) ? [] : random.some(CHAR_FILTERS, 0, 2);
    return {
      tokenizer,
      ...(filter.length > 0 || random.oneIn(3) ? { filter } : {}),
      ...(chars.length > 0 ? { char_filter: chars } : {}),
    };
  };
  const by = random.pick<() => JsonMap>([
    () => ({ analyzer: random.pick(ALL_ANALYZERS) }),
    () => ({ analyzer: random.pick([...ALL_ANALYZERS, "own", "gaps", "halts", "long", "nope", ""]) }),
    chain,
    chain,
    chain,
    () => ({ field: random.pick(["t", "t.raw", "s", "k", "n", "d", "o", "o.t", "al", "f", "nope", "", "_id"]) }),
    () => ({ normalizer: random.pick(["folded", "upper", "lowercase", "nope"]) }),
    () => ({
      filter: random.some(["lowercase", "asciifolding", "uppercase", "stop", "nope"], 1, 2),
      ...(random.oneIn(3) ? { char_filter: ["html_strip"] } : {}),
    }),
    () => ({
      tokenizer: random.pick(["short", "standard", "nope"]),
      filter: random.some(["small", "pairs", "lowercase", "nope"], 0, 2),
      ...(random.oneIn(3) ? { char_filter: ["cut"] } : {}),
    }),
    () => ({}),
    () => ({
      analyzer: "standard",
      [random.pick(["tokenizer", "filter", "char_filter", "normalizer", "field"])]: random.pick<Json>([
        "standard",
        ["lowercase"],
        "folded",
        "t",
      ]),
    }),
  ])();
  const byIk = /"ik_/.test(JSON.stringify(by));
  const body: JsonMap = { ...by };
  if (!random.oneIn(40)) body.text = begun(textOf(random), byIk);
  if (random.oneIn(4)) body.explain = random.pick<Json>([true, true, "true", false, "x"]);
  if (random.oneIn(8))
    body.attributes = random.pick<Json>([
      ["type"],
      ["keyword", "bytes"],
      [],
      "positionLength",
      "TermFrequency",
      null,
      ["termFrequency", "positionlength"],
    ]);
  if (random.oneIn(40)) body[random.pick(["foo", "Analyzer", "filters", "prefer_local"])] = 1;
  const breakable = !("tokenizer" in body) && !("filter" in body) && !byIk;
  return { inIndex, body: breakable && random.oneIn(10) ? broken(random, body) : body };
}
