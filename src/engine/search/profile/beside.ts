/**
 * A search whose filters stand beside its query (Elasticsearch's QueryPhaseCollector): that after the query is bound and shown on its own,
 * and where a search stops is shown by nothing.
 */
import { conjunctionScorer } from "../../query/scorers/index.ts";
import type { Query, Weight } from "../../query/types.ts";

export interface Beside {
  readonly query: Query;
  readonly postFilter?: Query | undefined;
  /** Someone else asks for scores. */
  readonly scored?: boolean;
  /** What else must match. */
  readonly hidden?: Query | undefined;
}

interface BesideQuery extends Query {
  readonly beside: Beside;
}

export function besideQuery(beside: Beside): Query {
  const { query } = beside;
  const made: BesideQuery = {
    beside,
    describe: () => query.describe(),
    toString: () => `beside(${query}, ${beside.postFilter ?? ""}, ${beside.hidden ?? ""})`,
    rewrite: () => made,
    createWeight() {
      throw new Error("the parts of such a search are bound one by one");
    },
  };
  return made;
}

export function partsBeside(query: Query): Beside | undefined {
  return (query as Partial<BesideQuery>).beside;
}

/** The hits of a weight that others match too. */
export function weightBeside(weight: Weight, others: readonly Weight[]): Weight {
  return {
    ...weight,
    scorer(leaf) {
      const scorer = weight.scorer(leaf);
      if (scorer === undefined) return undefined;
      const filters = others.map((other) => other.scorer(leaf));
      if (filters.includes(undefined)) return undefined;
      return filters.length === 0 ? scorer : conjunctionScorer([scorer, ...filters.map((each) => each!)], [scorer]);
    },
  };
}
