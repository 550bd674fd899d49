/** For each strategy what a user must know of it, and an example over the handbook that a test runs. */
import type { StrategyName } from "../../src/catalogue/index.ts";

export interface StrategyExample {
  question: string;
  options: Record<string, unknown>;
  /** A section of the handbook that is found first, or nothing where passages are not the point. */
  finds?: string;
  notes: string[];
}

export const STRATEGY_EXAMPLES: Record<StrategyName, StrategyExample> = {
  hybrid: {
    question: "婚假有几天",
    options: {},
    finds: "zh/marriage-leave",
    notes: ["How it fuses and how its weights were measured: [search-and-fusion.md](search-and-fusion.md)."],
  },
  bm25: {
    question: "婚假 登记",
    options: { operator: "and" },
    finds: "zh/marriage-leave",
    notes: ["k1 and b are the index's: 1.2 and 0.75 until `bm25-tuned` (`setBm25`) changes them."],
  },
  dense: {
    question: "结婚可以休息多久",
    options: { cutoff: 0.3 },
    finds: "zh/marriage-leave",
    notes: [
      "The cutoff is of the raw similarity, not of the score that hits show: for cosine and dot_product the cosine, -1 to 1, where hits show " +
        "(1 + cosine) / 2; for max_inner_product the product itself; for l2_norm the largest distance, where hits show 1 / (1 + distance²).",
      "Vectors of zeros are not written: a passage that the embedding knows nothing of is found by words alone, and never with a score of 0.",
    ],
  },
  rrf: {
    question: "年休假有几天",
    options: { k: 60, strategies: ["bm25", "dense"] },
    finds: "zh/annual-leave-days",
    notes: [
      "Ranks count from 0, as in LlamaIndex. It is computed by Huiliu: on a cluster no licence is needed. Equal scores stay in the order in which the " +
        "lists, read one after the other, first had them.",
    ],
  },
  weighted: {
    question: "年休假有几天",
    options: { weights: { bm25: 0.3, dense: 0.7 }, normalize: "min-max" },
    finds: "zh/annual-leave-days",
    notes: [
      'Scores of BM25 have no upper bound and those of vectors end at 1: added raw (`normalize: "none"`), BM25 decides nearly alone, and a warning says so.',
    ],
  },
  fusion: {
    question: "年休假有几天",
    options: { fusionMode: "relative_score" },
    finds: "zh/annual-leave-days",
    notes: [
      "A language model is asked only with `numQueries` above 1. Its lists are read however they are numbered, quoted or bulleted; all retrievers are asked at once.",
    ],
  },
  fields: {
    question: "marriage leave",
    options: { fields: ["content", "metadata.title^3"] },
    finds: "en/marriage-leave",
    notes: ["A weight above 10 draws a warning: that field decides nearly alone."],
  },
  bool: {
    question: "工作日 申请",
    options: { mustNot: ["年休假", "事假"], should: ["婚假"] },
    finds: "zh/marriage-leave",
    notes: [
      "Where Chinese is cut into single characters, excluding 婚假 by `match` excludes whatever has 婚 or 假. `mustNot` and `filter` therefore look for " +
        "phrases: the word is excluded as a word. `phrases` chooses for which clauses.",
    ],
  },
  phrase: {
    question: "带薪婚假",
    options: { slop: 1 },
    finds: "zh/marriage-leave",
    notes: [
      "Scores are Lucene's: with a slop, an occurrence counts 1 / (1 + distance). Phrases are looked for with the analyzer that wrote the text, so that words " +
        "that questions leave out count too.",
    ],
  },
  wildcard: {
    question: "婚*",
    options: { field: "metadata.title" },
    finds: "zh/marriage-leave",
    notes: [
      "A pattern that begins with * or ? looks at every value, and a warning says so. Values longer than a field's `ignore_above` are not in it: how many is " +
        "reported. Over the text itself every passage is read, unless the collection was made with `wildcard: true`, which keeps whole texts in a field of " +
        "the type `wildcard`.",
    ],
  },
  fuzzy: {
    question: "mariage",
    options: { fuzziness: "AUTO", prefixLength: 2 },
    finds: "en/marriage-leave",
    notes: [
      "Edits are of terms. Under the analysis `default` a term of Chinese is a single character: AUTO allows no edit in it, and an edit would match any other; " +
        "a notice says so. Under `ik` terms are words, most of two characters: fuzziness 1 allows an edit in them.",
    ],
  },
  highlight: {
    question: "婚假",
    options: { of: "phrase", encoder: "html" },
    finds: "zh/marriage-leave",
    notes: [
      'Every strategy has fragments: `highlight: true`, or an object of these options. `encoder: "html"` escapes the text, so that fragments can stand in a page.',
    ],
  },
  "function-score": {
    question: "年休假 天数",
    options: { recency: "effective", origin: "2024-06-01", scale: "365d" },
    finds: "zh/annual-leave-days",
    notes: [
      "`recency` and `popularity` name metadata. Dates are indexed as dates under names that say so: what ends in date, time or _at, and effective, expires, " +
        "published, created, updated, modified.",
    ],
  },
  chinese: {
    question: "喜假怎么申请",
    options: { synonyms: ["喜假=婚假"], words: ["婚假"] },
    finds: "zh/marriage-leave",
    notes: [
      "How an index cuts Chinese is chosen once, with `analysis` (default, standard, cjk, ik, ik_smart): see [analysis.md](analysis.md). `huiliu analyze TEXT` shows " +
        "the tokens side by side. Under `ik` texts are cut by ik_max_word and questions by ik_smart.",
    ],
  },
  "bm25-tuned": {
    question: "婚假 登记",
    options: {},
    finds: "zh/marriage-leave",
    notes: [
      "k1 and b belong to the index, so that every search of it agrees. `setBm25(collection, { k1: 1.5, b: 0.5 })` changes them without indexing again; the index " +
        "is closed for a moment. Given as options they are compared with the index's, and a difference is an error.",
    ],
  },
  metric: {
    question: "婚假有几天",
    options: { metric: "l2_norm" },
    finds: "zh/marriage-leave",
    notes: [
      "The nearest passages by the index's own measure are compared again; with `exact` all passages are, up to 200,000, so that none is missed that another measure " +
        "would put first. A script of Elasticsearch is asked in neither place. Vectors of length one have the same order by all four. Others are refused for " +
        "dot_product, with the remedy: cosine, max_inner_product, or dividing them by their length.",
    ],
  },
  filtered: {
    question: "经理的年休假有几天",
    options: { where: { level: "经理" }, timeKey: "effective", since: "2020-01-01" },
    finds: "zh/annual-leave-managers",
    notes: [
      "Filters apply inside each list, the nearest vectors too: a narrow filter still gives `topK`. `within(collection, { tenant })` makes an index of one " +
        "tenant: whatever a search asks, filters included, stays within it.",
    ],
  },
  rerank: {
    question: "婚假有几天",
    options: { of: "bm25", depth: 30, onError: "fallback" },
    notes: [
      "The model is the search's `reranker` (`--reranker`): a cross-encoder on this machine, DashScope's, any of the AI SDK, or a language model. Each hit has " +
        "`reranked.rankBefore`. One that fails fails the search, or leaves the order with a warning (`onError`).",
    ],
  },
  auto: {
    question: "经理的年休假",
    options: { of: "bm25" },
    notes: [
      "The model sees the metadata with their commonest values, read from the index. Filters by unknown fields or operators are dropped with a notice and never sent; " +
        "the filters of the search and of `within` always hold beside the model's.",
    ],
  },
  citation: {
    question: "婚假有几天",
    options: { chunkSize: 128 },
    finds: "zh/marriage-leave",
    notes: [
      '`collection.ask(question, { strategy: "citation", model })` answers with [1], [2]. The answer\'s `citations` has the numbers that no source has, and the ' +
        "sentences without a number.",
    ],
  },
  aggregate: {
    question: "",
    options: { by: ["level", "category"], histogram: "effective", interval: "year" },
    notes: [
      "`aggregateStrategy(collection, question, options)` gives `{ total, aggregations, hits }`. `aggs` takes any aggregation of the DSL; within filters that " +
        "always hold, those that count outside the query are refused.",
    ],
  },
  hyde: { question: "结婚可以休息多久", options: {}, notes: ["What is matched as text stays the question."] },
  mmr: { question: "婚假有几天", options: { threshold: 0.7 }, notes: [] },
  "auto-merging": { question: "婚假有几天", options: { threshold: 0.4 }, finds: "zh/marriage-leave", notes: [] },
  "sentence-window": {
    question: "婚假有几天",
    options: { windowSize: 1 },
    finds: "zh/marriage-leave",
    notes: ["The sentence itself is in the metadata as `original_text`."],
  },
  "parent-document": { question: "婚假有几天", options: {}, finds: "zh/marriage-leave", notes: [] },
  "long-context": { question: "婚假有几天", options: { of: "bm25" }, notes: [] },
  recency: {
    question: "年休假有几天",
    options: { dateKey: "effective", depth: 10 },
    notes: ["A passage without a date goes last. With `versions` the newest of passages that are alike is kept."],
  },
};
