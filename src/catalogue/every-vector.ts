/** All passages of an index, a page at a time, with their vectors: for comparing by a measure that the index does not search by. */
import type { estypes } from "@elastic/elasticsearch";
import { filtersToQuery, type StrategyTarget } from "../retrieval/index.ts";
import { type CallOptions, type Filters, InvalidArgumentError } from "../schema/index.ts";

/** Passages of a page; their vectors are JSON on the way. */
const PAGE = 500;
/** A comparison one by one of more would take minutes. */
const MOST = 200_000;
const KEEP_ALIVE = "1m";

/**
 * Hits that hold their vectors alone, in no order that matters. They are of one moment: what is written meanwhile is not among them.
 *
 * @throws InvalidArgumentError when there are more than can be read one by one
 */
export async function* everyVector(
  { client, index, vectorField = "embedding" }: StrategyTarget,
  filters: Filters | undefined,
  { signal }: CallOptions,
): AsyncGenerator<estypes.SearchHit[]> {
  const call = signal ? { signal } : {};
  const filter = filtersToQuery(filters);
  const query = filter ? { bool: { filter: [filter] } } : { match_all: {} };
  const pit = await client.openPointInTime({ index, keep_alive: KEEP_ALIVE }, call);
  let id = pit.id;
  try {
    let after: estypes.SortResults | undefined;
    for (;;) {
      const answer = await client.search(
        {
          pit: { id, keep_alive: KEEP_ALIVE },
          query,
          size: PAGE,
          _source: [vectorField],
          sort: [{ _shard_doc: { order: "asc" } }] as estypes.Sort,
          track_total_hits: after === undefined ? MOST + 1 : false,
          ...(after === undefined ? {} : { search_after: after }),
        },
        call,
      );
      id = answer.pit_id ?? id;
      if (after === undefined) refuseMany(answer.hits.total);
      const { hits } = answer.hits;
      if (hits.length === 0) return;
      yield hits;
      if (hits.length < PAGE) return;
      after = hits.at(-1)!.sort!;
    }
  } finally {
    // One that is left behind ends by itself.
    await client.closePointInTime({ id }).catch(() => undefined);
  }
}

function refuseMany(total: estypes.SearchTotalHits | number | undefined): void {
  const count = typeof total === "object" ? total.value : (total ?? 0);
  if (count <= MOST) return;
  throw new InvalidArgumentError(
    "exact",
    true,
    `exact compares every passage, at most ${MOST}, and here are more: narrow them with filters, or leave exact out`,
  );
}
