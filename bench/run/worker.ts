/** The process of one peer: `tsx bench/run/worker.ts NAME [URL of a node]`. See `protocol.ts`. */
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { huiliu, peersWith } from "../peers/index.ts";
import type { Reader } from "../peers/types.ts";
import { lines, vectorsOf } from "../workload/lines.ts";
import { type Passage, type Question, type Suite, tagOf } from "../workload/types.ts";
import type { Asked, Built, Loaded, Memory, Opened, Request } from "./protocol.ts";

const [name, node] = process.argv.slice(2);
const peer = [huiliu, ...peersWith(node)].find((known) => known.name === name);
if (peer === undefined) throw new Error(`no peer is called ${name}`);

const BATCH = 1000;
let reader: Reader | undefined;

function status(field: string): number | undefined {
  if (!existsSync("/proc/self/status")) return undefined;
  const found = new RegExp(`^${field}:\\s*(\\d+) kB`, "m").exec(readFileSync("/proc/self/status", "utf8"));
  return found === null ? undefined : Number(found[1]) / 1024;
}
const now = () => ({
  resident: process.memoryUsage().rss / 2 ** 20,
  anonymous: status("RssAnon"),
  peak: status("VmHWM") ?? process.resourceUsage().maxRSS / 1024,
});
globalThis.gc?.();
const before = now();

function memory(): Memory {
  globalThis.gc?.();
  const { resident, anonymous, peak } = now();
  return {
    resident: resident - before.resident,
    ...(anonymous === undefined ? {} : { anonymous: anonymous - before.anonymous! }),
    peak: peak - before.resident,
  };
}

/** The passages in batches; who is asked for the next one waits for reading only. */
function* batches(suite: Suite): Generator<Passage[]> {
  const file = suite.language === "en" || peer!.segments ? suite.texts : suite.words;
  const texts = suite.text ? lines(file) : undefined;
  for (let from = 0; from < suite.size; from += BATCH) {
    const to = Math.min(suite.size, from + BATCH);
    const vectors = suite.dims > 0 ? vectorsOf(suite.vectors, suite.dims, from, to) : new Float32Array(0);
    yield Array.from({ length: to - from }, (_, i) => ({
      id: from + i,
      text: texts ? String(texts.next().value) : "",
      tag: tagOf(from + i),
      vector: vectors.subarray(i * suite.dims, (i + 1) * suite.dims),
    }));
  }
}

async function seconds(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function build(suite: Suite, folder: string): Promise<Built> {
  const writer = await peer!.create(suite, folder);
  let indexSeconds = 0;
  for (const batch of batches(suite)) indexSeconds += await seconds(() => writer.add(batch));
  indexSeconds += await seconds(() => writer.finish?.());
  const optimizeSeconds = await seconds(() => writer.optimize?.());
  const used = memory();
  await writer.save?.();
  await writer.close?.();
  return { indexSeconds, optimizeSeconds, memory: used };
}

async function open(suite: Suite, folder: string, first: Question): Promise<Opened> {
  const began = performance.now();
  reader = await peer!.open(suite, folder);
  reader.read(await reader.prepare(first)(), first);
  return { ms: performance.now() - began };
}

async function ask(questions: readonly Question[], wanted: boolean): Promise<Asked> {
  const ms: number[] = [];
  const answers = [];
  const runs = questions.map((question) => reader!.prepare(question));
  const cpu = process.cpuUsage();
  for (const [i, run] of runs.entries()) {
    const began = performance.now();
    const raw = await run();
    ms.push(performance.now() - began);
    if (wanted) answers.push(reader!.read(raw, questions[i]));
  }
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000, answers };
}

async function load(questions: readonly Question[], wanted: number): Promise<Loaded> {
  const runs = questions.map((question) => reader!.prepare(question));
  const began = performance.now();
  const end = began + wanted * 1000;
  let count = 0;
  while (performance.now() < end) await runs[count++ % runs.length]();
  return { count, seconds: (performance.now() - began) / 1000 };
}

function handle(request: Request): unknown {
  switch (request.do) {
    case "build":
      return build(request.suite, request.folder);
    case "open":
      return open(request.suite, request.folder, request.first);
    case "ask":
      return ask(request.questions, request.answers);
    case "load":
      return load(request.questions, request.seconds);
    case "memory":
      return memory();
    case "close":
      return Promise.resolve(reader?.close?.()).then(() => ({}));
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer: unknown;
  try {
    answer = await handle(JSON.parse(line) as Request);
  } catch (error) {
    answer = { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  // On a line of its own, whatever a library has printed without ending its line.
  process.stdout.write(`\n${JSON.stringify(answer)}\n`);
}
