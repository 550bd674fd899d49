/**
 * A part of the indices, for callers who may see no more: those of some names, and of their documents those that a filter matches. The
 * hidden documents are to every reader as if they were deleted (Elasticsearch's document level security does the same): searches of every
 * form go over the living documents of a snapshot, and the snapshot of a view has fewer. What deletion does not hide, this does not either:
 * the dictionary's words and the statistics of scores. `rest/view-rules.ts` refuses what would show them.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import type { CreateIndexRequest, Index, IndexRegistry, IndexSnapshot } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import type { Mapping } from "../mapping/types.ts";
import { buildQuery, lookupsOf, parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import type { Weight } from "../query/types.ts";
import { materialise } from "../search/searcher.ts";
import { FixedBitSet } from "../segment/index.ts";
import { type BitSet, type LeafReader, NO_MORE_DOCS, type SegmentReader } from "../segment/types.ts";
import { matchesSimple } from "../simple-match.ts";
import { createSlices } from "../slices.ts";
import { searchable } from "./get.ts";
import { openShard } from "./search/shard.ts";

export interface View {
  /** Whose it is: what its searches leave open (scrolls, points in time) is no other view's. */
  readonly owner: string;
  /** Patterns of names of indices. Left out: all. */
  readonly indices?: readonly string[];
  /** A query of the DSL as JSON. Its reader cannot write. */
  readonly filter?: string;
  /** Mappings may be read, whatever fields they name. */
  readonly readsMappings?: boolean;
}

/** What a view refuses. */
export function forbidden(reason: string): EngineError {
  return new EngineError("security_exception", reason, { status: 403 });
}

/**
 * Reads the filter of a view. It says the same of a document whenever it is asked: neither the time nor other documents have a part in it.
 * @throws what is wrong with it
 */
export function parseViewFilter(filter: string): QueryBuilder {
  const builder = parseInnerQuery([parseJson(filter, { positions: true })], 0, 1);
  if (lookupsOf([builder]).length > 0) throw illegalArgument("a view's filter cannot look up other documents");
  const lasting = /"now|"(?:knn|more_like_this|function_score|wrapper)"/.exec(filter);
  if (lasting)
    throw illegalArgument(
      `a view's filter says the same at any time: [${lasting[0].slice(1).replace('"', "")}] may not be in it`,
    );
  return builder;
}

/** The registry as a view shows it. */
export function viewOf(registry: IndexRegistry, { indices: patterns, filter }: View): IndexRegistry {
  const visible = (name: string) => patterns === undefined || patterns.some((pattern) => matchesSimple(pattern, name));
  const builder = filter === undefined ? undefined : parseViewFilter(filter);
  const shown = (index: Index) => (builder === undefined ? index : filteredIndex(index, builder, filter!));
  const writable = (what: string) => {
    if (builder !== undefined) throw forbidden(`this key reads a part of the documents: it cannot ${what}`);
  };
  const mayMake = (name: string, { aliases = {} }: CreateIndexRequest) => {
    writable("make indices");
    for (const each of [name, ...Object.keys(aliases)])
      if (!visible(each)) throw forbidden(`this key may not make [${each}]: it is for [${patterns!.join(",")}]`);
  };
  return {
    ...registry,
    get readOnly() {
      return registry.readOnly;
    },
    async create(name, request) {
      mayMake(name, request);
      return registry.create(name, request);
    },
    async delete(name) {
      writable("remove indices");
      if (!visible(name)) throw forbidden(`this key may not remove [${name}]`);
      return registry.delete(name);
    },
    async change(plan) {
      writable("change indices");
      return registry.change(() => {
        const changes = plan();
        for (const { name, aliases = {} } of changes)
          for (const each of [name, ...Object.keys(aliases)])
            if (!visible(each))
              throw forbidden(`this key may not change [${each}]: it is for [${patterns!.join(",")}]`);
        return changes;
      });
    },
    get(name) {
      const index = visible(name) ? registry.get(name) : undefined;
      return index && shown(index);
    },
    list: () =>
      registry
        .list()
        .filter(({ name }) => visible(name))
        .map(shown),
  };
}

function filteredIndex(index: Index, builder: QueryBuilder, filter: string): Index {
  const refuse = async () => {
    throw forbidden("this key reads a part of the documents: it cannot write");
  };
  const filtered: Index = {
    name: index.name,
    uuid: index.uuid,
    createdAt: index.createdAt,
    get settings() {
      return index.settings;
    },
    get mapping() {
      return index.mapping;
    },
    get aliases() {
      return index.aliases;
    },
    get closed() {
      return index.closed;
    },
    get analysis() {
      return index.analysis;
    },
    similarity: (name) => index.similarity(name),
    putMapping: refuse,
    write: refuse,
    // The newest state of a document may not be in any segment yet: who sees a part sees what the last refresh left.
    get: (id) => searchable(filtered, id),
    refresh: () => index.refresh(),
    flush: refuse,
    forceMerge: refuse,
    async ready() {
      await index.ready();
      await prepare(index, builder, filter);
    },
    acquire: () => filteredSnapshot(index, index.acquire(), builder, filter),
    stats: () => ({ docs: 0, deleted: 0, segments: 0, storeBytes: 0, residentBytes: 0 }),
  };
  return filtered;
}

/** Documents of a segment that a filter matches, deleted ones included, with their nested ones; as the mapping was when it was asked. */
interface Matching {
  readonly mapping: Mapping;
  readonly bits: FixedBitSet;
  /** The living of them, for the last set of living documents that was asked for. */
  alive?: { readonly of: BitSet | undefined; readonly bits: FixedBitSet; readonly roots: number };
}

/** Filters for which a segment keeps its documents. */
const KEPT = 64;
const known = new WeakMap<SegmentReader, Map<string, Matching>>();

/** Asks the filter of all segments that are searchable now, with pauses between them. */
async function prepare(index: Index, builder: QueryBuilder, filter: string): Promise<void> {
  const slices = createSlices();
  const snapshot = index.acquire();
  try {
    const find = finder(index, snapshot, builder, filter);
    for (let i = 0; i < snapshot.leaves.length; i++) {
      find(i);
      if (slices.due()) await slices.pause();
    }
  } finally {
    snapshot.release();
  }
}

/** Finds the documents of a snapshot's segment by its place. */
function finder(index: Index, snapshot: IndexSnapshot, builder: QueryBuilder, filter: string) {
  const { mapping } = index;
  let built: { weight: Weight; leaves: readonly LeafReader[] } | undefined;
  const build = () => {
    const { searcher, context } = openShard({ index, filters: undefined }, 0, { snapshot });
    const weight = buildQuery(builder, context).rewrite(searcher).createWeight(searcher, "none", 1);
    return { weight, leaves: searcher.leaves };
  };
  return (at: number): Matching => {
    const { segment } = snapshot.leaves[at];
    const kept = known.get(segment) ?? new Map<string, Matching>();
    known.set(segment, kept);
    let matching = kept.get(filter);
    if (matching?.mapping !== mapping) {
      built ??= build();
      const scorer = built.weight.scorer(built.leaves[at]);
      const found = scorer ? materialise(scorer, segment.maxDoc) : new FixedBitSet(segment.maxDoc);
      matching = { mapping, bits: withNested(segment, found) };
    }
    kept.delete(filter);
    kept.set(filter, matching);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
    return matching;
  };
}

/** The root documents of a set, each with those nested in it. */
function withNested(segment: SegmentReader, found: FixedBitSet): FixedBitSet {
  const roots = segment.roots();
  if (!roots) return found;
  const bits = new FixedBitSet(segment.maxDoc);
  let first = 0;
  for (let root = roots.nextSetBit(0); root !== NO_MORE_DOCS; ) {
    if (found.get(root)) bits.setRange(first, root + 1);
    first = root + 1;
    root = first < segment.maxDoc ? roots.nextSetBit(first) : NO_MORE_DOCS;
  }
  return bits;
}

function aliveOf(matching: Matching, { live, segment }: LeafReader) {
  if (matching.alive === undefined || matching.alive.of !== live) {
    const bits = matching.bits.clone();
    if (live !== undefined)
      for (let doc = bits.nextSetBit(0); doc !== NO_MORE_DOCS; ) {
        if (!live.get(doc)) bits.clear(doc);
        doc = doc + 1 < segment.maxDoc ? bits.nextSetBit(doc + 1) : NO_MORE_DOCS;
      }
    matching.alive = { of: live, bits, roots: rootsAmong(segment, bits) };
  }
  return matching.alive;
}

function rootsAmong(segment: SegmentReader, bits: FixedBitSet): number {
  const roots = segment.roots();
  if (!roots) return bits.cardinality();
  let count = 0;
  for (let doc = bits.nextSetBit(0); doc !== NO_MORE_DOCS; ) {
    if (roots.get(doc)) count++;
    doc = doc + 1 < segment.maxDoc ? bits.nextSetBit(doc + 1) : NO_MORE_DOCS;
  }
  return count;
}

function filteredSnapshot(index: Index, snapshot: IndexSnapshot, builder: QueryBuilder, filter: string): IndexSnapshot {
  try {
    const find = finder(index, snapshot, builder, filter);
    let docCount = 0;
    const leaves = snapshot.leaves.map((leaf, i) => {
      const { bits, roots } = aliveOf(find(i), leaf);
      docCount += roots;
      return { ...leaf, live: bits };
    });
    const hidden = (leaf: LeafReader, doc: number) => leaf.live?.get(doc) === false;
    return {
      mapping: snapshot.mapping,
      leaves,
      maxDoc: snapshot.maxDoc,
      docCount,
      source: (leaf, doc) => (hidden(leaf, doc) ? undefined : snapshot.source(leaf, doc)),
      indexed: (leaf, doc) => (hidden(leaf, doc) ? undefined : snapshot.indexed(leaf, doc)),
      routing: (leaf, doc) => (hidden(leaf, doc) ? undefined : snapshot.routing(leaf, doc)),
      release: () => snapshot.release(),
    };
  } catch (error) {
    snapshot.release();
    throw error;
  }
}
