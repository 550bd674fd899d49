import type { Engine } from "../../src/elasticsearch/engine.ts";
import { kindsOf } from "../workload/questions.ts";
import { answerOf, bulkBody, indexBody, searchBody } from "./dsl.ts";
import type { Peer } from "./types.ts";

const JSON_HEADERS = { "content-type": "application/json" };
const LINES_HEADERS = { "content-type": "application/x-ndjson" };

/** The package as it is built, not the sources: what users run. */
const built = new URL("../../dist/engine.js", import.meta.url).href;
const openEngine = async (options: { data: string; readOnly?: boolean }): Promise<Engine> =>
  ((await import(built)) as typeof import("../../src/elasticsearch/engine.ts")).openEngine(options);

async function send(
  engine: Engine,
  method: string,
  path: string,
  body?: string,
  headers = JSON_HEADERS,
): Promise<string> {
  const answer = await engine.request({ method, path, ...(body === undefined ? {} : { body, headers }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.body.slice(0, 500)}`);
  return answer.body;
}

export const huiliu: Peer = {
  name: "Huiliu",
  lucene: true,
  segments: true,
  settings:
    "in the process, without the client; bulk requests of 1,000 passages; one segment; int8_hnsw with m 16, ef_construction 100; num_candidates 100",
  kinds: kindsOf,
  async create(suite, folder) {
    const engine = await openEngine({ data: folder });
    await send(engine, "PUT", "/bench", indexBody(suite));
    return {
      async add(passages) {
        const answer = await send(engine, "POST", "/bench/_bulk", bulkBody(suite, passages), LINES_HEADERS);
        if (!answer.includes('"errors":false')) throw new Error(answer.slice(0, 500));
      },
      finish: () => send(engine, "POST", "/bench/_refresh"),
      optimize: () => send(engine, "POST", "/bench/_forcemerge?max_num_segments=1"),
      close: () => engine.close(),
    };
  },
  async open(suite, folder) {
    const engine = await openEngine({ data: folder, readOnly: true });
    return {
      prepare(question) {
        const request = {
          method: "POST",
          path: "/bench/_search",
          headers: JSON_HEADERS,
          body: searchBody(suite, question),
        };
        return () => engine.request(request);
      },
      read(raw) {
        const { status, body } = raw as { status: number; body: string };
        if (status !== 200) throw new Error(body.slice(0, 500));
        return answerOf(body);
      },
      close: () => engine.close(),
    };
  },
};
