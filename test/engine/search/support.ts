/** An engine in memory for tests of searches. */
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

export interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number;
  readonly _source?: unknown;
  readonly matched_queries?: unknown;
}

export interface Found {
  readonly total: number;
  readonly timedOut: boolean;
  readonly hits: readonly Hit[];
  readonly text: string;
  readonly error?: { readonly type: string; readonly root_cause: readonly { readonly type: string }[] };
}

export interface TestEngine {
  readonly engine: Engine;
  create(index: string, properties: object, settings?: object): Promise<void>;
  /** Writes documents under their ids, undefined deletes; a refresh follows. */
  write(index: string, documents: Iterable<readonly [id: string, source: object | string | undefined]>): Promise<void>;
  search(target: string, body: object, signal?: AbortSignal): Promise<Found>;
}

export async function openTestEngine(): Promise<TestEngine> {
  const engine = await openEngine();
  const send = async (method: string, path: string, body: string, signal?: AbortSignal) => {
    const headers = { "content-type": "application/json" };
    return engine.request({ method, path, headers, body, ...(signal ? { signal } : {}) });
  };
  return {
    engine,
    async create(index, properties, settings = {}) {
      const body = {
        settings: { number_of_replicas: 0, refresh_interval: "-1", ...settings },
        mappings: { properties },
      };
      const { status, body: text } = await send("PUT", `/${index}`, JSON.stringify(body));
      if (status !== 200) throw new Error(text);
    },
    async write(index, documents) {
      const lines: string[] = [];
      for (const [_id, source] of documents) {
        lines.push(JSON.stringify({ [source === undefined ? "delete" : "index"]: { _id } }));
        if (source !== undefined) lines.push(typeof source === "string" ? source : JSON.stringify(source));
      }
      const { body } = await send("POST", `/${index}/_bulk?refresh=true`, `${lines.join("\n")}\n`);
      if (JSON.parse(body).errors) throw new Error(body);
    },
    async search(target, body, signal) {
      const { body: text } = await send("POST", `/${target}/_search`, JSON.stringify(body), signal);
      const answer = JSON.parse(text);
      if (answer.error) return { total: 0, timedOut: false, hits: [], text, error: answer.error };
      return { total: answer.hits.total?.value, timedOut: answer.timed_out, hits: answer.hits.hits, text };
    },
  };
}
