/** What each of Elasticsearch's routes needs of its caller. A route that is not named here is for admins alone; a test looks that all are. */
import { routeOf } from "../../engine/rest/routes.ts";
import { MANAGES, type Needs, OVERSEES, READS, READS_FILTERED, WRITES } from "./caller.ts";

/** Methods and paths as the engine's table has them. */
const TABLE: readonly (readonly [methods: string, paths: string, needs: Needs])[] = [
  ["GET HEAD", "/", READS_FILTERED],
  ["GET POST", "/_search /{index}/_search /_msearch /{index}/_msearch", READS_FILTERED],
  ["GET POST DELETE", "/_search/scroll /_search/scroll/{scroll_id}", READS_FILTERED],
  ["POST", "/_pit /{index}/_pit", READS_FILTERED],
  ["DELETE", "/_pit", READS_FILTERED],
  ["GET POST", "/_count /{index}/_count /{index}/_explain/{id} /_mget /{index}/_mget", READS_FILTERED],
  ["GET HEAD", "/{index}/_doc/{id} /{index}/_source/{id}", READS_FILTERED],
  ["GET", "/_cat/count /_cat/count/{index}", READS_FILTERED],

  ["GET POST", "/_validate/query /{index}/_validate/query /_field_caps /{index}/_field_caps", READS],
  ["GET POST", "/_analyze /{index}/_analyze", READS],
  ["GET HEAD", "/{index}", READS],
  ["GET", "/_mapping /_mappings /{index}/_mapping /{index}/_mappings", READS],
  ["GET", "/_mapping/field/{fields} /{index}/_mapping/field/{fields}", READS],
  ["GET", "/_settings /_settings/{name} /{index}/_settings /{index}/_settings/{name} /{index}/_setting/{name}", READS],
  ["GET HEAD", "/_alias /_alias/{name} /{index}/_alias /{index}/_alias/{name}", READS],
  ["GET", "/_aliases /_cat/aliases /_cat/aliases/{name} /_cat/indices /_cat/indices/{index}", READS],
  ["GET", "/_stats /_stats/{metric} /{index}/_stats /{index}/_stats/{metric}", READS],
  ["GET", "/_data_stream /_data_stream/{index}", READS],
  ["GET", "/_cluster/health /_cluster/health/{index} /_cat/health", OVERSEES],

  ["POST PUT", "/_bulk /{index}/_bulk /{index}/_doc/{id} /{index}/_create/{id}", WRITES],
  ["DELETE", "/{index}/_doc/{id}", WRITES],
  ["POST", "/{index}/_doc /{index}/_update/{id} /{index}/_delete_by_query", WRITES],
  ["PUT", "/{index}", WRITES],
  ["PUT POST", "/{index}/_mapping /{index}/_mappings /_mapping/{index} /_mappings/{index}", WRITES],
  ["GET POST", "/_refresh /{index}/_refresh /_flush /{index}/_flush", WRITES],
  ["POST", "/_forcemerge /{index}/_forcemerge", WRITES],

  ["DELETE", "/{index}", MANAGES],
  ["PUT", "/_settings /{index}/_settings /{index}/_block/{block}", MANAGES],
  ["POST", "/_close /{index}/_close /_open /{index}/_open /_aliases", MANAGES],
  ["POST PUT", "/_alias/{name} /_aliases/{name} /{index}/_alias/{name} /{index}/_aliases/{name}", MANAGES],
  ["PUT", "/_alias /{index}/_alias /{index}/_aliases", MANAGES],
  ["DELETE", "/{index}/_alias/{name} /{index}/_aliases/{name}", MANAGES],
];

export const ROUTE_NEEDS: ReadonlyMap<string, Needs> = new Map(
  TABLE.flatMap(([methods, paths, needs]) =>
    methods.split(" ").flatMap((method) => paths.split(" ").map((path) => [`${method} ${path}`, needs] as const)),
  ),
);

/** What a request needs; undefined: only who may do everything may send it. */
export function needsOf(method: string, path: string): Needs | undefined {
  const route = routeOf(method, path);
  return route === undefined ? undefined : ROUTE_NEEDS.get(`${method} ${route}`);
}
