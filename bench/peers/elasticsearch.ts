/** A node, over HTTP with connections that are kept. Its memory and its disk are not this process's: they are not measured. */
import { Client } from "@elastic/elasticsearch";
import { kindsOf } from "../workload/questions.ts";
import { ANSWER_FIELDS, answerOf, bulkBody, indexBody, searchBody } from "./dsl.ts";
import type { Peer } from "./types.ts";

const INDEX = "huiliu-bench";

export function elasticsearch(url: string): Peer {
  const client = new Client({ node: url, requestTimeout: 3_600_000 });
  const send = (method: string, path: string, body?: string, type = "application/json") =>
    client.transport.request<string>(
      { method, path, ...(body === undefined ? {} : { body }) },
      { headers: { "content-type": type, accept: "application/json" }, asStream: false },
    );
  return {
    name: "Elasticsearch",
    lucene: true,
    segments: true,
    settings: "over HTTP on this machine; otherwise as Huiliu; rrf needs a licence and is left out",
    kinds: (suite) => kindsOf(suite).filter((kind) => kind !== "hybrid"),
    async create(suite) {
      await client.indices.delete({ index: INDEX, ignore_unavailable: true });
      await send("PUT", `/${INDEX}`, indexBody(suite));
      return {
        add: (passages) =>
          send("POST", `/${INDEX}/_bulk?filter_path=errors`, bulkBody(suite, passages), "application/x-ndjson"),
        finish: () => send("POST", `/${INDEX}/_refresh`),
        optimize: () =>
          send("POST", `/${INDEX}/_forcemerge?max_num_segments=1`).then(() => send("POST", `/${INDEX}/_refresh`)),
      };
    },
    async open(suite) {
      return {
        prepare(question) {
          const body = searchBody(suite, question);
          return () => send("POST", `/${INDEX}/_search?request_cache=false&${ANSWER_FIELDS}`, body);
        },
        read: (raw) => answerOf(JSON.stringify(raw)),
        close: () => client.indices.delete({ index: INDEX, ignore_unavailable: true }),
      };
    },
  };
}
