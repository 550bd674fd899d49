/**
 * A server under load, as its users meet it: `huiliu serve` in a process of its own, clients over the loopback.
 *
 *     npx tsx bench/server-load.ts [--size 50000] [--clients 200] [--seconds 60] [--workers 2] [--part load|beside] [--json]
 *
 * `load`: clients that search, count, read and write for a while; errors, latencies, and the server's memory in the course of it.
 * `beside`: light searches, one after the other, alone and while a heavy aggregation runs all the time; without and with threads.
 *
 * It runs the built package: `npm run build` first.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEngine } from "../src/elasticsearch/engine.ts";
import { seededRandom } from "../test/random.ts";
import { zipfPassages } from "./corpus.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "50000" },
    clients: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    workers: { type: "string", default: "2" },
    part: { type: "string", multiple: true, default: ["load", "beside"] },
    json: { type: "boolean", default: false },
  },
});
const [size, clients, seconds, workers] = [values.size, values.clients, values.seconds, values.workers].map(Number);
const random = seededRandom(11);
const lines: Record<string, unknown>[] = [];

function report(line: Record<string, unknown>): void {
  lines.push(line);
  if (!values.json)
    console.log(
      Object.entries(line)
        .map(([name, value]) => (name === "what" ? String(value).padEnd(44) : `${name} ${value}`))
        .join("  "),
    );
}

const words: string[] = [];

async function fill(data: string): Promise<void> {
  const engine = await openEngine({ data });
  const client = engine.client();
  let operations: object[] = [];
  let n = 0;
  for (const passage of zipfPassages(size)) {
    if (n % 10 === 0) words.push(passage[Math.floor(random() * passage.length)]!);
    const [one = "", two = ""] = passage;
    operations.push(
      { index: { _id: String(n) } },
      { text: passage.join(" "), one, two, n: Math.floor(random() * 1e6) },
    );
    if (++n % 2000 === 0) {
      await client.bulk({ index: "docs", operations });
      operations = [];
    }
  }
  if (operations.length > 0) await client.bulk({ index: "docs", operations });
  await client.indices.refresh({ index: "docs" });
  await engine.close();
}

interface Served {
  port: number;
  process: ChildProcess;
  close(): Promise<void>;
}

async function start(data: string, threads: number): Promise<Served> {
  const command = join(import.meta.dirname, "../bin/huiliu.js");
  const child = spawn(
    process.execPath,
    [command, "serve", "--data", data, "--port", "0", "--json", "--workers", String(threads)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.once("data", (chunk: Buffer) => resolve(chunk.toString()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { url } = JSON.parse(line) as { url: string };
  return {
    port: Number(new URL(url).port),
    process: child,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

interface Answer {
  status: number;
  text: string;
}

function send(port: number, agent: Agent, method: string, path: string, body?: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const call = request({ host: "127.0.0.1", port, agent, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    call.on("error", reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const word = () => words[Math.floor(random() * words.length)]!;
const light = () => ({ size: 10, query: { match: { text: `${word()} ${word()}` } } });
const heavy = () => ({
  size: 0,
  query: { range: { n: { gte: Math.floor(random() * 1000) } } },
  aggs: {
    one: {
      terms: { field: "one.keyword", size: 2000 },
      aggs: { two: { cardinality: { field: "two.keyword" } }, n: { percentiles: { field: "n" } } },
    },
  },
});

function percentiles(times: number[]): Record<string, string> {
  const sorted = times.sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

async function residentMegabytes(port: number, agent: Agent): Promise<number> {
  const { text } = await send(port, agent, "GET", "/_huiliu/metrics");
  return Math.round(Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]) / 1e6);
}

async function load(data: string): Promise<void> {
  const served = await start(data, workers);
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  const failures = new Map<string, number>();
  const memory: number[] = [];
  const end = performance.now() + seconds * 1000;
  const watch = (async () => {
    const own = new Agent({ keepAlive: true });
    while (performance.now() < end) {
      memory.push(await residentMegabytes(served.port, own));
      await new Promise((resolve) => setTimeout(resolve, Math.max(1000, (seconds * 1000) / 12)));
    }
    memory.push(await residentMegabytes(served.port, own));
    own.destroy();
  })();
  const one = async () => {
    while (performance.now() < end) {
      const dice = random();
      const began = performance.now();
      try {
        const { status } =
          dice < 0.75
            ? await send(served.port, agent, "POST", "/docs/_search", light())
            : dice < 0.85
              ? await send(served.port, agent, "POST", "/docs/_count", { query: { match: { text: word() } } })
              : dice < 0.98
                ? await send(served.port, agent, "GET", `/docs/_doc/${Math.floor(random() * size)}`)
                : await send(served.port, agent, "PUT", `/docs/_doc/${Math.floor(random() * size)}`, {
                    text: word(),
                    n: 1,
                  });
        if (status >= 300) failures.set(String(status), (failures.get(String(status)) ?? 0) + 1);
      } catch (error) {
        const why = (error as Error).message;
        failures.set(why, (failures.get(why) ?? 0) + 1);
      }
      times.push(performance.now() - began);
    }
  };
  await Promise.all([...Array.from({ length: clients }, one), watch]);
  report({
    what: `${clients} clients for ${seconds} s, ${workers} threads`,
    requests: times.length,
    failures: failures.size === 0 ? 0 : JSON.stringify(Object.fromEntries(failures)),
    ...percentiles(times),
    megabytes: memory.join(","),
  });
  agent.destroy();
  await served.close();
}

async function beside(data: string): Promise<void> {
  for (const threads of [0, workers]) {
    const served = await start(data, threads);
    const agent = new Agent({ keepAlive: true });
    const lights = async (count: number) => {
      const times: number[] = [];
      for (let i = 0; i < count; i++) {
        const began = performance.now();
        await send(served.port, agent, "POST", "/docs/_search", light());
        times.push(performance.now() - began);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return times;
    };
    // Every thread has read its columns before anything is measured.
    await Promise.all(Array.from({ length: 8 }, () => lights(50)));
    await Promise.all(Array.from({ length: 4 }, () => send(served.port, agent, "POST", "/docs/_search", heavy())));
    const memory = await residentMegabytes(served.port, agent);
    const count = 1000;
    report({
      what: `light searches alone, ${threads} threads`,
      ...percentiles(await lights(count)),
      megabytes: memory,
    });
    let stop = false;
    const heavies: number[] = [];
    const running = (async () => {
      while (!stop) {
        const began = performance.now();
        await send(served.port, agent, "POST", "/docs/_search", heavy());
        heavies.push(performance.now() - began);
      }
    })();
    report({ what: `light searches beside an aggregation, ${threads} threads`, ...percentiles(await lights(count)) });
    stop = true;
    await running;
    report({ what: `that aggregation, ${threads} threads`, times: heavies.length, ...percentiles(heavies) });
    agent.destroy();
    await served.close();
  }
}

const data = mkdtempSync(join(tmpdir(), "huiliu-load-"));
try {
  await fill(data);
  report({ what: "machine", cores: availableParallelism(), load: loadavg()[0]!.toFixed(1), documents: size });
  if (values.part.includes("beside")) await beside(data);
  if (values.part.includes("load")) await load(data);
  if (values.json) console.log(JSON.stringify(lines));
} finally {
  rmSync(data, { recursive: true, force: true });
}
