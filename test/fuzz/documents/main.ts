/** The mode `--documents` of the fuzzer: sequences of operations, compared step by step, and at the end all that became of them. */
import { INDEX } from "../query-strings.ts";
import { seeded } from "../random.ts";
import { smaller } from "../shrink.ts";
import type { Json } from "../world.ts";
import { type Step, stepsOf } from "./operations.ts";
import { play, remote } from "./run.ts";

export interface Options {
  readonly url: string;
  readonly seed: number;
  readonly count: number;
  readonly world: number | undefined;
  /** Most runs for making a failing sequence smaller. */
  readonly shrink: number;
  readonly keepGoing: boolean;
  readonly say: (text: string) => void;
}

const PER_WORLD = 50;
/** Sequences that are under way at once: most of the time is waiting for the node. */
const AT_ONCE = 4;

export interface Totals {
  requests: number;
  same: number;
  refused: number;
  different: number;
  readonly refusals: Map<string, number>;
}

function* smallerSequences(steps: readonly Step[]): Generator<Step[]> {
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < steps.length - 1; from += size)
      yield [...steps.slice(0, from), ...steps.slice(Math.min(from + size, steps.length - 1))];
  const replaced = (at: number, step: Step) => steps.map((each, place) => (place === at ? step : each));
  for (const [at, step] of steps.entries()) {
    if (step.path.includes("?")) yield replaced(at, { ...step, path: step.path.replace(/\?.*/, "") });
    const { lines, body } = step;
    if (lines !== undefined)
      for (const form of smaller([...lines])) yield replaced(at, { ...step, lines: form as Json[] });
    if (body !== undefined) for (const form of smaller(body)) yield replaced(at, { ...step, body: form });
  }
}

/** Takes part after part away while the last step goes on to differ in the same kind of way. */
async function smallest(
  steps: readonly Step[],
  text: string,
  most: number,
  differs: (steps: readonly Step[]) => Promise<string | undefined>,
): Promise<[readonly Step[], string]> {
  let best: [readonly Step[], string] = [steps, text];
  let left = most;
  for (let found = true; found && left > 0; ) {
    found = false;
    for (const candidate of smallerSequences(best[0])) {
      if (left-- <= 0) break;
      const still = await differs(candidate);
      if (still === undefined) continue;
      best = [candidate, still];
      found = true;
      break;
    }
  }
  return best;
}

export async function fuzzDocuments(options: Options): Promise<Totals> {
  const { seed, say } = options;
  const node = remote(options.url);
  const totals: Totals = { requests: 0, same: 0, refused: 0, different: 0, refusals: new Map() };
  let indices = 0;
  const nextIndex = () => `fuzz-docs-${process.pid}-${indices++}`;
  const differs = async (steps: readonly Step[]) => {
    const { difference } = await play(node, nextIndex(), steps);
    // What differs must be the last step: another difference is another case.
    return difference?.at === steps.length - 1 ? difference.text : undefined;
  };
  async function playWorld(world: number): Promise<boolean> {
    const steps = stepsOf(seeded(seed * 1_000_003 + world), PER_WORLD);
    const { same, refused, difference } = await play(node, nextIndex(), steps);
    totals.same += same;
    totals.requests += same;
    if (refused !== undefined) {
      totals.requests++;
      totals.refused++;
      totals.refusals.set(refused, (totals.refusals.get(refused) ?? 0) + 1);
    }
    if (difference === undefined) return true;
    totals.requests++;
    totals.different++;
    const [least, text] = await smallest(steps.slice(0, difference.at + 1), difference.text, options.shrink, differs);
    const told = least.map(
      ({ method, path, body, lines }) => `  ${method} ${path} ${JSON.stringify(lines ?? body) ?? ""}`,
    );
    say(`${text}\n${told.join("\n").replaceAll(INDEX, "i")}\nagain: --documents --seed ${seed} --world ${world}\n`);
    return false;
  }
  const first = options.world ?? 0;
  const last = options.world === undefined ? Math.ceil(options.count / PER_WORLD) : first + 1;
  let next = first;
  let going = true;
  const worker = async () => {
    while (going && next < last) if (!(await playWorld(next++)) && !options.keepGoing) going = false;
  };
  await Promise.all(Array.from({ length: options.world === undefined ? AT_ONCE : 1 }, worker));
  return totals;
}
