/** `_field_caps`: the fields of some indices with their types, and what searches and aggregations can do with each. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { isSearchable } from "../mapping/fielddata.ts";
import { METADATA_NAMES } from "../mapping/metadata.ts";
import type { MappedField, Mapping } from "../mapping/types.ts";
import type { QueryBuilder } from "../query/dsl/index.ts";
import { matchesSimple } from "../simple-match.ts";
import type { ResolvedIndex } from "./index-names.ts";
import type { ResponseValue } from "./response-value.ts";
import { openShard } from "./search/shard.ts";
import { plain } from "./shard-failures.ts";

export interface FieldCapsRequest {
  /** Names and patterns. */
  readonly fields: readonly string[];
  readonly includeUnmapped: boolean;
  readonly filters: readonly string[];
  readonly types: readonly string[];
  /** Leaves out indices in which it cannot match. */
  readonly indexFilter?: QueryBuilder | undefined;
  /** Runtime fields of this request alone. */
  readonly runtimeMappings?: JsonObject | undefined;
}

interface Caps {
  readonly metadata: boolean;
  readonly searchable: boolean;
  readonly aggregatable: boolean;
  readonly meta?: { readonly [key: string]: string };
}

type OfIndex = Map<string, Caps & { readonly type: string }>;

const FILTERS = ["+metadata", "-metadata", "parent", "-parent", "-nested", "-multifield"];

const SEARCHABLE_METADATA = [
  "_index",
  "_ignored",
  "_routing",
  "_index_mode",
  "_seq_no",
  "_nested_path",
  "_field_names",
  "_id",
];
const AGGREGATABLE_METADATA = ["_index", "_ignored", "_version", "_index_mode", "_seq_no"];

function capsOf(field: MappedField): Caps & { readonly type: string } {
  const { family, hasDocValues, type } = field;
  return {
    type,
    metadata: false,
    searchable: isSearchable(field),
    aggregatable: family !== "vector" && (hasDocValues || field.fielddata === true),
    meta: field.toJson().meta as { readonly [key: string]: string } | undefined,
  };
}

function ofMapping(mapping: Mapping, { fields, filters, types }: FieldCapsRequest): OfIndex {
  const found: OfIndex = new Map();
  // An index that nothing was mapped for says nothing, not even of metadata.
  if (Object.keys(mapping.toJson()).length === 0) return found;
  const wanted = (name: string) => fields.some((pattern) => matchesSimple(pattern, name));
  const typed = (type: string) => types.length === 0 || types.includes(type);
  const runtime = new Set(mapping.runtimeFields().map(({ name }) => name));
  for (const path of new Set([...mapping.definitions("*").map((each) => each.path), ...runtime])) {
    if (!wanted(path)) continue;
    if (METADATA_NAMES.includes(path)) {
      const type = path === "_doc_count" ? "integer" : path;
      if (filters.includes("-metadata") || !typed(type)) continue;
      found.set(path, {
        type,
        metadata: true,
        searchable: SEARCHABLE_METADATA.includes(path),
        aggregatable: AGGREGATABLE_METADATA.includes(path),
      });
      continue;
    }
    const field = mapping.field(path);
    if (field === undefined || filters.includes("+metadata") || !typed(field.type)) continue;
    if (filters.includes("-nested") && field.nestedPath !== undefined) continue;
    const parent = path.slice(0, Math.max(path.lastIndexOf("."), 0));
    if (filters.includes("-multifield") && mapping.field(parent) !== undefined) continue;
    found.set(path, capsOf(field));
    if (filters.includes("-parent")) continue;
    for (let at = parent; at !== ""; at = at.slice(0, Math.max(at.lastIndexOf("."), 0))) {
      // A runtime field has its objects in its name alone.
      if (found.has(at) || mapping.field(at) !== undefined) continue;
      const nested = mapping.object(at)?.nested === true;
      if (nested && filters.includes("-nested")) continue;
      found.set(at, {
        type: nested ? "nested" : "object",
        metadata: false,
        searchable: false,
        aggregatable: false,
      });
    }
  }
  return found;
}

/** @throws illegal_argument_exception for a filter that Elasticsearch does not know */
export function checkFilters(filters: readonly string[]): void {
  const unknown = filters.find((filter) => !FILTERS.includes(filter));
  if (unknown !== undefined) throw illegalArgument(`Unknown field caps filter [${unknown}]`);
}

/** What an index tells: nothing when the filter cannot match in it, or why it fails. */
function ofIndex(resolved: ResolvedIndex, request: FieldCapsRequest): OfIndex | EngineError | undefined {
  const { indexFilter, runtimeMappings } = request;
  if (indexFilter === undefined && runtimeMappings === undefined) return ofMapping(resolved.index.mapping, request);
  const shard = openShard(resolved, Date.now(), { runtimeMappings });
  try {
    const { mapping } = shard.context;
    // What a wrapper holds is read first.
    for (const lookup of indexFilter?.lookups ?? []) if ("failure" in lookup) throw lookup.failure;
    return indexFilter?.rewritesToNone?.(shard.context) ? undefined : ofMapping(mapping, request);
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    return plain(error);
  } finally {
    shard.snapshot.release();
  }
}

/** Indices that fail alike. */
export interface FieldCapsFailure {
  readonly indices: string[];
  readonly error: EngineError;
}

function failuresOf(failed: ReadonlyMap<string, EngineError>): readonly FieldCapsFailure[] {
  const alike = new Map<string, FieldCapsFailure>();
  for (const [index, error] of failed) {
    const key = `${error.type}:${error.reason}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { indices: [index], error });
    else known.indices.push(index);
  }
  return [...alike.values()];
}

export interface FieldCapsAnswer {
  readonly indices: readonly string[];
  readonly fields: { readonly [field: string]: ResponseValue };
  readonly failures: readonly FieldCapsFailure[];
}

/** @throws the error of the indices when none is left that tells anything */
export async function fieldCaps(
  resolved: readonly ResolvedIndex[],
  request: FieldCapsRequest,
): Promise<FieldCapsAnswer> {
  // What the filter is compared with comes from the segments.
  if (request.indexFilter !== undefined) await Promise.all(resolved.map(({ index }) => index.ready()));
  /** Field, type, and the capabilities in each index that has it so. */
  const byField = new Map<string, Map<string, Map<string, Caps>>>();
  const add = (name: string, type: string, index: string, caps: Caps) => {
    const types = byField.get(name) ?? new Map<string, Map<string, Caps>>();
    byField.set(name, types);
    const inIndices = types.get(type) ?? new Map<string, Caps>();
    types.set(type, inIndices);
    inIndices.set(index, caps);
  };
  const all: string[] = [];
  const failed = new Map<string, EngineError>();
  for (const each of resolved) {
    const { name: index } = each.index;
    const told = ofIndex(each, request);
    if (told instanceof EngineError) failed.set(index, told);
    else if (told !== undefined) {
      all.push(index);
      for (const [name, caps] of told) add(name, caps.type, index, caps);
    }
  }
  const [failure] = failed.values();
  if (failure !== undefined && all.length === 0) throw failure;
  const described: [name: string, types: ResponseValue][] = [];
  for (const [name, types] of byField) {
    const mapped = new Set([...types.values()].flatMap((inIndices) => [...inIndices.keys()]));
    const unmapped = all.filter((index) => !mapped.has(index));
    if (request.includeUnmapped) {
      for (const index of unmapped)
        add(name, "unmapped", index, { metadata: false, searchable: false, aggregatable: false });
    }
    const several = types.size > 1;
    described.push([
      name,
      Object.fromEntries([...types].map(([type, inIndices]) => [type, describe(type, inIndices, several)])),
    ]);
  }
  return { indices: all, fields: Object.fromEntries(described), failures: failuresOf(failed) };
}

/** What all indices can is possible; which of them cannot is said where only some can. */
function describe(type: string, inIndices: ReadonlyMap<string, Caps>, several: boolean): ResponseValue {
  const without = (can: (caps: Caps) => boolean) => {
    const lacking = [...inIndices].filter(([, caps]) => !can(caps)).map(([index]) => index);
    return lacking.length > 0 && lacking.length < inIndices.size ? lacking : undefined;
  };
  const each = [...inIndices.values()];
  const meta = new Map<string, Set<string>>();
  for (const caps of each) {
    for (const [key, value] of Object.entries(caps.meta ?? {})) meta.set(key, (meta.get(key) ?? new Set()).add(value));
  }
  return {
    type,
    metadata_field: each.some((caps) => caps.metadata),
    searchable: each.every((caps) => caps.searchable),
    aggregatable: each.every((caps) => caps.aggregatable),
    indices: several ? [...inIndices.keys()] : undefined,
    non_searchable_indices: without((caps) => caps.searchable),
    non_aggregatable_indices: without((caps) => caps.aggregatable),
    meta: meta.size === 0 ? undefined : Object.fromEntries([...meta].map(([key, values]) => [key, [...values].sort()])),
  };
}
