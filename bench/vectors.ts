/**
 * Nearest neighbours: indexing, recall and time of the engine, and of a node on the same vectors where one is given, in the segments as they
 * come and in one.
 *
 *     npx tsx bench/vectors.ts [--size 100000] [--dims 384] [--type int8_hnsw] [--queries 100] [--url http://localhost:9200] [--only node|engine]
 *
 * Vectors are seeded: points of a space of few dimensions, turned into many, with noise, as embeddings of texts lie. Recall is that of the
 * ten nearest by exact cosines of floats.
 */
import { request } from "node:http";
import { parseArgs } from "node:util";
import { openEngine } from "../src/elasticsearch/engine.ts";
import { topCollector } from "../src/engine/vectors/collector.ts";
import { createSpace } from "../src/engine/vectors/space.ts";
import { seededRandom } from "../test/random.ts";

const { values: args } = parseArgs({
  options: {
    size: { type: "string", default: "100000" },
    dims: { type: "string", default: "384" },
    latent: { type: "string", default: "24" },
    type: { type: "string", default: "int8_hnsw" },
    queries: { type: "string", default: "100" },
    url: { type: "string" },
    only: { type: "string" },
  },
});
const [size, dims, latent, queryCount] = [args.size, args.dims, args.latent, args.queries].map(Number);
const INDEX = "huiliu-bench-vectors";
const CANDIDATES = [10, 20, 50, 100, 200, 500];
const K = 10;
const BATCH = 500;

const random = seededRandom(1);
const gauss = () => Math.sqrt(-2 * Math.log(random() || Number.MIN_VALUE)) * Math.cos(2 * Math.PI * random());
const turn = Float32Array.from({ length: latent * dims }, gauss);

function makeVectors(count: number): Float32Array {
  const all = new Float32Array(count * dims);
  for (let i = 0; i < count; i++) {
    const point = Array.from({ length: latent }, gauss);
    let squared = 0;
    for (let d = 0; d < dims; d++) {
      let value = gauss();
      for (let at = 0; at < latent; at++) value += point[at] * turn[at * dims + d];
      all[i * dims + d] = value;
      squared += value * value;
    }
    for (let d = 0; d < dims; d++) all[i * dims + d] /= Math.sqrt(squared);
  }
  return all;
}

type Send = (method: string, path: string, body?: string) => Promise<string>;

const vectorText = (vectors: Float32Array, at: number) =>
  `[${Array.from(vectors.subarray(at * dims, (at + 1) * dims), (value) => value.toFixed(6)).join()}]`;

async function measure(name: string, send: Send, vectors: Float32Array, queries: Float32Array, best: Set<string>[]) {
  await send("DELETE", `/${INDEX}`).catch(() => undefined);
  const mapping = { v: { type: "dense_vector", dims, similarity: "cosine", index_options: { type: args.type } } };
  const settings = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1" };
  await send("PUT", `/${INDEX}`, JSON.stringify({ settings, mappings: { properties: mapping } }));
  const began = performance.now();
  for (let from = 0; from < size; from += BATCH) {
    let lines = "";
    for (let at = from; at < Math.min(size, from + BATCH); at++) {
      lines += `{"index":{"_id":"${at}"}}\n{"v":${vectorText(vectors, at)}}\n`;
    }
    await send("POST", `/${INDEX}/_bulk`, lines);
  }
  await send("POST", `/${INDEX}/_refresh`);
  const indexed = performance.now();
  await ask(`${name}, segments as they come`, send, queries, best);
  const merging = performance.now();
  await send("POST", `/${INDEX}/_forcemerge?max_num_segments=1`);
  await send("POST", `/${INDEX}/_refresh`);
  const merged = performance.now();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.info(`${name}: indexed in ${seconds(indexed - began)}, merged in ${seconds(merged - merging)}`);
  await ask(`${name}, one segment`, send, queries, best);
}

/** Recall and time at each number of candidates. */
async function ask(name: string, send: Send, queries: Float32Array, best: Set<string>[]) {
  for (const candidates of CANDIDATES) {
    let found = 0;
    const times: number[] = [];
    for (let at = 0; at < queryCount; at++) {
      const body = `{"_source":false,"size":${K},"knn":{"field":"v","k":${K},"num_candidates":${candidates},"query_vector":${vectorText(queries, at)}}}`;
      const start = performance.now();
      const answer = JSON.parse(await send("POST", `/${INDEX}/_search`, body)) as {
        hits: { hits: { _id: string }[] };
      };
      times.push(performance.now() - start);
      found += answer.hits.hits.filter(({ _id }) => best[at].has(_id)).length;
    }
    times.sort((a, b) => a - b);
    const median = times[times.length >> 1].toFixed(2);
    console.info(
      `${name}: num_candidates ${candidates}, recall@${K} ${(found / (queryCount * K)).toFixed(4)}, p50 ${median} ms`,
    );
  }
}

const vectors = makeVectors(size);
const queries = makeVectors(queryCount);
const exact = createSpace({ dims, similarity: "dot_product" }, vectors);
const best = Array.from({ length: queryCount }, (_, at) => {
  const collector = topCollector(K);
  const scorer = exact.scorer(queries.subarray(at * dims, (at + 1) * dims));
  for (let ord = 0; ord < size; ord++) collector.collect(ord, scorer.score(ord));
  return new Set(Array.from(collector.finish().ords, String));
});

if (args.only !== "node") {
  const before = process.memoryUsage().rss;
  const engine = await openEngine();
  await measure(
    "engine",
    async (method, path, body) => {
      const [plain, query = ""] = path.split("?");
      const headers =
        body === undefined
          ? {}
          : { "content-type": path.includes("_bulk") ? "application/x-ndjson" : "application/json" };
      const parameters = Object.fromEntries(new URLSearchParams(query));
      return (await engine.request({ method, path: plain, query: parameters, headers, body })).body;
    },
    vectors,
    queries,
    best,
  );
  const { cpuUsage } = process;
  console.info(
    `engine: ${((process.memoryUsage().rss - before) / 2 ** 20).toFixed(0)} MiB more, ${(cpuUsage().user / 1e6).toFixed(1)} s of the processor`,
  );
  await engine.close();
}
const { url } = args;
if (url !== undefined && args.only !== "engine") {
  // Not fetch, which waits five minutes for an answer: merging takes longer.
  const send: Send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { "content-type": path.includes("_bulk") ? "application/x-ndjson" : "application/json" };
      const call = request(url + path, { method, ...(body === undefined ? {} : { headers }) }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        answer.on("end", () => resolve(text)).on("error", reject);
      });
      call.on("error", reject).end(body);
    });
  await measure("node", send, vectors, queries, best);
  await send("DELETE", `/${INDEX}`);
}
