/** What is compared of an answer: the highlights of its hits, or its error. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonMap = { [key: string]: Json };

export type Send = (method: string, path: string, body?: string) => Promise<{ status: number; body: string }>;

export async function load(send: Send, index: string, mappings: JsonMap, documents: readonly JsonMap[]): Promise<void> {
  const settings = { number_of_shards: 1, number_of_replicas: 0 };
  const made = await send("PUT", `/${index}`, JSON.stringify({ settings, mappings }));
  const lines = documents.map(
    (doc, id) => `${JSON.stringify({ index: { _id: String(id) } })}\n${JSON.stringify(doc)}\n`,
  );
  const written = await send("POST", `/${index}/_bulk?refresh=true`, lines.join(""));
  if (made.status !== 200 || written.body.includes('"errors":true')) throw new Error(made.body + written.body);
}

/** @param index its name, which errors tell */
export function essence(text: string, index: string): Json {
  const body = JSON.parse(text.replaceAll(index, "INDEX")) as JsonMap;
  if (body.error !== undefined) return { status: body.status, error: reasons(body.error as JsonMap) };
  const hits = (body.hits as { hits: JsonMap[] }).hits.map(shown);
  return Object.fromEntries(hits.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function shown(hit: JsonMap): [string, Json] {
  const inner = Object.values((hit.inner_hits ?? {}) as { [name: string]: { hits: { hits: JsonMap[] } } });
  const within = inner.flatMap(({ hits }) => hits.hits.map((each) => each.highlight ?? null));
  // The order of fields by a pattern is another one each time that a node starts.
  const entries = Object.entries((hit.highlight ?? {}) as JsonMap).sort(([a], [b]) => (a < b ? -1 : 1));
  return [String(hit._id), within.length > 0 ? [entries, within] : entries];
}

/** Types and reasons, from the outermost to the innermost. */
function reasons({ type, reason, caused_by: cause, failed_shards: shards }: JsonMap): Json[] {
  const inner = cause ?? ((shards as JsonMap[] | undefined)?.[0]?.reason as JsonMap | undefined);
  return [`${type}: ${reason}`, ...(inner ? reasons(inner as JsonMap) : [])];
}
