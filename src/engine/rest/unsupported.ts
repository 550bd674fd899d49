/**
 * APIs that Elasticsearch has and this engine does not: answered with a refusal that names them, whatever their method, so that nobody
 * takes them for a spelling mistake.
 */
import { unsupported } from "../errors.ts";
import type { Action } from "./call.ts";
import type { Router } from "./router.ts";

/** First segments of paths without an index. */
const GLOBAL = [
  "_application",
  "_async_search",
  "_autoscaling",
  "_ccr",
  "_cluster",
  "_component_template",
  "_connector",
  "_dangling",
  "_data_stream",
  "_delete_by_query",
  "_enrich",
  "_eql",
  "_esql",
  "_features",
  "_fleet",
  "_health_report",
  "_ilm",
  "_index_template",
  "_inference",
  "_ingest",
  "_internal",
  "_license",
  "_logstash",
  "_migration",
  "_ml",
  "_monitoring",
  "_mtermvectors",
  "_nodes",
  "_profiling",
  "_query",
  "_query_rules",
  "_rank_eval",
  "_recovery",
  "_reindex",
  "_remote",
  "_remotecluster",
  "_render",
  "_resolve",
  "_rollup",
  "_script_context",
  "_script_language",
  "_scripts",
  "_searchable_snapshots",
  "_security",
  "_segments",
  "_shard_stores",
  "_slm",
  "_snapshot",
  "_sql",
  "_ssl",
  "_synonyms",
  "_tasks",
  "_template",
  "_text_structure",
  "_transform",
  "_update_by_query",
  "_watcher",
  "_xpack",
];

/** Segments after an index. */
const OF_INDEX = [
  "_async_search",
  "_block",
  "_cache",
  "_ccr",
  "_clone",
  "_delete_by_query",
  "_disk_usage",
  "_downsample",
  "_eql",
  "_field_usage_stats",
  "_fleet",
  "_graph",
  "_ilm",
  "_knn_search",
  "_migration",
  "_mtermvectors",
  "_mvt",
  "_rank_eval",
  "_recovery",
  "_reload_search_analyzers",
  "_rollover",
  "_rollup",
  "_search_shards",
  "_segments",
  "_shard_stores",
  "_shrink",
  "_split",
  "_terms_enum",
  "_termvectors",
  "_unfreeze",
  "_update_by_query",
];

/** Tables of `_cat` that are not built. */
const CAT = [
  "allocation",
  "component_templates",
  "fielddata",
  "master",
  "ml",
  "nodeattrs",
  "nodes",
  "pending_tasks",
  "plugins",
  "recovery",
  "repositories",
  "segments",
  "shards",
  "snapshots",
  "tasks",
  "templates",
  "thread_pool",
  "transforms",
];

/** Longer paths below something that is built. */
const SINGLE = [
  "_search/template",
  "_search/point_in_time",
  "_msearch/template",
  "{index}/_search/template",
  "{index}/_search/point_in_time",
  "{index}/_msearch/template",
  "_cache/clear",
];

const METHODS = ["GET", "POST", "PUT", "DELETE", "HEAD"];
const DEEPEST = 5;

/** A refusal that names what was asked for. */
export function refuse(name: string): Action {
  return () => {
    throw unsupported(name);
  };
}

/** Adds the refusals. Call it after the real routes: it leaves alone what they have taken. */
export function addUnsupported(router: Router<Action>): void {
  const add = (path: string, name: string) => {
    for (const method of METHODS) router.addUnlessTaken(method, path, refuse(name));
  };
  const below = (start: string, name: string, least = 0) => {
    for (let depth = least; depth <= DEEPEST; depth++) {
      add(start + Array.from({ length: depth }, (_, at) => `/{part${at}}`).join(""), name);
    }
  };
  for (const path of SINGLE) add(`/${path}`, path.replace(/\{\w+\}\/?/g, "").replace(/\/$/, ""));
  for (const name of GLOBAL) below(`/${name}`, name);
  for (const name of OF_INDEX) below(`/{index}/${name}`, name);
  for (const name of CAT) below(`/_cat/${name}`, `_cat/${name}`);
}
