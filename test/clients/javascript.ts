/** What the official JavaScript client and its helpers are asked to do, step by step, on any server. */
import { type Client, errors } from "@elastic/elasticsearch";

export type Steps = Record<string, unknown>;

const TOWNS = [
  { id: "berlin", text: "Berlin lies on the river Spree and has many lakes", people: 3_645_000 },
  { id: "hamburg", text: "Hamburg lies on the river Elbe, near the sea", people: 1_841_000 },
  { id: "dresden", text: "Dresden on the Elbe is known for its baroque churches", people: 556_000 },
  { id: "shanghai", text: "上海位于长江入海口，是一座很大的城市", people: 24_870_000 },
  { id: "hangzhou", text: "杭州有西湖，城市里有许多茶园", people: 11_936_000 },
  { id: "paris", text: "Paris lies on the Seine; its museums are known everywhere", people: 2_103_000 },
];

/** What differs from run to run. */
const VOLATILE = new Set([
  "took",
  "index_uuid",
  "uuid",
  "node",
  "creation_date",
  "version",
  "time",
  "timestamp",
  "_scroll_id",
]);

const plain = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : JSON.parse(JSON.stringify(value, (key, item) => (VOLATILE.has(key) ? undefined : item)));

/** As a user of the client sees it. */
function failure(error: unknown) {
  if (!(error instanceof errors.ResponseError)) return { raised: (error as Error).name };
  const body = error.body as { error?: unknown };
  return { raised: "ResponseError", status: error.statusCode, error: plain(body?.error ?? body) };
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

const scored = (answer: { hits: { hits: { _id?: string; _score?: number | null }[] } }) =>
  answer.hits.hits.map(({ _id, _score }) => [_id, _score]);

/** @returns what each step got */
export async function clientSteps(client: Client, prefix: string): Promise<Steps> {
  const got: Steps = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    got[name] = await work().then(plain, failure);
  };
  const index = `${prefix}-towns`;
  const none = `${prefix}-none`;
  await client.indices.delete({ index: `${index}` }, { ignore: [404] });
  await step("ping", () => client.ping());
  await step("create", () =>
    client.indices.create({
      index,
      settings: { number_of_replicas: 0 },
      mappings: { properties: { text: { type: "text" }, people: { type: "long" } } },
    }),
  );

  await step("bulk", async () => {
    const dropped: unknown[] = [];
    const {
      time: _,
      bytes: __,
      ...counts
    } = await client.helpers.bulk({
      datasource: TOWNS,
      flushBytes: 200,
      concurrency: 2,
      refreshOnCompletion: index,
      onDocument: ({ id }) => ({ index: { _index: index, _id: id } }),
      onDrop: (drop) => dropped.push(drop.error),
    });
    return { counts, dropped };
  });
  await step("bulk with errors", async () => {
    const dropped: { document: unknown; error: { type: string; reason: string | null } | null; retried: boolean }[] =
      [];
    const {
      time: _,
      bytes: __,
      ...counts
    } = await client.helpers.bulk<{ id: string; people: unknown; how: string }>({
      datasource: [
        { id: "berlin", people: 1, how: "create" },
        { id: "rome", people: "many", how: "index" },
        { id: "oslo", people: 717_000, how: "index" },
        { id: "paris", people: 2_104_000, how: "update" },
        { id: "nowhere", people: 1, how: "update" },
        { id: "nowhere", people: 1, how: "delete" },
      ],
      retries: 0,
      refreshOnCompletion: true,
      onDocument({ id, how }) {
        if (how === "update") return [{ update: { _index: index, _id: id } }, {}];
        if (how === "delete") return { delete: { _index: index, _id: id } };
        return how === "create" ? { create: { _index: index, _id: id } } : { index: { _index: index, _id: id } };
      },
      onDrop: ({ document, error, status, retried }) => dropped.push({ document, error, retried, status } as never),
    });
    return { counts, dropped };
  });
  await step("bulk of many", async () => {
    const {
      time: _,
      bytes: __,
      ...counts
    } = await client.helpers.bulk<{ at: number }>({
      datasource: (async function* () {
        for (let at = 0; at < 300; at++) yield { at };
      })(),
      flushBytes: 1000,
      onDocument: ({ at }) => ({ index: { _index: index, _id: `n${at}` } }),
    });
    await client.indices.refresh({ index });
    return counts;
  });

  await step("helpers.search", () => client.helpers.search({ index, query: { match: { text: "elbe" } } }));
  await step("scrollDocuments", async () => {
    const query = { exists: { field: "at" } };
    const seen = await all(client.helpers.scrollDocuments<{ at: number }>({ index, size: 70, query, sort: ["at"] }));
    return [seen.length, seen[0], seen.at(-1)];
  });
  await step("scrollSearch", async () => {
    const pages = client.helpers.scrollSearch({
      index,
      size: 3,
      query: { exists: { field: "text" } },
      sort: ["people"],
    });
    const seen: unknown[] = [];
    for await (const page of pages) {
      seen.push([page.documents, page.body.hits.total]);
      if (seen.length === 2) await page.clear();
    }
    return seen;
  });
  await step("point in time", async () => {
    const { id } = await client.openPointInTime({ index, keep_alive: "1m" });
    await client.index({ index, id: "late", document: { at: 1000 }, refresh: true });
    const seen: unknown[] = [];
    let after: never[] | undefined;
    for (;;) {
      const { hits } = await client.search({
        pit: { id, keep_alive: "1m" },
        size: 64,
        query: { exists: { field: "at" } },
        sort: [{ at: "asc" }],
        track_total_hits: false,
        _source: false,
        ...(after ? { search_after: after } : {}),
      });
      if (hits.hits.length === 0) break;
      for (const hit of hits.hits) seen.push(hit._id);
      after = hits.hits.at(-1)!.sort as never[];
    }
    const closed = await client.closePointInTime({ id });
    await client.delete({ index, id: "late", refresh: true });
    return [seen.length, seen.at(-1), closed];
  });
  await step("point in time, closed twice", async () => {
    const { id } = await client.openPointInTime({ index, keep_alive: "1m" });
    await client.closePointInTime({ id });
    return client
      .closePointInTime({ id }, { ignore: [404], meta: true })
      .then(({ statusCode, body }) => ({ statusCode, body }));
  });
  await step("point in time, searched when closed", async () => {
    const { id } = await client.openPointInTime({ index, keep_alive: "1m" });
    await client.closePointInTime({ id });
    const error = (await client.search({ pit: { id } }).catch(failure)) as { status?: number };
    return error.status;
  });
  await step("helpers.msearch", async () => {
    const searches = client.helpers.msearch({ operations: 2, flushInterval: 20 });
    const results = await Promise.all(
      [{ match: { text: "river" } }, { match: { text: "湖" } }, { term: { text: "seine" } }].map((query) =>
        searches.search({ index }, { query, _source: ["people"] }),
      ),
    );
    const missing = await searches.search({ index: none }, {}).catch(failure);
    searches.stop();
    return [...results.map(({ body, documents }) => [scored(body as never), documents]), missing];
  });

  await step("get", () => client.get({ index, id: "paris" }));
  await step("get missing", () => client.get({ index, id: "nowhere" }));
  await step("get missing, ignored", async () => {
    const { statusCode, body } = await client.get({ index, id: "nowhere" }, { ignore: [404], meta: true });
    return { statusCode, body };
  });
  await step("exists", async () => [
    await client.exists({ index, id: "oslo" }),
    await client.exists({ index, id: "x" }),
  ]);
  await step("mget", () => client.mget({ index, ids: ["oslo", "x"] }));
  await step("search", () =>
    client.search({
      index,
      query: { bool: { must: { match: { text: "river" } }, filter: { range: { people: { gt: 2_000_000 } } } } },
      highlight: { fields: { text: {} } },
      aggs: { people: { max: { field: "people" } } },
    }),
  );
  await step("search by q", async () => scored(await client.search({ index, q: "text:(spree OR seine)", size: 5 })));
  await step("search nothing", () => client.search({ index: none }));
  await step("search, unknown query", () => client.search({ index, query: { mtch: {} } as never }));
  await step("count", () => client.count({ index, query: { match: { text: "elbe" } } }));
  await step("update", () =>
    client.update({ index, id: "oslo", script: undefined, doc: { people: 1 }, _source: true }),
  );
  await step("conflict", () => client.create({ index, id: "oslo", document: {} }));
  await step("aliases", async () => {
    await client.indices.putAlias({ index, name: `${prefix}-alias`, filter: { range: { people: { gt: 3_000_000 } } } });
    return [
      await client.indices.getAlias({ name: `${prefix}-alias` }),
      await client.indices.existsAlias({ name: `${prefix}-alias` }),
      (await client.count({ index: `${prefix}-alias` })).count,
    ];
  });
  await step("cat", () => client.cat.count({ index, format: "json", h: "count" }));
  await step("cat as text", () => client.cat.count({ index, h: "count" }));
  await step("health", async () => (await client.cluster.health({ index, wait_for_status: "green" })).status);
  await step("headers", async () => {
    const { headers } = await client.count({ index }, { meta: true });
    return [headers["content-type"], headers["x-elastic-product"]];
  });
  await client.indices.delete({ index });
  return got;
}
