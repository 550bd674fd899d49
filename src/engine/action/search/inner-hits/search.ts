/** `inner_hits` on a shard: for a hit, the best of its nested documents that a query matches (InnerHitsContext). */
import { EngineError, illegalArgument } from "../../../errors.ts";
import { settingOf } from "../../../index/settings.ts";
import { hashOrder } from "../../../mapping/java-text.ts";
import { type InnerHits, shardError } from "../../../query/dsl/index.ts";
import { nestedDocuments, rootDocuments } from "../../../query/lucene/nested.ts";
import { confirmed } from "../../../query/scorers/index.ts";
import type { Query, Scorer, Weight } from "../../../query/types.ts";
import { compareRows, type SortKey, type SortValue } from "../../../search/sort/index.ts";
import { type LeafReader, NO_MORE_DOCS } from "../../../segment/types.ts";
import { highlightQuery } from "../fetch/highlight.ts";
import { docValueFields } from "../fields/doc-values.ts";
import type { Shard, ShardHit } from "../shard.ts";
import { byScore, sortKeysOf } from "../sorting.ts";
import type { InnerHitsRequest } from "./request.ts";

/** Inner hits of the hits of a shard. Documents are asked for in their order. */
export interface InnerSearch {
  readonly request: InnerHitsRequest;
  readonly name: string;
  /** The shard with the named queries of these inner hits. */
  readonly shard: Shard;
  readonly query: Query;
  of(leaf: LeafReader, parent: number): InnerTop;
}

export interface InnerTop {
  readonly hits: readonly ShardHit[];
  readonly total: number;
  /** Undefined where it is not known. */
  readonly maxScore: number | undefined;
}

const DEFAULT_WINDOW = 100;

/** @throws shard errors for two of one name, also among those within (InnerHitContextBuilder.extractInnerHits) */
export function checkInnerNames(shard: Shard, all: readonly InnerHits[]): void {
  const names = new Set<string>();
  for (const { of, name } of all.flatMap((of) => named(shard, of, { of }))) {
    if (names.has(name)) {
      throw shardError(illegalArgument(`[inner_hits] already contains an entry for key [${name}]`));
    }
    names.add(name);
    checkInnerNames(shard, of.query.innerHits ?? []);
  }
}

/** In the order of Java's map of names. @throws shard errors for what is wrong with their parts */
export function innerSearches(shard: Shard, requests: readonly InnerHitsRequest[]): InnerSearch[] {
  const found = new Map(
    requests
      .filter(({ of }) => !shard.context.lostInnerHits?.has(of))
      .flatMap((request) => named(shard, request.of, { request }))
      .map((each): [string, Named] => [each.name, each]),
  );
  return hashOrder([...found.keys()]).flatMap((name) => innerSearch(shard, found.get(name)!) ?? []);
}

/** With the path and the name that they have on a shard; none where there is no such path. */
function named<T>(shard: Shard, { path, name }: InnerHits, of: T): (T & { path: string; name: string })[] {
  const own = typeof path === "string" ? path : path(shard.context.mapping);
  return own === undefined ? [] : [{ ...of, path: own, name: name ?? own }];
}

interface Named {
  readonly request: InnerHitsRequest;
  readonly path: string;
  readonly name: string;
}

function innerSearch(shard: Shard, { request, path, name }: Named): InnerSearch | undefined {
  const { of, options } = request;
  const { mapping } = shard.context;
  checkWindow(shard, of.name, of.from + of.size);
  // The query itself has told what it says to an object that is not there.
  if (mapping.object(path)?.nested !== true) return undefined;
  const own: Shard = { ...shard, context: { ...shard.context, nestedPath: path, named: [], searches: [] } };
  docValueFields(own, options.docValueFields);
  const keys = byScore(request.sorts) ? undefined : inShard(() => sortKeysOf(request, own));
  for (const highlighted of options.highlight?.queries ?? []) highlightQuery(own, highlighted);
  const query = inShard(() => of.query.toQuery(own.context));
  // Names and windows of those within are wrong here already.
  innerSearches(own, options.innerHits);
  const scored = of.size > 0 && (keys === undefined || keys.some(({ type }) => type === "SCORE"));
  const { searcher } = shard;
  const weight = query.rewrite(searcher).createWeight(searcher, scored ? "complete" : "none", 1);
  const walk = childWalk(weight, path, shard.context.nestedPath);
  return {
    request,
    name,
    shard: own,
    query,
    of: (leaf, parent) => best(own, request, keys, walk(leaf, parent, keys, scored)),
  };
}

function inShard<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    const own = error instanceof EngineError && error.type !== "unsupported_feature_exception";
    throw own && error.metadata["phase"] !== "shard" ? shardError(error) : error;
  }
}

function checkWindow({ index }: Shard, name: string | undefined, hits: number): void {
  const window = Number(settingOf(index.settings, "max_inner_result_window") ?? DEFAULT_WINDOW);
  if (hits <= window) return;
  throw shardError(
    illegalArgument(
      `Inner result window is too large, the inner hit definition's [${name ?? null}]'s from + size must be less than or equal to: ` +
        `[${window}] but was [${hits}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    ),
  );
}

interface Child {
  readonly doc: number;
  readonly score: number;
  readonly values: readonly SortValue[];
}

/** The matching children of one parent after the other. @param above the nested object that parents are; undefined: roots */
function childWalk(weight: Weight, path: string, above: string | undefined) {
  let current: { leaf: LeafReader; scorer: Scorer | undefined } | undefined;
  return (leaf: LeafReader, parent: number, keys: readonly SortKey[] | undefined, scored: boolean): Child[] => {
    const parents = above === undefined ? rootDocuments(leaf) : nestedDocuments(leaf, above);
    const children = nestedDocuments(leaf, path);
    const first = parent === 0 ? 0 : Math.max(parents?.previousSetBit(parent - 1) ?? -1, -1) + 1;
    if (children === undefined) return [];
    if (current?.leaf !== leaf || (current.scorer?.docID() ?? -1) > first) {
      const scorer = weight.scorer(leaf);
      current = { leaf, scorer: scorer && confirmed(scorer) };
    }
    const { scorer } = current;
    const found: Child[] = [];
    if (!scorer) return found;
    const leafKeys = keys?.map((key) => key.leaf(leaf)) ?? [];
    if (scorer.docID() < first) scorer.advance(first);
    for (let doc = scorer.docID(); doc < parent && doc !== NO_MORE_DOCS; doc = scorer.nextDoc()) {
      if (!children.get(doc)) continue;
      const score = scored ? scorer.score() : 0;
      found.push({ doc: doc + leaf.docBase, score, values: leafKeys.map((key) => key.value(doc, score)) });
    }
    return found;
  };
}

function best(
  shard: Shard,
  { of, trackScores }: InnerHitsRequest,
  keys: readonly SortKey[] | undefined,
  found: Child[],
): InnerTop {
  const total = found.length;
  if (of.size === 0 || total === 0) return { hits: [], total, maxScore: undefined };
  const maxScore = found.reduce((max, { score }) => Math.max(max, score), Number.NEGATIVE_INFINITY);
  if (keys === undefined) found.sort((a, b) => b.score - a.score || a.doc - b.doc);
  else found.sort((a, b) => compareRows(keys, a.values, b.values) || a.doc - b.doc);
  // Behind the last hit Lucene's collector says that there is none; that of sorted hits has counted.
  if (of.from >= total) {
    const scored = keys === undefined;
    return { hits: [], total: scored ? 0 : total, maxScore: scored || trackScores ? maxScore : undefined };
  }
  const hits = found.slice(of.from, of.from + of.size).map(
    ({ doc, score, values }): ShardHit =>
      keys === undefined
        ? { shard, doc, score }
        : // Where hits are sorted their scores are not shown.
          { shard, doc, score: Number.NaN, sort: keys.map((key, i) => key.print(values[i])) },
  );
  return { hits, total, maxScore: keys === undefined || trackScores ? maxScore : undefined };
}
