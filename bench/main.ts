/**
 * Huiliu beside its peers: the same passages and the same questions, in one run.
 *
 *     npm run bench -- [--size 100000] [--suites text-en,hnsw-256,…] [--peers MiniSearch,…] [--corpus FOLDER …] [--questions 100] [--rounds 3]
 *                      [--limit 120] [--elasticsearch URL] [--out FOLDER] [--work FOLDER [--keep-indices] [--prepare]] [--no-ingestion]
 *
 * Prints tables and writes `SIZE.json`, `SIZE.md` and `SIZE.svg` into --out (default bench/results). Each peer runs in a process of its own, Huiliu and
 * one peer are asked in turns of ten questions, and no time counts before the answers were compared with a reference that reads every
 * passage and compares every vector. Passages are real texts (--corpus: folders with `corpus.jsonl`, Markdown or text; the handbook without)
 * and as many made ones as are missing. Each peer's figures are written as soon as it is measured, beside what earlier runs into the same folder
 * measured, so that a run may be done in parts (`--suites text-en --peers LanceDB`; `--peers none`: Huiliu alone) and one that is cut short loses
 * one peer. Indexing, opening and each turn of questions may take --limit seconds; the table says what took more. --work keeps the passages'
 * files for the next run, and --keep-indices the indices too: they are not built again, whatever has changed since. --prepare writes the
 * passages' files and measures nothing.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildPackage } from "../test/built.ts";
import { huiliu, peersWith } from "./peers/index.ts";
import type { Peer } from "./peers/types.ts";
import { merged } from "./report/merge.ts";
import { plot } from "./report/plot.ts";
import { loadNow, machineNow, type Result } from "./report/result.ts";
import { page } from "./report/table.ts";
import { ingestion } from "./run/ingestion.ts";
import { measure, openIndex, type PeerResult, type Plan } from "./run/measure.ts";
import { installPeers, missing, SUITE_NAMES, suitesOf } from "./run/prepare.ts";
import { kindsOf, questionsOf } from "./workload/questions.ts";
import { expectedOf } from "./workload/reference.ts";
import type { Suite } from "./workload/types.ts";

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "100000" },
    suites: { type: "string", default: SUITE_NAMES.join(",") },
    peers: { type: "string" },
    corpus: { type: "string", multiple: true, default: [] },
    questions: { type: "string", default: "100" },
    rounds: { type: "string", default: "3" },
    checked: { type: "string", default: "20" },
    load: { type: "string", default: "2" },
    limit: { type: "string", default: "120" },
    elasticsearch: { type: "string" },
    out: { type: "string", default: fileURLToPath(new URL("results", import.meta.url)) },
    work: { type: "string" },
    "keep-indices": { type: "boolean", default: false },
    prepare: { type: "boolean", default: false },
    "no-ingestion": { type: "boolean", default: false },
  },
});
const size = Number(values.size);
const questionCount = Number(values.questions);
const node = values.elasticsearch ?? process.env["HUILIU_ELASTICSEARCH"];
const work = values.work ?? mkdtempSync(join(tmpdir(), "huiliu-bench-"));
mkdirSync(work, { recursive: true });
const say = (text: string) => console.error(text);

function planOf(suite: Suite): Plan {
  const questions = questionsOf(suite, questionCount);
  const kinds = kindsOf(suite);
  const checked = kinds.map((kind) => questions.get(kind)!.slice(0, Number(values.checked)));
  const all = expectedOf(suite, checked.flat());
  let at = 0;
  const expected = new Map(kinds.map((kind, i) => [kind, all.slice(at, (at += checked[i].length))]));
  return {
    suite,
    questions,
    expected,
    folder: join(work, "indices", `${suite.name}.${size}`),
    node,
    rounds: Number(values.rounds),
    loadSeconds: Number(values.load),
    limit: Number(values.limit),
    reuse: values["keep-indices"],
  };
}

const file = join(values.out, `${size}.json`);
const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Result) : undefined;
const loadBefore = loadNow();
let found: Pick<Result, "suites" | "skipped" | "ingestion"> = { suites: [], skipped: [] };

/** Writes what is known so far. */
function keep(more: Partial<typeof found>): Result {
  found = { ...found, ...more };
  const date = new Date().toISOString().slice(0, 10);
  const result = merged(earlier, { size, date, machine: machineNow(loadBefore), ...found });
  mkdirSync(values.out, { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, undefined, 1)}\n`);
  writeFileSync(join(values.out, `${size}.md`), page(result));
  writeFileSync(join(values.out, `${size}.svg`), plot(result));
  return result;
}

const skip = (peer: string, why: string) => keep({ skipped: [...found.skipped, { peer, why }] });

async function runSuite(suite: Suite, peers: readonly Peer[]): Promise<void> {
  say(`\n${suite.name}: questions and their right answers …`);
  const plan = planOf(suite);
  const textMiB = ((suite.text ? statSync(suite.texts).size : 0) + suite.size * suite.dims * 4) / 2 ** 20;
  const before = found.suites;
  const results: PeerResult[] = [];
  const add = (result: PeerResult) => {
    results.push(result);
    keep({ suites: [...before, { name: suite.name, textMiB, peers: results }] });
  };
  try {
    add(await measure(huiliu, undefined, plan, say));
    for (const peer of peers.filter((each) => each.kinds(suite).length > 0)) {
      // Without an own index there are no turns: the peer is measured alone.
      const own = results[0].openMs === undefined ? undefined : (await openIndex(huiliu, plan)).remote;
      try {
        add(await measure(peer, own, plan, say));
      } catch (error) {
        const why = String((error as Error).message).slice(0, 600);
        say(`${peer.name}: ${why}`);
        skip(`${peer.name}, ${suite.name}`, why);
      } finally {
        await own?.end();
      }
    }
  } finally {
    if (!values["keep-indices"]) rmSync(plan.folder, { recursive: true, force: true });
  }
}

async function measureAll(suites: readonly Suite[]): Promise<void> {
  await buildPackage();
  installPeers();
  const wanted = values.peers?.split(",");
  const peers = peersWith(node).filter(({ name }) => wanted === undefined || wanted.includes(name));
  const able = peers.filter((peer) => {
    const why = missing(peer);
    if (why !== undefined) skip(peer.name, why);
    return why === undefined;
  });
  for (const suite of suites) await runSuite(suite, able);
  const ingested = values["no-ingestion"] ? undefined : await ingestion(work, values.corpus);
  console.log(page(keep(ingested ? { ingestion: ingested } : {})));
}

try {
  const suites = suitesOf(values.suites.split(","), size, values.corpus, work, questionCount);
  if (!values.prepare) await measureAll(suites);
} finally {
  if (values.work === undefined) rmSync(work, { recursive: true, force: true });
}
