/** `collapse` of a search: the groups of a shard, those of all shards, and what is shown of each group. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { type HitOptions, innerHitsOf, parseInnerQuery, type QueryBuilder, shardError } from "../../query/dsl/index.ts";
import { booleanQuery } from "../../query/lucene/boolean.ts";
import type { CollapsedDocs, GroupValue } from "../../search/collapse/collect-groups.ts";
import type { SortedDocs } from "../../search/sort/index.ts";
import type { TopDocs } from "../../search/top-docs.ts";
import { WHOLE_SOURCE } from "../fetch-source.ts";
import type { FieldAndFormat } from "./fields/field-and-format.ts";
import type { HitRequest } from "./inner-hits/request.ts";
import { emptyDraft, type SearchRequest } from "./request.ts";
import type { Shard, ShardHit } from "./shard.ts";

export interface Collapse {
  /** Missing where the request names none: Elasticsearch fails when it looks the field up. */
  readonly field: string | undefined;
  readonly groupHits: readonly GroupHits[];
}

/** A collapse that is being read. */
export type DraftCollapse = Omit<Collapse, "groupHits"> & { readonly groupHits: readonly Omit<GroupHits, "shown">[] };

/** Further hits of each group. */
export interface GroupHits {
  readonly name: string;
  readonly hits: HitOptions;
  readonly shown: HitRequest;
  /** A second level. */
  readonly collapse?: Collapse;
}

/** The field of a collapse on a shard. @throws shard errors (CollapseBuilder.build) */
export function collapseField(shard: Shard, request: SearchRequest): MappedField | undefined {
  const { collapse, sorts, searchAfter } = request;
  if (collapse === undefined) return undefined;
  const { field: name, groupHits } = collapse;
  if (name === undefined) {
    const reason = 'Cannot invoke "Object.hashCode()" because "pk" is null';
    throw shardError(new EngineError("null_pointer_exception", reason, { status: 500 }));
  }
  const fail = (reason: string) => shardError(illegalArgument(reason));
  const field = shard.context.mapping.field(name);
  if (field === undefined) throw fail(`no mapping found for \`${name}\` in order to collapse on`);
  const grouped = field.type === "keyword" || (field.family === "number" && field.type !== "scaled_float");
  if (field.runtime || !grouped) {
    const shown = field.type === "flattened" || field.family === "metadata" ? field.info.name : field.name;
    throw fail(`collapse is not supported for the field [${shown}] of the type [${field.type}]`);
  }
  if (!field.hasDocValues) throw fail(`cannot collapse on field \`${name}\` without \`doc_values\``);
  if (!field.indexed && groupHits.length > 0) {
    throw fail(
      `cannot expand \`inner_hits\` for collapse field \`${name}\`, only indexed field can retrieve \`inner_hits\``,
    );
  }
  if (searchAfter !== undefined && sorts.length > 0 && (sorts.length > 1 || sorts[0].name !== name)) {
    throw fail(
      "Cannot use [collapse] in conjunction with [search_after] unless the search is sorted on the same field. Multiple sort fields are not allowed.",
    );
  }
  return field;
}

/** A hit shows the value of its group; where a name or pattern asks for it, in the format of that (FetchDocValuesPhase). */
export function withGroupField(fields: readonly FieldAndFormat[], name: string | undefined): readonly FieldAndFormat[] {
  return name === undefined ? fields : [...fields, { field: name, otherwise: true }];
}

/** Groups as hits are handed on: by score, or by values. */
export function groupsAsHits(
  found: CollapsedDocs,
  { sorted, shown, trackScores }: { readonly sorted: boolean; readonly shown: boolean; readonly trackScores: boolean },
): TopDocs | SortedDocs {
  const { heads, total, relation, timedOut, maxScore } = found;
  const top = {
    docs: Int32Array.from(heads, ({ doc }) => doc),
    scores: Float32Array.from(heads, ({ score }) => (shown ? score : Number.NaN)),
    total,
    relation,
    timedOut,
  };
  if (!sorted) return top;
  return { ...top, values: heads.map(({ values }) => values), maxScore: trackScores ? maxScore : undefined };
}

/** Of each group the first hit. */
function firstOfGroups(hits: readonly ShardHit[], groupOf: (hit: ShardHit) => string | undefined): ShardHit[] {
  const seen = new Set<string | undefined>();
  return hits.filter((hit) => {
    const group = groupOf(hit);
    if (seen.has(group)) return false;
    seen.add(group);
    return true;
  });
}

/** Of each group of all shards the best hit. */
export function groupFilter(
  results: readonly {
    readonly shard: Shard;
    readonly result: { readonly groups: ReadonlyMap<number, GroupValue> | undefined };
  }[],
) {
  const groups = new Map(results.map(({ shard, result }) => [shard, result.groups]));
  return (hits: ShardHit[]) => firstOfGroups(hits, ({ shard, doc }) => groups.get(shard)?.get(doc));
}

/** The search for more hits of a group (ExpandSearchPhase). @param value of the field in the group; undefined: none */
export function groupRequest(
  request: SearchRequest,
  { hits, shown, collapse }: GroupHits,
  field: string,
  value: JsonValue | undefined,
): SearchRequest {
  const { sorts, trackScores } = shown;
  // Only names of stored fields are handed on: `_none_` is lost.
  const options = shown.options.storedFields
    ? shown.options
    : { ...shown.options, storedFields: true, source: "_source" in hits.json ? shown.options.source : WHOLE_SOURCE };
  const {
    collapse: _none,
    knnClauses: _clauses,
    sourceGiven: _given,
    fieldsGiven: _fields,
    withoutSource: _without,
    sizeGiven: _size,
    fromGiven: _from,
    partialResults: _partial,
    ...defaults
  } = emptyDraft();
  const query = groupQuery(request.query, field, value);
  return {
    ...defaults,
    ...options,
    innerHits: request.innerHits,
    docValueFields: withGroupField(options.docValueFields, collapse?.field),
    query,
    ...(request.postFilter ? { postFilter: request.postFilter } : {}),
    from: hits.from,
    size: hits.size,
    sorts,
    trackScores,
    totalAsInt: request.totalAsInt,
    ...(request.totalAsInt ? { trackTotalHits: Number.POSITIVE_INFINITY } : {}),
    namedScores: request.namedScores,
    ...(collapse === undefined ? {} : { collapse }),
  };
}

function groupQuery(query: QueryBuilder | undefined, field: string, value: JsonValue | undefined): QueryBuilder {
  const json: JsonValue =
    value === undefined ? { bool: { must_not: [{ exists: { field } }] } } : { match: { [field]: value } };
  const group = parseInnerQuery({ query: json }, "query", 1);
  return {
    name: "bool",
    innerHits: innerHitsOf(query ? [query] : []),
    toQuery: (context) =>
      booleanQuery([
        { occur: "filter", query: group.toQuery(context) },
        ...(query ? [{ occur: "must" as const, query: query.toQuery(context) }] : []),
      ]),
  };
}
