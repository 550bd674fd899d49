/**
 * Compares the embedded engine with a real Elasticsearch node on random indices, documents and requests.
 *
 *   npm run fuzz:dsl -- --url http://127.0.0.1:9200 --seed 1 --count 2000 [--text|--documents|--analysis] [--json] [--keep-going]
 *     [--world N] [--each N] [--shrink N]
 *
 * With `--text` all is about text: analysis, mappings, documents and every query, over several indices and aliases, malformed ones too, and nothing
 * beside hits; a world then has four times as many requests.
 * With `--analysis` each request is a text to analyze, in one of the ways that `_analyze` has.
 * With `--documents` requests are sequences of operations in an index, whose answers and outcome are compared whole.
 * Prints a small reproduction of the first difference and exits with 1; with `--keep-going` it goes on, to the next world. What the engine
 * refuses by name is counted apart. A run is determined by its seed; `--world N` repeats one world of it. With `--shrink 0` each difference is
 * a line of JSON, as it was found.
 */
import { parseArgs } from "node:util";
import { fuzzAnalysis } from "./analyze/main.ts";
import { fuzzDocuments } from "./documents/main.ts";
import { seeded } from "./random.ts";
import { type FuzzRequest, requestOf } from "./requests.ts";
import { type Failing, shrink } from "./shrink.ts";
import { type Outcome, remote, run } from "./targets.ts";
import { textRequestOf } from "./text/requests.ts";
import { textWorldOf } from "./text/world.ts";
import { worldOf } from "./world.ts";

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:9200" },
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "1000" },
    world: { type: "string" },
    /** Requests of each world. */
    each: { type: "string" },
    /** Most runs for making a failing case smaller. */
    shrink: { type: "string", default: "300" },
    text: { type: "boolean", default: false },
    documents: { type: "boolean", default: false },
    analysis: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    "keep-going": { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const count = Number(values.count);
const perWorld = Number(values.each ?? (values.text ? 100 : 25));
const node = remote(values.url);

let totals = { requests: 0, same: 0, refused: 0, different: 0 };
let refusals = new Map<string, number>();
const reproductions: unknown[] = [];
let indices = 0;
const nextIndex = () => `fuzz-${process.pid}-${indices++}`;

function say(text: string): void {
  if (!values.json) console.log(text);
}

function note(outcome: Outcome): void {
  totals[outcome.kind]++;
  if (outcome.kind === "refused") refusals.set(outcome.feature, (refusals.get(outcome.feature) ?? 0) + 1);
}

async function outcomeOf({ world, request }: Failing): Promise<Outcome> {
  const { setUp, requests } = await run(node, nextIndex(), world, request === undefined ? [] : [request]);
  if (request === undefined || setUp.kind !== "same") return request === undefined ? setUp : { kind: "same" };
  return requests[0] ?? { kind: "same" };
}

async function report(failing: Failing, text: string, world: number): Promise<void> {
  if (Number(values.shrink) === 0) {
    const reproduction = { seed, world, difference: text, request: failing.request };
    reproductions.push(reproduction);
    return say(JSON.stringify(reproduction));
  }
  say(`world ${world}: ${text}\nshrinking…`);
  const smallest = await shrink(
    failing,
    async (candidate) => (await outcomeOf(candidate)).kind === "different",
    Number(values.shrink),
  );
  const outcome = await outcomeOf(smallest);
  const { settings, mappings, batches } = smallest.world;
  const reproduction = {
    seed,
    world,
    difference: outcome.kind === "different" ? outcome.text : text,
    index: { settings, mappings },
    bulk: batches.map((batch) => batch.flatMap(([action, body]) => (body === undefined ? [action] : [action, body]))),
    request: smallest.request,
  };
  reproductions.push(reproduction);
  say(`${JSON.stringify(reproduction, null, 1)}\nagain: --seed ${seed} --world ${world}`);
}

async function play(world: number): Promise<boolean> {
  const random = seeded(seed * 1_000_003 + world);
  const made = values.text ? textWorldOf(random) : worldOf(random);
  const requestFor = values.text ? textRequestOf : requestOf;
  const requests: FuzzRequest[] = Array.from({ length: perWorld }, () => requestFor(random, made));
  const { setUp, requests: outcomes } = await run(node, nextIndex(), made, requests);
  if (setUp.kind !== "same") {
    note(setUp);
    totals.requests++;
    if (setUp.kind === "refused") return true;
    await report({ world: made, request: undefined }, setUp.text, world);
    return false;
  }
  let good = true;
  for (const [at, outcome] of outcomes.entries()) {
    note(outcome);
    totals.requests++;
    if (outcome.kind !== "different") continue;
    // Of one world the first is made smaller; where none is, all are shown.
    if (!good && Number(values.shrink) > 0) continue;
    good = false;
    await report({ world: made, request: requests[at] }, outcome.text, world);
  }
  return good;
}

const only = values.world === undefined ? undefined : Number(values.world);
const first = only ?? 0;
const last = only === undefined ? Math.ceil(count / perWorld) : first + 1;
const other = values.documents ? fuzzDocuments : values.analysis ? fuzzAnalysis : undefined;
if (other !== undefined) {
  const [most, keepGoing] = [Number(values.shrink), values["keep-going"]];
  const done = await other({ url: values.url, seed, count, world: only, shrink: most, keepGoing, say });
  ({ refusals, ...totals } = done);
}
for (let world = first; other === undefined && world < last; world++) {
  const good = await play(world);
  if (!good && !values["keep-going"]) break;
}
if (values.json)
  console.log(JSON.stringify({ seed, ...totals, refusals: Object.fromEntries(refusals), reproductions }));
else {
  for (const [feature, times] of [...refusals].sort((a, b) => b[1] - a[1])) say(`refused ${times}: ${feature}`);
  say(`${totals.requests} requests: ${totals.same} same, ${totals.refused} refused, ${totals.different} different`);
  say(`${totals.same} passed, ${totals.different} failed`);
}
process.exitCode = totals.different > 0 ? 1 : 0;
