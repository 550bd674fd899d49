/** What a cluster of one node says of itself: root, health, `_cat`. */
import { matchesAlias, resolveIndices } from "../action/index-names.ts";
import { copiesOf, shardsOf } from "../action/indices.ts";
import { illegalArgument, unsupported } from "../errors.ts";
import type { Index } from "../index/types.ts";
import { JsonNumber, type JsonObject } from "../json/types.ts";
import { type Action, acceptTimeouts, type Call, indicesOptions, names } from "./call.ts";
import { byteSize, type Cell, type Column, catTable } from "./cat-table.ts";
import { ADMIN_EXPAND } from "./index-actions.ts";
import type { Reply } from "./types.ts";

/** The release of Elasticsearch whose answers this engine gives. */
export const VERSION = "8.17.4";
const CLUSTER = "huiliu";

export const root: Action = () => () => ({
  body: {
    name: CLUSTER,
    cluster_name: CLUSTER,
    cluster_uuid: "_na_",
    version: {
      number: VERSION,
      build_flavor: "default",
      lucene_version: "9.12.0",
      minimum_wire_compatibility_version: "7.17.0",
      minimum_index_compatibility_version: "7.0.0",
    },
    tagline: "You Know, for Search",
  },
});

/** Replicas of each shard. */
const replicasOf = (index: Index) => copiesOf(index) / shardsOf(index) - 1;

type Status = "green" | "yellow" | "red";

/** Replicas that are asked for have no second node to go to. */
const statusOf = (indices: readonly Index[]): Status =>
  indices.some((index) => copiesOf(index) > shardsOf(index)) ? "yellow" : "green";

function figures(indices: readonly Index[]) {
  const active = indices.reduce((sum, index) => sum + shardsOf(index), 0);
  const unassigned = indices.reduce((sum, index) => sum + copiesOf(index), 0) - active;
  return { active, unassigned, percent: active === 0 ? 100 : (100 * active) / (active + unassigned) };
}

const double = (value: number) => (Number.isInteger(value) ? new JsonNumber(`${value}.0`) : value);

export const clusterHealth: Action = (call) => {
  const expressions = names(call, "index");
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true, expandHidden: true });
  acceptTimeouts(call);
  const level = call.params.text("level")?.toLowerCase() ?? "cluster";
  if (level === "shards") throw unsupported("_cluster/health with level=shards");
  if (level !== "cluster" && level !== "indices") {
    throw illegalArgument(`level parameter must be one of [cluster] or [indices] or [shards] but was [${level}]`);
  }
  const wanted = call.params.text("wait_for_status");
  if (wanted !== undefined && !/^(green|yellow|red)$/i.test(wanted)) {
    throw illegalArgument(
      `No enum constant org.elasticsearch.cluster.health.ClusterHealthStatus.${wanted.toUpperCase()}`,
    );
  }
  call.params.accept(
    "local",
    "wait_for_no_relocating_shards",
    "wait_for_no_initializing_shards",
    "wait_for_active_shards",
    "wait_for_nodes",
    "wait_for_events",
  );
  return () => {
    let indices: Index[] = [];
    let missing = false;
    try {
      indices = resolveIndices(call.registry, expressions, options).map(({ index }) => index);
    } catch {
      missing = true;
    }
    const status = missing ? "red" : statusOf(indices);
    const rank = (name: string) => ["green", "yellow", "red"].indexOf(name.toLowerCase());
    // One node never gets better by waiting: the answer comes at once, as after the time-out.
    const timedOut = missing || (wanted !== undefined && rank(status) > rank(wanted));
    const describe = (some: readonly Index[]) => {
      const { active, unassigned } = figures(some);
      return {
        active_primary_shards: active,
        active_shards: active,
        relocating_shards: 0,
        initializing_shards: 0,
        unassigned_shards: unassigned,
        unassigned_primary_shards: 0,
      };
    };
    return {
      status: timedOut ? 408 : 200,
      body: {
        cluster_name: CLUSTER,
        status,
        timed_out: timedOut,
        number_of_nodes: 1,
        number_of_data_nodes: 1,
        ...describe(indices),
        delayed_unassigned_shards: 0,
        number_of_pending_tasks: 0,
        number_of_in_flight_fetch: 0,
        task_max_waiting_in_queue_millis: 0,
        active_shards_percent_as_number: double(figures(indices).percent),
        indices:
          level === "indices"
            ? Object.fromEntries(
                indices.map((index) => [
                  index.name,
                  {
                    status: statusOf([index]),
                    number_of_shards: shardsOf(index),
                    number_of_replicas: replicasOf(index),
                    ...describe([index]),
                  },
                ]),
              )
            : undefined,
      },
    };
  };
};

const INDEX_COLUMNS: readonly Column[] = [
  { name: "health", aliases: ["h"], description: "current health status" },
  { name: "status", aliases: ["s"], description: "open/close status" },
  { name: "index", aliases: ["i", "idx"], description: "index name" },
  { name: "uuid", aliases: ["id"], description: "index uuid" },
  {
    name: "pri",
    aliases: ["p", "shards.primary", "shardsPrimary"],
    right: true,
    description: "number of primary shards",
  },
  {
    name: "rep",
    aliases: ["r", "shards.replica", "shardsReplica"],
    right: true,
    description: "number of replica shards",
  },
  { name: "docs.count", aliases: ["dc", "docsCount"], right: true, description: "available docs" },
  { name: "docs.deleted", aliases: ["dd", "docsDeleted"], right: true, description: "deleted docs" },
  { name: "creation.date", aliases: ["cd"], shown: false, description: "index creation date (millisecond value)" },
  { name: "creation.date.string", aliases: ["cds"], shown: false, description: "index creation date (as string)" },
  { name: "store.size", aliases: ["ss", "storeSize"], right: true, description: "store size of primaries & replicas" },
  { name: "pri.store.size", right: true, description: "store size of primaries" },
  { name: "dataset.size", right: true, description: "total size of dataset" },
];

const UNIT: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
  pb: 1024 ** 5,
};

export const catIndices: Action = (call) => {
  const expressions = names(call, "index");
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true });
  const health = call.params.text("health")?.toLowerCase();
  if (health !== undefined && !/^(green|yellow|red)$/.test(health))
    throw illegalArgument(`unknown health value [${health}]`);
  const unit = call.params.text("bytes");
  if (unit !== undefined && UNIT[unit] === undefined) throw illegalArgument(`failed to parse bytes unit [${unit}]`);
  call.params.accept("pri", "include_unloaded_segments");
  return catTable(call, INDEX_COLUMNS, () =>
    resolveIndices(call.registry, expressions, options)
      .filter(({ index }) => health === undefined || statusOf([index]) === health)
      .map(({ index }) => {
        const stats = index.stats();
        // Nothing is known of a closed index's documents.
        const of = (cell: Cell): Cell => (index.closed ? { text: "", value: -1 } : cell);
        const size: Cell = {
          text: unit === undefined ? byteSize(stats.storeBytes) : String(Math.floor(stats.storeBytes / UNIT[unit])),
          value: stats.storeBytes,
        };
        return {
          health: statusOf([index]),
          status: index.closed ? "close" : "open",
          index: index.name,
          uuid: index.uuid,
          pri: shardsOf(index),
          rep: replicasOf(index),
          "docs.count": of(stats.docs),
          "docs.deleted": of(stats.deleted),
          "creation.date": index.createdAt,
          "creation.date.string": new Date(index.createdAt).toISOString(),
          "store.size": of(size),
          "pri.store.size": of(size),
          "dataset.size": of(size),
        };
      }),
  );
};

function clock(): { epoch: number; timestamp: string } {
  const now = new Date();
  return { epoch: Math.floor(now.getTime() / 1000), timestamp: now.toISOString().slice(11, 19) };
}

const EPOCH: readonly Column[] = [
  { name: "epoch", aliases: ["t", "time"], description: "seconds since 1970-01-01 00:00:00" },
  { name: "timestamp", aliases: ["ts", "hms", "hhmmss"], description: "time in HH:MM:SS" },
];

/** `_cat/count` over indices, counted by the search part. */
export function catCount(count: (call: Call) => () => Promise<number>): Action {
  return (call) => {
    const run = count(call);
    let total = 0;
    const print = catTable(
      call,
      [...EPOCH, { name: "count", aliases: ["dc", "docs.count", "docsCount"], description: "the document count" }],
      () => [{ ...clock(), count: total }],
    );
    return async (): Promise<Reply> => {
      total = await run();
      return print();
    };
  };
}

const ALIAS_COLUMNS: readonly Column[] = [
  { name: "alias", aliases: ["a"], description: "alias name" },
  { name: "index", aliases: ["i", "idx"], description: "index alias points to" },
  { name: "filter", aliases: ["f", "fi"], description: "filter" },
  { name: "routing.index", aliases: ["ri", "routingIndex"], description: "index routing" },
  { name: "routing.search", aliases: ["rs", "routingSearch"], description: "search routing" },
  { name: "is_write_index", aliases: ["w", "isWriteIndex"], description: "write index" },
];

export const catAliases: Action = (call) => {
  const patterns = names(call, "name");
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true });
  return catTable(call, ALIAS_COLUMNS, () =>
    resolveIndices(call.registry, [], { ...options, expandHidden: true })
      .flatMap(({ index }) =>
        Object.entries(index.aliases).map(([alias, json]) => ({ alias, index, json: json as JsonObject })),
      )
      .filter(({ alias }) => patterns.length === 0 || matchesAlias(patterns, alias))
      .sort((a, b) => (a.alias < b.alias ? -1 : a.alias > b.alias ? 1 : 0))
      .map(({ alias, index, json }) => ({
        alias,
        index: index.name,
        filter: json.filter === undefined ? "-" : "*",
        "routing.index": String(json.index_routing ?? "-"),
        "routing.search": String(json.search_routing ?? "-"),
        is_write_index: String(json.is_write_index ?? "-"),
      })),
  );
};

const HEALTH: readonly Column[] = [
  { name: "cluster", aliases: ["cl"], description: "cluster name" },
  { name: "status", aliases: ["st"], description: "health status" },
  { name: "node.total", aliases: ["nt", "nodeTotal"], right: true, description: "total number of nodes" },
  { name: "node.data", aliases: ["nd", "nodeData"], right: true, description: "number of nodes that can store data" },
  {
    name: "shards",
    aliases: ["t", "sh", "shards.total", "shardsTotal"],
    right: true,
    description: "total number of shards",
  },
  {
    name: "pri",
    aliases: ["p", "shards.primary", "shardsPrimary"],
    right: true,
    description: "number of primary shards",
  },
  {
    name: "relo",
    aliases: ["r", "shards.relocating", "shardsRelocating"],
    right: true,
    description: "number of relocating nodes",
  },
  {
    name: "init",
    aliases: ["i", "shards.initializing", "shardsInitializing"],
    right: true,
    description: "number of initializing nodes",
  },
  {
    name: "unassign",
    aliases: ["u", "shards.unassigned", "shardsUnassigned"],
    right: true,
    description: "number of unassigned shards",
  },
  { name: "unassign.pri", aliases: ["up"], right: true, description: "number of unassigned primary shards" },
  { name: "pending_tasks", aliases: ["pt", "pendingTasks"], right: true, description: "number of pending tasks" },
  {
    name: "max_task_wait_time",
    aliases: ["mtwt", "maxTaskWaitTime"],
    right: true,
    description: "wait time of longest task pending",
  },
  {
    name: "active_shards_percent",
    aliases: ["asp", "activeShardsPercent"],
    right: true,
    description: "active number of shards in percent",
  },
];

export const catHealth: Action = (call) => {
  const withTime = call.params.flag("ts") ?? true;
  return catTable(call, withTime ? [...EPOCH, ...HEALTH] : HEALTH, () => {
    const indices = call.registry.list();
    const { active, unassigned, percent } = figures(indices);
    return [
      {
        ...clock(),
        cluster: CLUSTER,
        status: statusOf(indices),
        "node.total": 1,
        "node.data": 1,
        shards: active,
        pri: active,
        relo: 0,
        init: 0,
        unassign: unassigned,
        "unassign.pri": 0,
        pending_tasks: 0,
        max_task_wait_time: "-",
        active_shards_percent: `${percent.toFixed(1)}%`,
      },
    ];
  });
};
