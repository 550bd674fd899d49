/** Calls on indices: create, delete, get, mappings, settings, aliases, refresh, flush, merge, stats. */
import { type BlockedLevel, checkBlocks } from "../action/blocks.ts";
import { checkObject, parseMap } from "../action/content.ts";
import { type IndicesOptions, LENIENT_EXPAND, resolveIndices } from "../action/index-names.ts";
import { copiesOf, createIndex, deleteIndices, shardsOf } from "../action/indices.ts";
import { validationFailed } from "../action/write.ts";
import { illegalArgument, unsupported } from "../errors.ts";
import type { Index } from "../index/types.ts";
import type { JsonObject } from "../json/types.ts";
import { createSlices } from "../slices.ts";
import {
  type Action,
  acceptTimeouts,
  activeShards,
  type Call,
  indicesOptions,
  names,
  required,
  requiredBody,
} from "./call.ts";
import { settingsView } from "./settings-view.ts";
import type { ResponseValue } from "./types.ts";

const ACKNOWLEDGED = { acknowledged: true };

type Fields = { [key: string]: ResponseValue | undefined };

function bodyObject(bytes: Uint8Array): JsonObject {
  checkObject(bytes);
  return parseMap(bytes) as JsonObject;
}

/** Calls about an index rather than its documents take a closed one as well. */
export const ADMIN_EXPAND: IndicesOptions = { ...LENIENT_EXPAND, forbidClosed: false };

/** Indices that the path names; their order is that of their names. @param level what is going to be done with them, where that may be blocked */
export function selected(call: Call, defaults = LENIENT_EXPAND, level?: BlockedLevel): () => Index[] {
  const expressions = names(call, "index");
  const options = indicesOptions(call, defaults);
  return () => {
    const indices = resolveIndices(call.registry, expressions, options).map(({ index }) => index);
    if (level !== undefined) checkBlocks(indices, level);
    return indices;
  };
}

const byIndex = (indices: readonly Index[], describe: (index: Index) => ResponseValue): Fields =>
  Object.fromEntries(indices.map((index) => [index.name, describe(index)]));

export const createOneIndex: Action = (call) => {
  const name = required(call, "index");
  acceptTimeouts(call);
  activeShards(call);
  const body = call.hasBody ? bodyObject(call.bytes()) : {};
  return async () => {
    const index = await createIndex(call.registry, name, body);
    return { body: { acknowledged: true, shards_acknowledged: true, index: index.name } };
  };
};

export const deleteSomeIndices: Action = (call) => {
  const expressions = names(call, "index");
  acceptTimeouts(call);
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true });
  return async () => {
    await deleteIndices(call.registry, expressions, options);
    return { body: ACKNOWLEDGED };
  };
};

export const existsIndex: Action = (call) => {
  const find = selected(call, { ...ADMIN_EXPAND, expandHidden: true }, "metadata_read");
  call.params.accept("local", "flat_settings", "include_defaults", "features", "human");
  acceptTimeouts(call);
  return () => {
    find();
    return { body: null };
  };
};

// ---- mappings

export const getMapping: Action = (call) => {
  const find = selected(call, ADMIN_EXPAND, "metadata_read");
  call.params.accept("local");
  acceptTimeouts(call);
  return () => ({ body: byIndex(find(), (index) => ({ mappings: index.mapping.toJson() })) });
};

export const getFieldMapping: Action = (call) => {
  const find = selected(call, ADMIN_EXPAND, "metadata_read");
  const patterns = names(call, "fields");
  if (call.params.flag("include_defaults")) throw unsupported("include_defaults");
  call.params.accept("local");
  return () => {
    const describe = (index: Index) => {
      const mappings: Fields = {};
      for (const pattern of patterns) {
        for (const { path, json } of index.mapping.definitions(pattern === "_all" ? "*" : pattern)) {
          mappings[path] = { full_name: path, mapping: json };
        }
      }
      return { mappings };
    };
    return { body: byIndex(find(), describe) };
  };
};

export const putMapping: Action = (call) => {
  const find = selected(call, { ...ADMIN_EXPAND, expandClosed: true, allowNoIndices: false }, "metadata_write");
  acceptTimeouts(call);
  call.params.flag("write_index_only");
  const update = bodyObject(requiredBody(call, "request body is required"));
  if (Object.keys(update).length === 1 && update._doc !== undefined) {
    throw illegalArgument("Types cannot be provided in put mapping requests");
  }
  return async () => {
    for (const index of find()) await index.putMapping(update);
    return { body: ACKNOWLEDGED };
  };
};

// ---- whole indices

const FEATURES = ["aliases", "mappings", "settings"];

export const getIndex: Action = (call) => {
  const find = selected(call, ADMIN_EXPAND, "metadata_read");
  const features = call.params.list("features") ?? FEATURES;
  for (const feature of features)
    if (!FEATURES.includes(feature)) throw illegalArgument(`No such feature [${feature}]`);
  const view = settingsView(call, []);
  call.params.accept("local");
  acceptTimeouts(call);
  return () => ({
    body: byIndex(find(), (index) => ({
      aliases: features.includes("aliases") ? index.aliases : {},
      mappings: features.includes("mappings") ? index.mapping.toJson() : {},
      ...(features.includes("settings") ? view(index) : { settings: {} }),
    })),
  });
};

// ---- upkeep

const shardTotals = (indices: readonly Index[]) => ({
  total: indices.reduce((sum, index) => sum + copiesOf(index), 0),
  successful: indices.reduce((sum, index) => sum + shardsOf(index), 0),
  failed: 0,
});

export const refreshIndices: Action = (call) => {
  const find = selected(call);
  return async () => {
    const indices = find();
    for (const index of indices) await index.refresh();
    return { body: { _shards: shardTotals(indices) } };
  };
};

export const flushIndices: Action = (call) => {
  const find = selected(call);
  const force = call.params.flag("force") ?? false;
  const wait = call.params.flag("wait_if_ongoing") ?? true;
  if (force && !wait) throw validationFailed(["wait_if_ongoing must be true for a force flush"]);
  return async () => {
    const indices = find();
    for (const index of indices) await index.flush();
    return { body: { _shards: shardTotals(indices) } };
  };
};

export const forceMergeIndices: Action = (call) => {
  const find = selected(call);
  const maxSegments = call.params.int("max_num_segments");
  const onlyExpungeDeletes = call.params.flag("only_expunge_deletes") ?? false;
  const flush = call.params.flag("flush") ?? true;
  if (call.params.flag("wait_for_completion") === false) throw unsupported("wait_for_completion=false");
  if (onlyExpungeDeletes && maxSegments !== undefined && maxSegments !== -1) {
    throw validationFailed([
      "cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters are mutually exclusive",
    ]);
  }
  return async () => {
    const indices = find();
    for (const index of indices) {
      const slices = createSlices({ signal: call.signal });
      await index.forceMerge({ maxSegments: maxSegments === -1 ? undefined : maxSegments, onlyExpungeDeletes, slices });
      if (flush) await index.flush();
    }
    return { body: { _shards: shardTotals(indices) } };
  };
};

// ---- stats

const METRICS = ["docs", "store", "segments"];

export const getStats: Action = (call) => {
  const find = selected(call);
  const metrics = names(call, "metric").filter((metric) => metric !== "_all");
  for (const metric of metrics) if (!METRICS.includes(metric)) throw unsupported(`_stats/${metric}`);
  for (const name of ["fields", "completion_fields", "fielddata_fields", "groups", "include_segment_file_sizes"]) {
    if (call.params.text(name) !== undefined) throw unsupported(`_stats with ${name}`);
  }
  const level = call.params.text("level") ?? "indices";
  if (level === "shards") throw unsupported("_stats with level=shards");
  if (level !== "indices" && level !== "cluster") {
    throw illegalArgument(`level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`);
  }
  call.params.accept("forbid_closed_indices", "include_unloaded_segments");
  return () => {
    const indices = find();
    const wanted = (metric: string) => metrics.length === 0 || metrics.includes(metric);
    const describe = (some: readonly Index[]) => {
      const stats = some.map((index) => index.stats());
      const sum = (part: "docs" | "deleted" | "segments" | "storeBytes") =>
        stats.reduce((total, one) => total + one[part], 0);
      return {
        docs: wanted("docs")
          ? { count: sum("docs"), deleted: sum("deleted"), total_size_in_bytes: sum("storeBytes") }
          : undefined,
        shard_stats: metrics.length === 0 ? { total_count: some.length } : undefined,
        store: wanted("store")
          ? { size_in_bytes: sum("storeBytes"), total_data_set_size_in_bytes: sum("storeBytes"), reserved_in_bytes: 0 }
          : undefined,
        segments: wanted("segments") ? { count: sum("segments") } : undefined,
      };
    };
    const both = (some: readonly Index[]) => ({ primaries: describe(some), total: describe(some) });
    const health = (index: Index) => (copiesOf(index) > shardsOf(index) ? "yellow" : "green");
    return {
      body: {
        _shards: shardTotals(indices),
        _all: indices.length === 0 ? { primaries: {}, total: {} } : both(indices),
        indices:
          level === "cluster"
            ? undefined
            : byIndex(indices, (index) => ({
                uuid: index.uuid,
                health: health(index),
                status: "open",
                ...both([index]),
              })),
      },
    };
  };
};
