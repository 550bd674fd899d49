/** Searches whose documents come back as they were written: JavaScript's JSON would round large numbers and drop `.0`. */
import { gunzipSync } from "node:zlib";
import { type Client, type DiagnosticResult, errors } from "@elastic/elasticsearch";
import { parseJson } from "../engine/json/parse.ts";
import type { JsonObject, JsonValue } from "../engine/json/types.ts";
import { writeJson } from "../engine/json/write.ts";
import type { CallOptions } from "../schema/index.ts";

export interface LosslessHit {
  id: string;
  routing?: string;
  /** The document as JSON in one line; undefined where the index keeps none. */
  source?: string;
  sort: JsonValue[];
}

export interface LosslessPage {
  hits: LosslessHit[];
  /** The point in time to go on with. */
  pit?: string;
}

/** Sends a search and reads its hits without loss. */
export async function losslessSearch(
  client: Client,
  body: Record<string, unknown>,
  { signal }: CallOptions = {},
): Promise<LosslessPage> {
  const answer = await client.transport.request<AsyncIterable<Uint8Array>>(
    { method: "POST", path: "/_search", body },
    { asStream: true, meta: true, ...(signal ? { signal } : {}) },
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer.body) chunks.push(Buffer.from(chunk));
  const bytes = Buffer.concat(chunks);
  const text = (String(answer.headers["content-encoding"] ?? "") === "gzip" ? gunzipSync(bytes) : bytes).toString();
  // A stream is given whatever its status.
  if (answer.statusCode >= 400) throw new errors.ResponseError({ ...answer, body: plain(text) } as DiagnosticResult);
  const page = parseJson(text) as JsonObject;
  const failures = (page["_shards"] as JsonObject | undefined)?.["failed"];
  if (typeof failures === "number" && failures > 0) {
    throw new errors.ResponseError({ ...answer, statusCode: 503, body: plain(text) } as DiagnosticResult);
  }
  const hits = ((page["hits"] as JsonObject)["hits"] as readonly JsonObject[]).map((hit) => ({
    id: String(hit["_id"]),
    sort: [...((hit["sort"] as readonly JsonValue[] | undefined) ?? [])],
    ...(hit["_routing"] === undefined ? {} : { routing: String(hit["_routing"]) }),
    ...(hit["_source"] === undefined ? {} : { source: writeJson(hit["_source"]) }),
  }));
  const pit = page["pit_id"];
  return { hits, ...(typeof pit === "string" ? { pit } : {}) };
}

function plain(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
