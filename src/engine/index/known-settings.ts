/**
 * The index settings that Elasticsearch 8 knows, and what the embedded engine does with them: `read` ones act here, `ignored` ones steer parts
 * that an embedded engine does not have (shard placement, translog, schedulers) and cannot change an answer, `refused` ones would.
 */
export type SettingKind =
  | { readonly type: "int"; readonly min: number; readonly max?: number }
  | { readonly type: "time"; readonly min?: "-1" }
  | { readonly type: "boolean" }
  | { readonly type: "bytes" }
  | { readonly type: "float" }
  | { readonly type: "text" }
  | { readonly type: "list" }
  | { readonly type: "oneOf"; readonly values: readonly string[] };

export interface KnownSetting {
  readonly kind: SettingKind;
  /** Values that would change answers, or promise what is not kept: refused. Others may be given. */
  readonly refused?: (value: string) => boolean;
}

const int = (min: number, max?: number): KnownSetting => ({ kind: { type: "int", min, max } });
const time: KnownSetting = { kind: { type: "time" } };
const boolean: KnownSetting = { kind: { type: "boolean" } };
const bytes: KnownSetting = { kind: { type: "bytes" } };
const float: KnownSetting = { kind: { type: "float" } };
const text: KnownSetting = { kind: { type: "text" } };
const list: KnownSetting = { kind: { type: "list" } };
const never: KnownSetting = { kind: { type: "text" }, refused: () => true };
const onlyNone: KnownSetting = { kind: { type: "text" }, refused: (value) => value !== "_none" };
const only = (accepted: string, ...values: string[]): KnownSetting => ({
  kind: { type: "oneOf", values: [accepted, ...values] },
  refused: (value) => value !== accepted,
});

export const KNOWN_SETTINGS: ReadonlyMap<string, KnownSetting> = new Map<string, KnownSetting>([
  // Kept and shown; the documents are one shard all the same, and are scored by the statistics of all.
  ["index.number_of_shards", int(1, 1024)],
  ["index.number_of_replicas", int(0)],
  ["index.number_of_routing_shards", int(1)],
  ["index.auto_expand_replicas", text],
  ["index.refresh_interval", { kind: { type: "time", min: "-1" } }],
  ["index.search.idle.after", time],
  ["index.gc_deletes", { kind: { type: "time", min: "-1" } }],
  ["index.hidden", boolean],
  ["index.max_result_window", int(1)],
  ["index.max_inner_result_window", int(1)],
  ["index.max_rescore_window", int(1)],
  ["index.max_docvalue_fields_search", int(0)],
  ["index.max_script_fields", int(0)],
  ["index.max_ngram_diff", int(0)],
  ["index.max_shingle_diff", int(0)],
  ["index.max_terms_count", int(1)],
  ["index.max_regex_length", int(1)],
  ["index.max_slices_per_scroll", int(1)],
  ["index.max_slices_per_pit", int(1)],
  ["index.max_refresh_listeners", int(0)],
  ["index.max_adjacency_matrix_filters", int(2)],
  ["index.analyze.max_token_count", int(1)],
  ["index.highlight.max_analyzed_offset", int(1)],
  ["index.highlight.weight_matches_mode.enabled", boolean],
  ["index.query.default_field", list],
  ["index.query_string.lenient", boolean],
  ["index.query.parse.allow_unmapped_fields", boolean],
  ["index.mapping.coerce", boolean],
  ["index.mapping.ignore_malformed", boolean],
  ["index.mapping.total_fields.limit", int(0)],
  ["index.mapping.total_fields.ignore_dynamic_beyond_limit", boolean],
  ["index.mapping.depth.limit", int(1)],
  ["index.mapping.nested_fields.limit", int(0)],
  ["index.mapping.nested_objects.limit", int(0)],
  ["index.mapping.field_name_length.limit", int(1)],
  ["index.mapping.dimension_fields.limit", int(0)],
  ["index.mapping.source.mode", only("stored", "synthetic", "disabled")],
  ["index.mapper.dynamic", boolean],
  ["index.mode", only("standard", "time_series", "logsdb", "lookup")],
  ["index.codec", { kind: { type: "oneOf", values: ["default", "best_compression"] } }],
  ["index.priority", int(0)],
  ["index.default_pipeline", onlyNone],
  ["index.final_pipeline", onlyNone],
  ["index.blocks.read_only", boolean],
  ["index.blocks.read", boolean],
  ["index.blocks.write", boolean],
  ["index.blocks.metadata", boolean],
  ["index.blocks.read_only_allow_delete", boolean],
  ["index.sort.field", list],
  ["index.sort.order", list],
  ["index.sort.mode", list],
  ["index.sort.missing", list],
  ["index.time_series.start_time", never],
  ["index.time_series.end_time", never],
  ["index.routing_path", never],
  ["index.routing_partition_size", { kind: { type: "int", min: 1 }, refused: (value) => value !== "1" }],
  ["index.load_fixed_bitset_filters_eagerly", boolean],
  ["index.requests.cache.enable", boolean],
  ["index.queries.cache.enabled", boolean],
  ["index.fielddata.cache", text],
  ["index.shard.check_on_startup", text],
  ["index.soft_deletes.enabled", boolean],
  ["index.soft_deletes.retention.operations", int(0)],
  ["index.soft_deletes.retention_lease.period", time],
  ["index.merge.scheduler.auto_throttle", boolean],
  ["index.merge.scheduler.max_thread_count", int(1)],
  ["index.merge.scheduler.max_merge_count", int(1)],
  ["index.merge.policy.type", text],
  ["index.merge.policy.compound_format", text],
  ["index.merge.policy.deletes_pct_allowed", float],
  ["index.merge.policy.expunge_deletes_allowed", float],
  ["index.merge.policy.floor_segment", bytes],
  ["index.merge.policy.max_merge_at_once", int(2)],
  ["index.merge.policy.max_merge_at_once_explicit", int(2)],
  ["index.merge.policy.max_merged_segment", bytes],
  ["index.merge.policy.segments_per_tier", float],
  ["index.merge.policy.merge_factor", int(2)],
  ["index.translog.durability", { kind: { type: "text" } }],
  ["index.translog.sync_interval", time],
  ["index.translog.flush_threshold_size", bytes],
  ["index.translog.flush_threshold_age", time],
  ["index.translog.generation_threshold_size", bytes],
  ["index.translog.retention.age", { kind: { type: "time", min: "-1" } }],
  ["index.translog.retention.size", bytes],
  ["index.flush_after_merge", bytes],
  ["index.store.type", text],
  ["index.store.preload", list],
  ["index.store.stats_refresh_interval", time],
  ["index.write.wait_for_active_shards", text],
  ["index.unassigned.node_left.delayed_timeout", time],
  ["index.allocation.max_retries", int(0)],
  ["index.format", int(0)],
  ["index.warmer.enabled", boolean],
  ["index.search.slowlog.include.user", boolean],
  ["index.search.slowlog.level", text],
  ["index.indexing.slowlog.level", text],
  ["index.indexing.slowlog.reformat", boolean],
  ["index.indexing.slowlog.source", text],
  ["index.dense_vector.hnsw_filter_heuristic", text],
]);

/** Groups below which any name may stand. */
export const SETTING_GROUPS: readonly string[] = [
  "index.analysis.",
  "index.similarity.",
  "index.routing.allocation.",
  "index.routing.rebalance.",
  "index.search.slowlog.threshold.",
  "index.indexing.slowlog.threshold.",
];

/** Settings that change only while an index is closed; those of groups are `index.analysis.` and `index.similarity.`. */
const STATIC: ReadonlySet<string> = new Set([
  "index.number_of_routing_shards",
  "index.query_string.lenient",
  "index.query.parse.allow_unmapped_fields",
  "index.mapping.coerce",
  "index.mapping.ignore_malformed",
  "index.codec",
  "index.load_fixed_bitset_filters_eagerly",
  "index.queries.cache.enabled",
  "index.fielddata.cache",
  "index.shard.check_on_startup",
  "index.store.type",
  "index.store.preload",
  "index.store.stats_refresh_interval",
]);

/** Settings that never change. */
const FINAL: ReadonlySet<string> = new Set([
  "index.number_of_shards",
  "index.mapping.source.mode",
  "index.mode",
  "index.sort.field",
  "index.sort.order",
  "index.sort.mode",
  "index.sort.missing",
  "index.time_series.start_time",
  "index.routing_path",
  "index.routing_partition_size",
  "index.soft_deletes.enabled",
  "index.format",
]);

/** When a setting of an index may be changed. */
export function changeable(name: string): "always" | "closed" | "never" {
  if (FINAL.has(name)) return "never";
  const fixed = STATIC.has(name) || name.startsWith("index.analysis.") || name.startsWith("index.similarity.");
  return fixed ? "closed" : "always";
}
