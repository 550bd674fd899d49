/**
 * Every type of query on many passages, each with words out of the passages: how long it takes, how many hits it has, and, beside an
 * Elasticsearch node, whether both give the same hits with the same scores.
 *
 *     npx tsx bench/every-query.ts --en corpus.jsonl … --zh corpus.jsonl … [--size 100000] [--rounds 10] [--url http://127.0.0.1:9200] [--json]
 *
 * A corpus has one JSON object with a `text` a line. The corpora are repeated (each time with a word of its own) until `size` passages are
 * there. The node needs the IK analyzers. The index `huiliu-bench` of the node is written anew.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client, type estypes } from "@elastic/elasticsearch";
import { openEngine } from "../src/elasticsearch/engine.ts";
import { seededRandom } from "../test/random.ts";
import { everyQuery, type Passage, type Words } from "./queries.ts";

const { values } = parseArgs({
  options: {
    en: { type: "string", multiple: true, default: [] },
    zh: { type: "string", multiple: true, default: [] },
    size: { type: "string", default: "100000" },
    rounds: { type: "string", default: "10" },
    url: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const INDEX = "huiliu-bench";
const size = Number(values.size);
const rounds = Number(values.rounds);

const MAPPINGS: estypes.MappingTypeMapping = {
  properties: {
    en: { type: "text", analyzer: "english" },
    zh: { type: "text", analyzer: "ik_max_word", search_analyzer: "ik_smart" },
    body: { type: "text" },
    tag: { type: "keyword" },
    number: { type: "integer" },
    day: { type: "date" },
    sentences: { type: "nested", properties: { text: { type: "text" }, place: { type: "integer" } } },
  },
};

const readTexts = (files: readonly string[]) =>
  files.flatMap((file) =>
    readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { text: string }).text),
  );
const base: readonly { language: "en" | "zh"; text: string }[] = [
  ...readTexts(values.en).map((text) => ({ language: "en" as const, text })),
  ...readTexts(values.zh).map((text) => ({ language: "zh" as const, text })),
];
if (base.length === 0) throw new Error("name at least one corpus: --en FILE or --zh FILE");

function passage(i: number): Passage {
  const { language, text } = base[i % base.length];
  const repeated = i < base.length ? text : `${text} r${Math.floor(i / base.length)}`;
  const sentences = text.split(/(?<=[.。!?！？])/u).slice(0, 2);
  return {
    [language]: repeated,
    body: repeated,
    tag: `tag${i % 997}`,
    number: (i * 7919) % 100_003,
    day: new Date(Date.UTC(2000, 0, 1) + (i % 9000) * 86_400_000).toISOString(),
    sentences: sentences.map((sentence, place) => ({ text: sentence, place })),
  };
}

async function fill(client: Client): Promise<number> {
  await client.indices.delete({ index: INDEX, ignore_unavailable: true });
  await client.indices.create({
    index: INDEX,
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1" },
    mappings: MAPPINGS,
  });
  const began = performance.now();
  for (let i = 0; i < size; i += 500) {
    const operations = [];
    for (let j = i; j < Math.min(size, i + 500); j++) operations.push({ index: { _id: String(j) } }, passage(j));
    const { errors } = await client.bulk({ index: INDEX, operations });
    if (errors) throw new Error("a passage was refused");
  }
  await client.indices.refresh({ index: INDEX });
  const seconds = (performance.now() - began) / 1000;
  await client.indices.forcemerge({ index: INDEX, max_num_segments: 1 }, { requestTimeout: 600_000 });
  return seconds;
}

/** Words of one passage, some of them next to each other. */
function someWords(next: () => number): Words {
  const { language, text } = base[Math.floor(next() * base.length)];
  const found = [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
  const at = Math.floor(next() * Math.max(1, found.length - 3));
  const word = (i: number) => found[Math.min(at + i, found.length - 1)] ?? "a";
  const any = () => found[Math.floor(next() * found.length)] ?? "a";
  return { field: language, phrase: [word(0), word(1), word(2)], apart: [any(), any(), any()], number: next() };
}

interface Answer {
  readonly ms: number;
  readonly total: number;
  readonly scores: readonly number[];
  readonly ids: readonly string[];
}

async function ask(client: Client, query: estypes.QueryDslQueryContainer): Promise<Answer> {
  const began = performance.now();
  const { hits } = await client.search({ index: INDEX, query, size: 10, _source: false, track_total_hits: true });
  return {
    ms: performance.now() - began,
    total: (hits.total as estypes.SearchTotalHits).value,
    scores: hits.hits.map(({ _score }) => _score ?? 0),
    ids: hits.hits.map(({ _id }) => _id ?? ""),
  };
}

/** Equal scores may come in any order: merging on a node moves segments. */
function difference(own: Answer, node: Answer): string | undefined {
  if (own.total !== node.total) return `${own.total} hits, the node has ${node.total}`;
  if (own.scores.join() !== node.scores.join()) return `scores ${own.scores.join()}, the node's ${node.scores.join()}`;
  const sure = own.ids.filter((_, i) => own.scores.indexOf(own.scores[i]) === own.scores.lastIndexOf(own.scores[i]));
  const last = own.scores.at(-1);
  const moved = sure.find((id) => own.scores[own.ids.indexOf(id)] !== last && !node.ids.includes(id));
  return moved === undefined ? undefined : `the node does not have ${moved}`;
}

const median = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)];
const round = (value: number) => Math.round(value * 100) / 100;

const data = mkdtempSync(join(tmpdir(), "huiliu-bench-"));
let differences = 0;
try {
  const before = process.memoryUsage().rss;
  const engine = await openEngine({ data });
  const client = engine.client();
  const node = values.url === undefined ? undefined : new Client({ node: values.url });
  const seconds = await fill(client);
  const nodeSeconds = node && (await fill(node));
  if (!values.json) {
    console.log(`${size} passages: ${Math.round(size / seconds)} a second`);
    if (nodeSeconds !== undefined) console.log(`the node: ${Math.round(size / nodeSeconds)} a second`);
    console.log(`${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MiB above the start`);
    console.log(`\n${"query".padEnd(28)} ${"hits".padStart(8)} ${"ms".padStart(8)} ${"longest".padStart(8)}   node ms`);
  }
  const rows = [];
  for (const [name, make] of Object.entries(everyQuery)) {
    const next = seededRandom(5);
    const own: Answer[] = [];
    const other: Answer[] = [];
    for (let i = 0; i < rounds; i++) {
      const query = make(someWords(next));
      own.push(await ask(client, query));
      if (!node) continue;
      other.push(await ask(node, query));
      const differs = difference(own[i], other[i]);
      if (differs === undefined) continue;
      differences++;
      console.log(`${name}: ${differs}\n  ${JSON.stringify(query)}`);
    }
    const row = {
      query: name,
      hits: median(own.map(({ total }) => total)),
      ms: round(median(own.map(({ ms }) => ms))),
      longest: round(Math.max(...own.map(({ ms }) => ms))),
      ...(node ? { node: round(median(other.map(({ ms }) => ms))) } : {}),
    };
    rows.push(row);
    if (values.json) continue;
    const columns = [row.hits, row.ms, row.longest, row.node ?? ""].map((value) => String(value).padStart(8));
    console.log(`${name.padEnd(28)} ${columns.join(" ")}`);
  }
  const memory = Math.round((process.memoryUsage().rss - before) / 2 ** 20);
  if (values.json)
    console.log(JSON.stringify({ size, indexingSeconds: seconds, nodeSeconds, memory, differences, rows }));
  else console.log(`\n${memory} MiB above the start${node ? `; ${differences} differences` : ""}`);
  await engine.close();
} finally {
  rmSync(data, { recursive: true, force: true });
}
process.exit(differences > 0 ? 1 : 0);
