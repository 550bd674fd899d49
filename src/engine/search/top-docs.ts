/**
 * Collects the best hits of a search, segment after segment: the loop that most searches spend their time in. Terms and plain
 * disjunctions of terms are scored block-wise (`term-windows.ts`), everything else document by document.
 */

import { confirms, type MatchingDocs, matchingDocs, nextUp } from "../query/scorers/index.ts";
import type { Scorer } from "../query/types.ts";
import { type BitSet, NO_MORE_DOCS } from "../segment/types.ts";
import type { Slices } from "../slices.ts";
import { counted } from "../work.ts";
import { bulkSource, plainSource } from "./bulk-shape.ts";
import { type Steps, termSteps } from "./term-windows.ts";
import { type TopDocs, type TopLimits, TopQueue } from "./top-queue.ts";

export type { TopDocs, TopLimits } from "./top-queue.ts";

/** One segment's part of a search. */
export interface TopSource {
  /** Of the query, unused; undefined when nothing matches. */
  readonly scorer: Scorer | undefined;
  /** Documents that are alive; undefined: all. */
  readonly live: BitSet | undefined;
  readonly docBase: number;
  /** Number of hits among the live documents, where the caller knows it (all documents match, say). */
  readonly count?: number;
}

/** Documents between two looks at the clock. */
const STEP = 512;

/**
 * The best `k` hits by score, equal ones in document order.
 *
 * Hits are counted exactly up to `totalHitsThreshold`; beyond it `total` is the threshold and the relation "gte", as Elasticsearch prints
 * `hits.total` (pass Infinity for `track_total_hits: true`, 0 for `false`). What cannot be among the best is then skipped.
 *
 * @param sources segments in document order; an iterable may make each scorer when its turn comes
 * @returns at once where no slice was due on the way, otherwise a promise: `await` takes both
 * @throws the error of an aborted signal; with a timeout the hits found so far, marked
 */
export function collectTop(
  sources: Iterable<TopSource>,
  limits: TopLimits & { readonly slices?: Slices },
): TopDocs | Promise<TopDocs> {
  const queue = new TopQueue(limits);
  const { slices } = limits;
  const iterator = sources[Symbol.iterator]();
  let steps: Steps | undefined;

  /** Works until a slice is due. True when all is done. */
  const work = (): boolean => {
    for (;;) {
      if (steps === undefined) {
        const { value, done } = iterator.next();
        if (done) return true;
        steps = sourceSteps(value, queue);
      } else if (!steps.next()) {
        steps = undefined;
      }
      if (slices !== undefined && (slices.due() || slices.timedOut())) return false;
    }
  };
  const workOn = async (using: Slices): Promise<TopDocs> => {
    do {
      if (using.timedOut()) {
        iterator.return?.();
        return queue.finish(true);
      }
      await using.pause();
    } while (!work());
    return queue.finish(false);
  };
  slices?.check();
  return work() || slices === undefined ? queue.finish(false) : workOn(slices);
}

const NOTHING: Steps = { next: () => false };

function sourceSteps({ scorer, live, docBase, count }: TopSource, queue: TopQueue): Steps {
  if (scorer === undefined) return NOTHING;
  const noneWanted = queue.k === 0 && queue.minScore <= 0;
  // Bit sets of other clauses are made for hits that are scored only.
  const bulk = noneWanted ? plainSource(scorer, live) : bulkSource(scorer, live);
  let known = count;
  if (queue.minScore > 0) {
    known = undefined;
  } else if (bulk !== undefined && known === undefined) {
    const { accepted, atLeast, exact } = bulk;
    if (accepted === undefined && exact) known = atLeast;
    else queue.expect(accepted === undefined ? atLeast : atLeast - (accepted.length - accepted.cardinality()));
  }
  if (known !== undefined) queue.count(known);
  const isKnown = known !== undefined;
  if (noneWanted) return isKnown ? NOTHING : countSteps(scorer, live, queue);
  return bulk === undefined
    ? scorerSteps(scorer, live, docBase, isKnown, queue)
    : termSteps(bulk.shape, { accepted: bulk.accepted, docBase, known: isKnown, queue });
}

/** Counts hits, of which none is wanted. */
function countSteps(scorer: Scorer, live: BitSet | undefined, queue: TopQueue): Steps {
  let matching: MatchingDocs | undefined;
  return {
    next() {
      if (queue.exceeded) return false;
      matching ??= matchingDocs(scorer, live);
      if (!matching.nextWindow()) return false;
      queue.count(matching.count());
      return true;
    },
  };
}

/** Document by document, for any scorer. */
function scorerSteps(
  scorer: Scorer,
  live: BitSet | undefined,
  docBase: number,
  known: boolean,
  queue: TopQueue,
): Steps {
  let told = Number.NEGATIVE_INFINITY;
  const { minScore, k } = queue;
  let scored = 0;
  const step = (): boolean => {
    for (let i = 0; i < STEP; i++) {
      const countless = known || queue.exceeded;
      if (countless) {
        if (k === 0) return false;
        if (queue.worst > told) {
          // Documents come in order: an equal score is too late.
          told = queue.worst;
          scorer.setMinCompetitiveScore(nextUp(told));
        }
      }
      const doc = scorer.nextDoc();
      if (doc === NO_MORE_DOCS) return false;
      if (live !== undefined && !live.get(doc)) continue;
      if (!confirms(scorer)) continue;
      const score = scorer.score();
      scored++;
      if (score < minScore) continue;
      if (!known) queue.count(1);
      queue.offer(doc + docBase, score);
    }
    return true;
  };
  return {
    next() {
      scored = 0;
      const more = step();
      if (counted !== undefined) counted.scored += scored;
      return more;
    },
  };
}
