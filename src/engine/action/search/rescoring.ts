/** The second passes of a search on a shard. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { settingOf } from "../../index/settings.ts";
import { buildQuery, shardError } from "../../query/dsl/index.ts";
import type { Query } from "../../query/types.ts";
import { type RescorePass, rescore } from "../../search/rescore/index.ts";
import type { SortedDocs } from "../../search/sort/index.ts";
import type { TopDocs } from "../../search/top-docs.ts";
import type { Slices } from "../../slices.ts";
import type { SearchRequest } from "./request.ts";
import type { Shard } from "./shard.ts";

/** A second pass, and the hits that it scored again. */
export interface Rescored {
  readonly pass: RescorePass;
  readonly docs: ReadonlySet<number>;
}

/** @throws shard errors for passes over sorted hits, and for windows that are too large */
export function checkRescore(shard: Shard, { rescores }: SearchRequest, sorted: boolean): void {
  if (rescores.length === 0) return;
  if (sorted) throw shardError(illegalArgument("Cannot use [sort] option in conjunction with [rescore]."));
  const { settings } = shard.index;
  const most = Number(settingOf(settings, "max_rescore_window") ?? settingOf(settings, "max_result_window") ?? 10_000);
  for (const { windowSize } of rescores) {
    if (windowSize <= most) continue;
    throw shardError(
      illegalArgument(
        `Rescore window [${windowSize}] is too large. It must be less than [${most}]. This prevents allocating massive heaps for storing ` +
          "the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.",
      ),
    );
  }
}

/** The passes that a request asks for; their queries are rewritten where there are hits to score again. @throws shard errors */
export function rescorePasses(shard: Shard, { rescores }: SearchRequest): RescorePass[] {
  return rescores.map(({ query, ...options }) => ({ ...options, query: buildQuery(query, shard.context) }));
}

/** What fails while a query is rewritten is its shard's error. */
function rewritten(shard: Shard, query: Query): Query {
  try {
    return query.rewrite(shard.searcher);
  } catch (error) {
    throw error instanceof EngineError && error.type !== "unsupported_feature_exception" ? shardError(error) : error;
  }
}

export async function rescoreTop(
  shard: Shard,
  found: TopDocs | SortedDocs,
  passes: readonly RescorePass[],
  slices: Slices,
): Promise<{ top: TopDocs | SortedDocs; rescored: readonly Rescored[] }> {
  const rescored: Rescored[] = [];
  if (found.docs.length === 0 || "values" in found) return { top: found, rescored };
  let top = found;
  for (const asked of passes) {
    const pass = { ...asked, query: rewritten(shard, asked.query) };
    if (pass.windowSize < 0) {
      throw shardError(new EngineError("negative_array_size_exception", String(pass.windowSize), { status: 500 }));
    }
    const again = await rescore(top, pass, shard.searcher, slices);
    top = again.top;
    rescored.push({ pass, docs: again.rescored });
  }
  return { top, rescored };
}
