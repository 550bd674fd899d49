/**
 * The embedded engine as a user meets it: passages through the official client into a data folder, then searches, then the folder
 * opened again by a fresh process's worth of state.
 *
 *     npx tsx bench/end-to-end.ts --size 100000 [--corpus corpus.jsonl …] [--json]
 *
 * A corpus has one JSON object with a `text` a line, and is repeated (each time with a word of its own) until `size` passages are there.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEngine } from "../src/elasticsearch/engine.ts";
import { seededRandom } from "../test/random.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "100000" },
    corpus: { type: "string", multiple: true, default: [] },
    json: { type: "boolean", default: false },
  },
});
const size = Number(values.size);

function seededPassages(count: number): string[] {
  const next = seededRandom(7);
  const word = () => `w${Math.floor(20_000 ** next()).toString(36)}`;
  return Array.from({ length: count }, () => Array.from({ length: 80 }, word).join(" "));
}

const texts = values.corpus.flatMap((file) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { text: string }).text),
);
const base = texts.length > 0 ? texts : seededPassages(Math.min(size, 20_000));
const passage = (i: number) => (i < base.length ? base[i] : `${base[i % base.length]} r${Math.floor(i / base.length)}`);

const data = mkdtempSync(join(tmpdir(), "huiliu-bench-"));
const figures: Record<string, number> = {};
const record = (name: string, value: number) => {
  figures[name] = Math.round(value * 100) / 100;
  if (!values.json) console.log(`${name}: ${figures[name]}`);
};
const percentile = (times: number[], share: number) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * share)];

try {
  const before = process.memoryUsage().rss;
  let engine = await openEngine({ data });
  let client = engine.client();
  await client.indices.create({ index: "bench", mappings: { properties: { text: { type: "text" } } } });
  const began = performance.now();
  let bytes = 0;
  for (let i = 0; i < size; i += 1000) {
    const operations = [];
    for (let j = i; j < Math.min(size, i + 1000); j++) {
      bytes += Buffer.byteLength(passage(j));
      operations.push({ index: { _id: String(j) } }, { text: passage(j) });
    }
    const { errors } = await client.bulk({ index: "bench", operations });
    if (errors) throw new Error("a passage was refused");
  }
  await client.indices.refresh({ index: "bench" });
  record("passages", size);
  record("text MiB", bytes / 2 ** 20);
  record("indexed per second", size / ((performance.now() - began) / 1000));
  await client.indices.forcemerge({ index: "bench", max_num_segments: 1 });
  await engine.close();

  const opening = performance.now();
  engine = await openEngine({ data, readOnly: true });
  client = engine.client();
  await client.search({ index: "bench", query: { match: { text: passage(1).split(" ")[0] } } });
  record("ms from opening to the first answer", performance.now() - opening);
  const next = seededRandom(11);
  for (const terms of [1, 3, 10]) {
    const times: number[] = [];
    for (let i = 0; i < 300; i++) {
      const words = passage(Math.floor(next() * base.length)).match(/[\p{L}\p{N}]+/gu) ?? ["a"];
      const query = Array.from({ length: terms }, () => words[Math.floor(next() * words.length)]).join(" ");
      const start = performance.now();
      await client.search({ index: "bench", query: { match: { text: query } }, size: 10, _source: false });
      if (i >= 50) times.push(performance.now() - start);
    }
    record(`ms p50, ${terms} terms, client included`, percentile(times, 0.5));
    record(`ms p95, ${terms} terms, client included`, percentile(times, 0.95));
  }
  record("resident MiB above the start", (process.memoryUsage().rss - before) / 2 ** 20);
  await engine.close();
  if (values.json) console.log(JSON.stringify(figures));
} finally {
  rmSync(data, { recursive: true, force: true });
}
