/** All routes in one table: method and path to action, as Elasticsearch registers them. */

import { deleteAlias, getAlias, putAlias, updateAliases } from "./alias-actions.ts";
import { analyze } from "./analyze-action.ts";
import type { Action } from "./call.ts";
import { catAliases, catCount, catHealth, catIndices, clusterHealth, root } from "./cluster-actions.ts";
import { getDataStreams } from "./data-stream-action.ts";
import { deleteMatching } from "./delete-by-query-action.ts";
import {
  bulkDocuments,
  createDocument,
  deleteDocument,
  getManyDocuments,
  getOneDocument,
  getSource,
  indexDocument,
  updateDocument,
} from "./document-actions.ts";
import { UnknownRoute } from "./errors.ts";
import { getFieldCaps } from "./field-caps-action.ts";
import {
  createOneIndex,
  deleteSomeIndices,
  existsIndex,
  flushIndices,
  forceMergeIndices,
  getFieldMapping,
  getIndex,
  getMapping,
  getStats,
  putMapping,
  refreshIndices,
} from "./index-actions.ts";
import { multiSearch } from "./msearch-action.ts";
import { createRouter, type Router } from "./router.ts";
import { clearScroll, closePit, openPit, scroll } from "./scroll-actions.ts";
import { count, countOf, explain, search, validate } from "./search-actions.ts";
import { addBlock, closeIndices, getSettings, openIndices, putSettings } from "./settings-actions.ts";
import { addUnsupported } from "./unsupported.ts";

type Route = readonly [methods: string, paths: string, action: Action];

const unknownRoute: Action = () => {
  throw new UnknownRoute();
};

export const ROUTES: readonly Route[] = [
  ["GET HEAD", "/", root],

  ["GET POST", "/_search /{index}/_search", search],
  ["GET POST", "/_msearch /{index}/_msearch", multiSearch],
  ["GET POST", "/_search/scroll /_search/scroll/{scroll_id}", scroll],
  ["DELETE", "/_search/scroll /_search/scroll/{scroll_id}", clearScroll],
  ["POST", "/_pit /{index}/_pit", openPit],
  ["DELETE", "/_pit", closePit],
  ["GET POST", "/_count /{index}/_count", count],
  ["GET POST", "/{index}/_explain/{id}", explain],
  ["GET POST", "/_validate/query /{index}/_validate/query", validate],
  ["GET POST", "/_field_caps /{index}/_field_caps", getFieldCaps],
  ["GET POST", "/_analyze /{index}/_analyze", analyze],

  ["POST PUT", "/_bulk /{index}/_bulk", bulkDocuments],
  ["GET POST", "/_mget /{index}/_mget", getManyDocuments],
  ["GET HEAD", "/{index}/_doc/{id}", getOneDocument],
  ["POST PUT", "/{index}/_doc/{id}", indexDocument],
  ["DELETE", "/{index}/_doc/{id}", deleteDocument],
  ["POST", "/{index}/_doc", indexDocument],
  ["POST PUT", "/{index}/_create/{id}", createDocument],
  ["GET HEAD", "/{index}/_source/{id}", getSource],
  ["POST", "/{index}/_update/{id}", updateDocument],
  ["POST", "/{index}/_delete_by_query", deleteMatching],

  ["GET", "/{index}", getIndex],
  ["PUT", "/{index}", createOneIndex],
  ["DELETE", "/{index}", deleteSomeIndices],
  ["HEAD", "/{index}", existsIndex],
  ["GET", "/_mapping /_mappings /{index}/_mapping /{index}/_mappings", getMapping],
  ["PUT POST", "/{index}/_mapping /{index}/_mappings /_mapping/{index} /_mappings/{index}", putMapping],
  ["GET", "/_mapping/field/{fields} /{index}/_mapping/field/{fields}", getFieldMapping],
  [
    "GET",
    "/_settings /_settings/{name} /{index}/_settings /{index}/_settings/{name} /{index}/_setting/{name}",
    getSettings,
  ],
  ["PUT", "/_settings /{index}/_settings", putSettings],
  ["PUT", "/{index}/_block/{block}", addBlock],
  ["POST", "/_close /{index}/_close", closeIndices],
  ["POST", "/_open /{index}/_open", openIndices],
  ["GET HEAD", "/_alias /_alias/{name} /{index}/_alias /{index}/_alias/{name}", getAlias],
  ["GET", "/_aliases", getAlias],
  ["POST", "/_aliases", updateAliases],
  ["POST PUT", "/_alias/{name} /_aliases/{name} /{index}/_alias/{name} /{index}/_aliases/{name}", putAlias],
  ["PUT", "/_alias /{index}/_alias /{index}/_aliases", putAlias],
  ["DELETE", "/{index}/_alias/{name} /{index}/_aliases/{name}", deleteAlias],
  ["GET POST", "/_refresh /{index}/_refresh", refreshIndices],
  ["GET POST", "/_flush /{index}/_flush", flushIndices],
  ["POST", "/_forcemerge /{index}/_forcemerge", forceMergeIndices],
  ["GET", "/_stats /_stats/{metric} /{index}/_stats /{index}/_stats/{metric}", getStats],

  ["GET", "/_data_stream /_data_stream/{index}", getDataStreams],
  ["GET", "/_cluster/health /_cluster/health/{index}", clusterHealth],
  ["GET", "/_cat/health", catHealth],
  ["GET", "/_cat/indices /_cat/indices/{index}", catIndices],
  ["GET", "/_cat/aliases /_cat/aliases/{name}", catAliases],
  ["GET", "/_cat/count /_cat/count/{index}", catCount(countOf)],
];

/** Paths with a type, which Elasticsearch 8 still lists for clients of version 7, and answers with "no handler found" otherwise. */
const TYPED: readonly Route[] = [
  ["POST", "/{index}/{type}", unknownRoute],
  ["GET POST PUT DELETE HEAD", "/{index}/{type}/{id}", unknownRoute],
];

export function addRoutes(router: Router<Action>): void {
  const add = (routes: readonly Route[]) => {
    for (const [methods, paths, action] of routes) {
      for (const path of paths.split(" ")) for (const method of methods.split(" ")) router.add(method, path, action);
    }
  };
  add(ROUTES);
  addUnsupported(router);
  add(TYPED);
}

let shared: Router<Action> | undefined;

/** The route of a request as the table has it, such as `/{index}/_doc/{id}`; undefined when nothing answers it. */
export function routeOf(method: string, path: string): string | undefined {
  if (shared === undefined) {
    shared = createRouter<Action>();
    addRoutes(shared);
  }
  return shared.find(method, path).match?.path;
}
