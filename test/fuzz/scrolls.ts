/** Scrolls are gone through to their end: the pages as one answer. */
import type { Answer } from "./compare.ts";
import type { FuzzRequest } from "./requests.ts";
import type { Send } from "./targets.ts";
import type { Json, JsonMap } from "./world.ts";

/** More pages than the hits of any world fill. */
const MOST = 300;

const hitsOf = (body: Json): Json[] => ((body as { hits?: { hits?: Json[] } } | null)?.hits?.hits ?? []) as Json[];

/** Sends a request, and goes on with its scroll where it opens one. */
export async function answerOf(send: Send, index: string, request: FuzzRequest): Promise<Answer> {
  const first = await send(
    request.method,
    `/${encodeURI(request.target ?? index)}/${request.api}`,
    JSON.stringify(request.body),
  );
  const { _scroll_id: id } = (first.body ?? {}) as JsonMap;
  if (typeof id !== "string") return first;
  const all = [...hitsOf(first.body)];
  for (let page = 0; page < MOST; page++) {
    const next = await send("POST", "/_search/scroll", JSON.stringify({ scroll: "1m", scroll_id: id }));
    const hits = hitsOf(next.body);
    if (next.status !== 200) return next;
    if (hits.length === 0) break;
    all.push(...hits);
  }
  await send("DELETE", "/_search/scroll", JSON.stringify({ scroll_id: id }));
  const body = first.body as JsonMap;
  return { status: first.status, body: { ...body, hits: { ...(body.hits as JsonMap), hits: all } } };
}
