/** A REST layer over an engine in memory. */
import { openEngineCore } from "../../../src/engine/engine.ts";
import type { RestResponse } from "../../../src/engine/rest/types.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";

const resources = {
  ikDictionary(): Uint8Array {
    throw new Error("these tests need no dictionary");
  },
};

/** What the tests look at: bodies are known to have the keys that they read. */
// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
export type Body = any;

export interface TestRest {
  /** Sends a request; objects go out as JSON, arrays as lines of JSON. */
  (
    method: string,
    target: string,
    body?: unknown,
  ): Promise<{ status: number; body: Body; headers: RestResponse["headers"]; text: string }>;
  close(): Promise<void>;
}

export async function openRest(): Promise<TestRest> {
  const core = await openEngineCore({ storage: memoryStorage(), resources });
  const send = async (method: string, target: string, body?: unknown) => {
    const [path, query] = target.split("?", 2);
    let text: string | Uint8Array | undefined;
    if (typeof body === "string" || body instanceof Uint8Array) text = body;
    else if (Array.isArray(body)) text = body.map((line) => `${JSON.stringify(line)}\n`).join("");
    else if (body !== undefined) text = JSON.stringify(body);
    const headers = text === undefined ? {} : { "content-type": "application/json" };
    const answer = await core.request({ method, path, query, headers, body: text });
    const json = answer.body !== "" && answer.headers["content-type"].includes("json");
    return {
      status: answer.status,
      headers: answer.headers,
      text: answer.body,
      body: json ? JSON.parse(answer.body) : undefined,
    };
  };
  return Object.assign(send, { close: () => core.close() });
}
