/** Suggestions in the response: what each shard suggests, and all of it as one. */
import { EngineError } from "../../errors.ts";
import { hashOrder } from "../../mapping/java-text.ts";
import { isShardError, shardError } from "../../query/dsl/index.ts";
import type { Slices } from "../../slices.ts";
import { type Entry, type Option, type Suggestion, targetOf } from "../../suggest/index.ts";
import { printScore } from "../print-score.ts";
import type { ResponseValue } from "../response-value.ts";
import { fetchHits } from "./fetch/index.ts";
import { isSuggestOnly, type SearchRequest } from "./request.ts";
import type { FetchedPage, ResponsePart } from "./response-parts.ts";
import type { Shard } from "./shard.ts";
import { mergeFailed } from "./sorting.ts";
import { checkScoring, type Scoring, scoringOf } from "./suggest-scoring.ts";

interface Suggested {
  readonly entries: ReadonlyMap<Suggestion, readonly Entry<ShardOption>[]>;
  readonly scoring: Scoring | undefined;
}

export const suggestPart: ResponsePart<Suggested> = {
  wanted: ({ suggest }) => suggest !== undefined && suggest.suggestions.length > 0,
  fetches: true,
  async onShard({ shard, built, request, slices }) {
    const found = new Map<Suggestion, readonly Entry<ShardOption>[]>();
    for (const { suggestion, suggest } of built.suggestions) {
      const entries = await asShard(async () => suggest(slices));
      const own = entries.map((entry) => ({
        ...entry,
        options: entry.options.map((option) => ({ ...option, shard })),
      }));
      found.set(suggestion, own);
    }
    return { entries: found, scoring: scoringOf(built, request) };
  },
  async reduce(results, request, slices, page) {
    const { suggest, typedKeys } = request;
    const printed: { [name: string]: ResponseValue } = { __proto__: null } as never;
    const byName = [...suggest!.suggestions].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    const reduced = byName.map((suggestion) => ({
      suggestion,
      entries: merged(() =>
        suggestion.suggester.reduce(results.map(({ result }) => result.entries.get(suggestion)!)),
      ) as readonly Entry<ShardOption>[],
    }));
    const documents = reduced.flatMap(({ suggestion, entries }) =>
      suggestion.suggester.ofDocuments ? entries.flatMap(({ options }) => options) : [],
    );
    const scoring = new Map(results.map(({ shard, result }) => [shard, result.scoring]));
    const shown = await fetchDocuments(documents, request, slices, page, scoring);
    for (const { suggestion, entries } of reduced) {
      const { name, suggester } = suggestion;
      printed[typedKeys ? `${suggester.type}#${name}` : name] = entries.map(({ text, offset, length, options }) => ({
        text,
        offset,
        length,
        options: options.map((option) => (suggester.ofDocuments ? shown.get(option)! : printOption(option))),
      }));
    }
    return { suggest: printed };
  },
};

type ShardOption = Option & { readonly shard: Shard };

const printOption = ({ text, highlighted, score, freq }: Option): ResponseValue => ({
  text,
  highlighted,
  score: printScore(score),
  freq,
});

/** Options that are documents, each with what is shown of a hit and how the search found it; a shard that fails shows the bare options, and none of its hits. */
async function fetchDocuments(
  options: readonly ShardOption[],
  request: SearchRequest,
  slices: Slices,
  { hits, failed, foundBy }: FetchedPage,
  scoring: ReadonlyMap<Shard, Scoring | undefined>,
): Promise<ReadonlyMap<ShardOption, ResponseValue>> {
  const shown = new Map<ShardOption, ResponseValue>();
  for (const shard of new Set(options.map((option) => option.shard))) {
    const own = options.filter((option) => option.shard === shard);
    const documents = own.map(({ doc, score }) => ({ shard, doc: doc!, score }));
    try {
      const alone = isSuggestOnly(request);
      if (alone && request.highlight && request.highlight.fields.length > 0) throw nothingToHighlight();
      const fetched = alone
        ? await fetchHits(documents, { ...request, explain: false }, { queries: new Map() }, slices)
        : await fetchHits(documents, request, foundBy, slices);
      const all = [...hits.filter((hit) => hit.shard === shard), ...documents].map(({ doc }) => doc);
      checkScoring(shard, scoring.get(shard), all);
      for (const [i, hit] of fetched.entries()) {
        const { text, contexts } = own[i];
        const document = hit as { readonly [key: string]: ResponseValue };
        shown.set(own[i], { text, ...document, ...(contexts ? { contexts } : {}) });
      }
    } catch (error) {
      if (!isShardError(error)) throw error;
      failed.set(shard, error as EngineError);
      for (const option of own) shown.set(option, { text: option.text, score: printScore(option.score) });
    }
  }
  return shown;
}

/** Where nothing is searched for, Elasticsearch's highlighters stumble over the missing query. */
const nothingToHighlight = () =>
  shardError(new EngineError("null_pointer_exception", "", { status: 500, noReason: true }));

/** A suggestion that is ready to look for what fits on a shard. */
export interface BoundSuggestion {
  readonly suggestion: Suggestion;
  suggest(slices: Slices): Promise<readonly Entry[]>;
}

/** In the order in which a mistake in them is found. @throws shard errors */
export function suggestionsOf(shard: Shard, request: SearchRequest): readonly BoundSuggestion[] {
  const { suggest } = request;
  if (suggest === undefined) return [];
  const { context, searcher, snapshot } = shard;
  const byName = new Map(suggest.suggestions.map((suggestion) => [suggestion.name, suggestion]));
  return hashOrder([...byName.keys()]).map((name) => {
    const suggestion = byName.get(name)!;
    const target = inShard(() => targetOf(suggestion, suggest.text, context));
    const own = { context, searcher, docCount: snapshot.docCount };
    return { suggestion, suggest: inShard(() => suggestion.suggester.prepare(target, own)) };
  });
}

/** What does not fit together is no shard's error. */
function merged<T>(reduce: () => T): T {
  try {
    return reduce();
  } catch (error) {
    throw error instanceof EngineError ? mergeFailed(error) : error;
  }
}

function inShard<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw marked(error);
  }
}

async function asShard<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw marked(error);
  }
}

const NOT_OF_SHARD = ["unsupported_feature_exception", "task_cancelled_exception"];

const marked = (error: unknown) =>
  error instanceof EngineError && !NOT_OF_SHARD.includes(error.type) ? shardError(error) : error;
