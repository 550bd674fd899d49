/** Requests that follow one another: scrolls, points in time, pages behind values and pages of composite buckets, all to their end, as one answer. */
import type { Answer } from "./compare.ts";
import type { FuzzRequest } from "./requests.ts";
import type { Send } from "./targets.ts";
import type { Json, JsonMap } from "./world.ts";

/** More pages than the hits of any world fill. */
const MOST = 300;
/** Pages that are asked for one after the other, each a search of its own. */
const PAGES = 12;

const hitsOf = (body: Json): Json[] => ((body as { hits?: { hits?: Json[] } } | null)?.hits?.hits ?? []) as Json[];

const withHits = ({ status, body }: Answer, hits: Json[]): Answer => {
  const whole = body as JsonMap;
  if (whole?.hits === undefined) return { status, body };
  return { status, body: { ...whole, hits: { ...(whole.hits as JsonMap), hits } } };
};

/** Sends a request, and goes on with its scroll where it opens one, or with its pages where it has some. */
export async function answerOf(send: Send, index: string, request: FuzzRequest): Promise<Answer> {
  const path = `/${encodeURI(request.target ?? index)}/${request.api}`;
  if (request.lines !== undefined)
    return send(request.method, path, request.lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  if (request.pages === "point in time") return withPointInTime(send, path, request.body);
  if (request.pages === "values") return pagesBehind(send, path, request.body);
  if (request.pages === "buckets") return bucketPages(send, path, request.body);
  const first = await send(request.method, path, JSON.stringify(request.body));
  const { _scroll_id: id } = (first.body ?? {}) as JsonMap;
  return typeof id === "string" ? scrolled(send, first, id) : first;
}

async function scrolled(send: Send, first: Answer, id: string): Promise<Answer> {
  const all = [...hitsOf(first.body)];
  for (let page = 0; page < MOST; page++) {
    const next = await send("POST", "/_search/scroll", JSON.stringify({ scroll: "1m", scroll_id: id }));
    const hits = hitsOf(next.body);
    if (next.status !== 200) return next;
    if (hits.length === 0) break;
    all.push(...hits);
  }
  await send("DELETE", "/_search/scroll", JSON.stringify({ scroll_id: id }));
  return withHits(first, all);
}

async function withPointInTime(send: Send, path: string, body: JsonMap): Promise<Answer> {
  const opened = await send("POST", `${path.replace(/\/_search.*/, "/_pit")}?keep_alive=1m`);
  const { id } = (opened.body ?? {}) as JsonMap;
  if (typeof id !== "string") return opened;
  try {
    const all = await pagesBehind(send, "/_search", { ...body, pit: { id, keep_alive: "1m" } });
    // The last sort value is the document's number, which counts what Elasticsearch still keeps of deleted ones.
    return withHits(
      all,
      hitsOf(all.body).map((hit) => {
        const { sort, ...others } = hit as JsonMap;
        return Array.isArray(sort) ? { ...others, sort: sort.slice(0, -1) } : others;
      }),
    );
  } finally {
    await send("DELETE", "/_pit", JSON.stringify({ id }));
  }
}

/** The smallest and the largest long, which stand for missing values, are no numbers of JavaScript. */
const exact = (body: JsonMap) =>
  JSON.stringify(body)
    .replaceAll("-9223372036854776000", "-9223372036854775808")
    .replaceAll("9223372036854776000", "9223372036854775807");

async function pagesBehind(send: Send, path: string, body: JsonMap): Promise<Answer> {
  const first = await send("POST", path, JSON.stringify(body));
  const all = [...hitsOf(first.body)];
  for (let page = 0; page < PAGES; page++) {
    const { sort } = (all.at(-1) ?? {}) as { sort?: Json };
    if (first.status !== 200 || sort === undefined) break;
    const next = await send("POST", path, exact({ ...body, search_after: sort }));
    if (next.status !== 200) return next;
    const hits = hitsOf(next.body);
    if (hits.length === 0) break;
    all.push(...hits);
  }
  return first.status === 200 ? withHits(first, all) : first;
}

/** Pages of the composite aggregation `pages`. */
async function bucketPages(send: Send, path: string, body: JsonMap): Promise<Answer> {
  const pages: Json[] = [];
  const aggs = body.aggs as { pages: { composite: JsonMap } };
  for (let after: Json | undefined; pages.length < PAGES; ) {
    const composite = { ...aggs.pages.composite, ...(after === undefined ? {} : { after }) };
    const whole = { ...body, aggs: { ...aggs, pages: { ...aggs.pages, composite } } };
    const answer = await send("POST", path, JSON.stringify(whole));
    if (answer.status !== 200) return answer;
    const { aggregations } = answer.body as { aggregations?: { pages?: { after_key?: Json } } };
    pages.push((aggregations ?? null) as Json);
    after = aggregations?.pages?.after_key;
    if (after === undefined) break;
  }
  return { status: 200, body: { pages } };
}
