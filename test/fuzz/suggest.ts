/** Random suggestions: misspelt words and phrases of a world, with the options of each suggester. */
import type { Random } from "./random.ts";
import { COMPLETION, type Json, type JsonMap, keyword, text, type World } from "./world.ts";

const LETTERS = "abcdeilnorstuvy年假工😀";

/** A word with up to two mistakes in it. */
function misspelt(random: Random, word: string): string {
  const letters = [...word];
  for (let mistakes = random.int(0, 2); mistakes > 0 && letters.length > 0; mistakes--) {
    const at = random.int(0, letters.length - 1);
    const letter = random.pick([...LETTERS]);
    const kind = random.int(0, 3);
    if (kind === 0) letters.splice(at, 1);
    else if (kind === 1) letters.splice(at, 0, letter);
    else if (kind === 2) letters[at] = letter;
    else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse());
  }
  return letters.join("");
}

const phrase = (random: Random, words: string) =>
  words
    .split(/(?<=\s)/)
    .map((word) => misspelt(random, word))
    .join("");

/** Options that are given now and then. */
function some(random: Random, share: number, options: { readonly [key: string]: () => Json }): JsonMap {
  const chosen: JsonMap = {};
  for (const [key, value] of Object.entries(options)) if (random.oneIn(share)) chosen[key] = value();
  return chosen;
}

const spelling = (random: Random): { readonly [key: string]: () => Json } => ({
  suggest_mode: () => random.pick(["missing", "popular", "always", "ALWAYS", "always"]),
  sort: () => random.pick(["score", "frequency"]),
  string_distance: () => random.pick(["internal", "damerau_levenshtein", "levenshtein", "jaro_winkler", "ngram"]),
  max_edits: () => random.pick<Json>([1, 2, 2, "1", 3]),
  prefix_length: () => random.int(0, 3),
  min_word_length: () => random.pick([1, 2, 3, 5]),
  max_inspections: () => random.pick([1, 2, 10]),
  min_doc_freq: () => random.pick<Json>([0.01, 0.1, 1, 2, 1.5]),
  max_term_freq: () => random.pick<Json>([0.5, 1, 3, 100]),
  accuracy: () => random.pick([0, 0.3, 0.7, 0.9]),
  size: () => random.pick([1, 2, 5, 10]),
});

const ANALYZERS = ["standard", "whitespace", "keyword", "simple", "absent"];

function termOf(random: Random, field: string): JsonMap {
  return {
    field,
    ...some(random, 4, {
      ...spelling(random),
      shard_size: () => random.pick([1, 3, 20, 0]),
      analyzer: () => random.pick(ANALYZERS),
    }),
  };
}

function generatorOf(random: Random, field: string): JsonMap {
  const filters = { pre_filter: () => random.pick(ANALYZERS), post_filter: () => random.pick(ANALYZERS) };
  return { field, ...some(random, 4, spelling(random)), ...some(random, 8, filters) };
}

function phraseOf(random: Random, field: string, other: () => string): JsonMap {
  const smoothing = (): Json =>
    random.pick<JsonMap>([
      { laplace: { alpha: random.pick([0.1, 0.7]) } },
      { stupid_backoff: { discount: random.pick([0.2, 0.9]) } },
      { linear: { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 } },
    ]);
  return {
    field,
    ...some(random, 4, {
      size: () => random.pick([1, 3, 10]),
      shard_size: () => random.pick([1, 3, 20]),
      confidence: () => random.pick([0, 0.5, 1, 2]),
      max_errors: () => random.pick([0.1, 0.5, 1, 2, 3]),
      gram_size: () => random.int(1, 3),
      real_word_error_likelihood: () => random.pick([0.5, 0.99, 1.2]),
      token_limit: () => random.int(1, 20),
      separator: () => random.pick([" ", "_", ""]),
      highlight: () => ({ pre_tag: "<b>", post_tag: "</b>" }),
      smoothing,
      analyzer: () => random.pick(ANALYZERS),
    }),
    ...(random.oneIn(2)
      ? {
          direct_generator: Array.from({ length: random.int(1, 2) }, () =>
            generatorOf(random, random.oneIn(3) ? other() : field),
          ),
        }
      : {}),
  };
}

/** @param split how documents lie in segments is not known, and each segment gives its best */
function completionOf(random: Random, asked: string, split: boolean): JsonMap {
  const prefix = asked.slice(0, random.int(0, 12));
  const fuzzy = (): Json =>
    random.oneIn(3)
      ? true
      : some(random, 2, {
          fuzziness: () => random.pick<Json>([0, 1, 2, "AUTO"]),
          min_length: () => random.int(0, 4),
          prefix_length: () => random.int(0, 3),
          transpositions: () => random.oneIn(2),
          unicode_aware: () => random.oneIn(2),
        });
  const options = some(random, 3, {
    size: () => random.pick([1, 2, 10]),
    shard_size: () => random.pick([1, 3, 20]),
    skip_duplicates: () => random.oneIn(2),
  });
  if (split) options.shard_size = 1000;
  if (random.oneIn(4)) {
    const regex = prefix
      .toLowerCase()
      .replace(/[^a-z]/g, ".")
      .slice(0, 4);
    return {
      regex: random.pick([regex, `${regex}.*`, `(${regex}|a)`, `[a-f]${regex}`]),
      completion: { field: COMPLETION, ...options },
    };
  }
  return { prefix, completion: { field: COMPLETION, ...options, ...(random.oneIn(3) ? { fuzzy: fuzzy() } : {}) } };
}

/** `suggest`. @param words that stand in some document */
export function suggestOf(random: Random, world: World, words: () => string): JsonMap {
  const texts = world.fields.filter(({ type }) => type === "text");
  const field = () => (random.oneIn(30) ? "missing" : random.pick(random.oneIn(8) ? world.fields : texts).name);
  const asked = () => (random.oneIn(8) ? text(random) : phrase(random, random.oneIn(8) ? keyword(random) : words()));
  // Elasticsearch keeps a document for each deletion for a while, and phrases are scored by the number of documents.
  const deletes = [world, ...(world.other ? [world.other] : [])]
    .flatMap(({ batches }) => batches.flat())
    .some(([action]) => "delete" in action);
  const suggest: JsonMap = random.oneIn(4) ? { text: asked() } : {};
  for (const name of random.some(["one", "two", "three", "ä"], 1, 2)) {
    if (world.completes && random.oneIn(2)) {
      // A document that is changed in the batch that it came with makes Elasticsearch refresh in between.
      const split = world.batches.flat().some(([action]) => "update" in action);
      suggest[name] = completionOf(random, asked(), split);
      continue;
    }
    const own: JsonMap = suggest.text === undefined || random.oneIn(2) ? { text: asked() } : {};
    const suggester: JsonMap =
      deletes || random.oneIn(2) ? { term: termOf(random, field()) } : { phrase: phraseOf(random, field(), field) };
    suggest[name] = { ...own, ...suggester };
  }
  return suggest;
}
