/** Runs: the questions of a test collection asked with a strategy, as rankings of documents. */
import type { StrategyName } from "../catalogue/index.ts";
import type { Collection, SearchOptions } from "../collection/types.ts";
import type { CallOptions, Filters, NodeWithScore } from "../schema/index.ts";
import { sourceId } from "../schema/index.ts";
import type { Question } from "./questions.ts";

/** Which document a passage counts for; undefined leaves it out. */
export type DocumentOf = (hit: NodeWithScore, question: Question) => string | undefined;

/** How questions are run: strategy, filters, depth. */
export interface RunOptions extends CallOptions {
  /** Default `hybrid`. */
  strategy?: StrategyName;
  /** The strategy's own options. */
  strategyOptions?: Readonly<Record<string, unknown>>;
  filters?: Filters;
  /** Passages that are asked for. Default 100. */
  depth?: number;
  /** Default: the id of the document it was cut from. */
  documentOf?: DocumentOf;
  /** Called after each question. */
  onQuestion?: (done: number) => void;
}

/** Asks every question in turn. Passages become documents; of a document the best passage counts. */
export async function runQuestions(
  collection: Pick<Collection, "search">,
  questions: Iterable<Question>,
  options: RunOptions = {},
): Promise<Map<string, string[]>> {
  const { depth = 100, documentOf = ({ node }) => sourceId(node), onQuestion, strategyOptions, ...search } = options;
  const run = new Map<string, string[]>();
  for (const question of questions) {
    // Options that are known only when it runs are checked by the strategy.
    const hits = await collection.search(question.text, {
      ...strategyOptions,
      ...search,
      topK: depth,
    } as SearchOptions);
    run.set(
      question.id,
      rankDocuments(hits, (hit) => documentOf(hit, question)),
    );
    onQuestion?.(run.size);
  }
  return run;
}

/** The documents of some passages, each at the place of its best one. */
export function rankDocuments(
  hits: readonly NodeWithScore[],
  documentOf: (hit: NodeWithScore) => string | undefined,
): string[] {
  const documents = new Set<string>();
  for (const hit of hits) {
    const id = documentOf(hit);
    if (id !== undefined) documents.add(id);
  }
  return [...documents];
}
