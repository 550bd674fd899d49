/** One peer beside Huiliu in one suite: built, opened, checked, then asked in turns. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../peers/types.ts";
import { type Expected, rightness, sameScores } from "../workload/reference.ts";
import type { Kind, Question, Suite } from "../workload/types.ts";
import type { Asked, Built, Loaded, Memory, Opened } from "./protocol.ts";
import { Late, nodeCommand, type Remote, start } from "./remote.ts";

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Mean of the processor's time, of all threads of the peer's process. */
  readonly cpu: number;
}

export interface Times extends Spread {
  /** Huiliu's in the same turns. */
  readonly own?: Spread;
  /** Mean share of the reference's best that was found. */
  readonly right: number;
}

/** What building an index took. */
export interface Costs {
  readonly indexPerSecond: number;
  readonly optimizeSeconds: number;
  readonly diskMiB: number;
  readonly building: Memory;
}

/** What took longer than it may, with the seconds. */
export type TooLong = Partial<Record<Kind | "indexing" | "opening", number>>;

/** What is missing took too long. */
export interface PeerResult extends Partial<Costs> {
  readonly peer: string;
  readonly settings: string;
  readonly openMs?: number;
  readonly resting?: Memory;
  readonly kinds: Partial<Record<Kind, Times>>;
  /** Questions a second: of one process, and of two at once. */
  readonly throughput: Partial<Record<Kind, readonly [one: number, two: number]>>;
  readonly late?: TooLong;
}

export interface Plan {
  readonly suite: Suite;
  readonly questions: ReadonlyMap<Kind, readonly Question[]>;
  /** Of the first questions of each kind. */
  readonly expected: ReadonlyMap<Kind, readonly Expected[]>;
  readonly folder: string;
  readonly node: string | undefined;
  readonly rounds: number;
  readonly loadSeconds: number;
  /** Seconds for indexing, for opening, and for each turn of questions. */
  readonly limit: number;
  /** An index of an earlier run is taken as it is. */
  readonly reuse: boolean;
}

/** Kinds whose throughput is measured. */
const LOADED: readonly Kind[] = ["3 terms", "kNN"];
const TURN = 10;
/** Seconds in which a process may compile what it runs. */
const WARM_UP = 0.5;
/** A kind is left when its turns have taken so long: slow peers show their median long before. */
const MOST_MS = 15_000;

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)));
  // Of files with holes what they take, not how long they are.
  return files.reduce((sum, file) => sum + (file.isFile() ? Math.min(file.size, file.blocks * 512) : 0), 0);
}

const startPeer = (peer: Peer, { node, limit }: Plan): Remote =>
  start({ command: peer.command?.() ?? nodeCommand(peer.name, node), limit, ...(peer.env ? { env: peer.env } : {}) });

const folderOf = (peer: Peer, plan: Plan): string => join(plan.folder, peer.name.replaceAll(/\W+/g, "-"));

async function buildIndex(peer: Peer, plan: Plan): Promise<Costs> {
  const folder = folderOf(peer, plan);
  const costs = `${folder}.json`;
  if (plan.reuse && existsSync(costs)) return JSON.parse(readFileSync(costs, "utf8")) as Costs;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const remote = startPeer(peer, plan);
  try {
    const { indexSeconds, optimizeSeconds, memory } = await remote.ask<Built>({
      do: "build",
      suite: plan.suite,
      folder,
    });
    await remote.end();
    const built = {
      indexPerSecond: plan.suite.size / indexSeconds,
      optimizeSeconds,
      diskMiB: sizeOf(folder) / 2 ** 20,
      building: memory,
    };
    writeFileSync(costs, JSON.stringify(built));
    return built;
  } finally {
    await remote.end();
  }
}

const kindsIn = (peer: Peer, plan: Plan): Kind[] => peer.kinds(plan.suite).filter((kind) => plan.questions.has(kind));

export async function openIndex(peer: Peer, plan: Plan): Promise<{ remote: Remote; openMs: number }> {
  const remote = startPeer(peer, plan);
  try {
    const first = plan.questions.get(kindsIn(peer, plan)[0])!.at(-1)!;
    const { ms } = await remote.ask<Opened>({ do: "open", suite: plan.suite, folder: folderOf(peer, plan), first });
    return { remote, openMs: ms };
  } catch (error) {
    await remote.end();
    throw error;
  }
}

/** The mean share that is right; whoever scores as Lucene does must have all of it. */
async function check(peer: Peer, remote: Remote, kind: Kind, plan: Plan): Promise<number> {
  const expected = plan.expected.get(kind)!;
  const questions = plan.questions.get(kind)!.slice(0, expected.length);
  const { answers } = await remote.ask<Asked>({ do: "ask", questions, answers: true });
  const shares = answers.map((answer, i) => rightness(kind, expected[i], answer));
  // A graph finds what it finds; what words near to one another weigh is a rule of its own, and that they match is all that is asked.
  const exact = !kind.startsWith("kNN") && kind !== "hybrid";
  const wrong = answers.findIndex(
    (answer, i) => shares[i] < 1 || (kind !== "fuzzy" && !sameScores(expected[i], answer)),
  );
  if (peer.lucene && exact && wrong >= 0) {
    const { best, score } = expected[wrong];
    const wanted = best.map((id) => `${id} ${score(id)}`).join(", ");
    throw new Error(
      `${peer.name} answers ${JSON.stringify(questions[wrong].words)} (${kind}) wrongly: ${JSON.stringify(answers[wrong])}; right is ${wanted}`,
    );
  }
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

interface Taken {
  readonly ms: number[];
  cpuMs: number;
}

function spread({ ms, cpuMs }: Taken): Spread {
  const sorted = [...ms].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), cpu: cpuMs / ms.length };
}

/** Peers in turns, ten questions each, after every one has warmed up. */
async function inTurns(remotes: readonly Remote[], questions: readonly Question[], rounds: number): Promise<Taken[]> {
  const taken: Taken[] = remotes.map(() => ({ ms: [], cpuMs: 0 }));
  for (const remote of remotes) await remote.ask<Loaded>({ do: "load", questions, seconds: WARM_UP });
  const began = performance.now();
  for (let round = 0; round < rounds; round++) {
    for (let from = 0; from < questions.length; from += TURN) {
      const turn = questions.slice(from, from + TURN);
      for (const [i, remote] of remotes.entries()) {
        const { ms, cpuMs } = await remote.ask<Asked>({ do: "ask", questions: turn, answers: false });
        taken[i].ms.push(...ms);
        taken[i].cpuMs += cpuMs;
      }
      if (performance.now() - began > MOST_MS) return taken;
    }
  }
  return taken;
}

async function load(remotes: readonly Remote[], questions: readonly Question[], seconds: number): Promise<number> {
  const loaded = await Promise.all(remotes.map((remote) => remote.ask<Loaded>({ do: "load", questions, seconds })));
  return loaded.reduce((sum, { count, seconds: took }) => sum + count / took, 0);
}

/** One kind of question: checked, asked in turns with Huiliu, then as many as a process answers. */
async function measureKind(peer: Peer, kind: Kind, remotes: readonly [Remote, Remote?], plan: Plan) {
  const [remote, own] = remotes;
  const right = await check(peer, remote, kind, plan);
  const questions = plan.questions.get(kind)!;
  const [mine, owns] = (await inTurns(own ? [remote, own] : [remote], questions, plan.rounds)).map(spread);
  const times: Times = { ...mine, ...(own ? { own: owns } : {}), right };
  if (!LOADED.includes(kind) || plan.loadSeconds === 0) return { times };
  const one = await load([remote], questions, plan.loadSeconds);
  const second = await openIndex(peer, plan);
  try {
    return { times, throughput: [one, await load([remote, second.remote], questions, plan.loadSeconds)] as const };
  } finally {
    await second.remote.end();
  }
}

/** Measures a peer in turns with Huiliu, or Huiliu alone. */
export async function measure(
  peer: Peer,
  own: Remote | undefined,
  plan: Plan,
  say: (text: string) => void,
): Promise<PeerResult> {
  const late: TooLong = {};
  const inTime = async <T>(what: keyof TooLong, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Late)) throw error;
      say(`${peer.name}, ${what}: ${error.message}`);
      late[what] = error.seconds;
      return undefined;
    }
  };
  const kinds: Partial<Record<Kind, Times>> = {};
  const throughput: Partial<Record<Kind, readonly [number, number]>> = {};
  const open = () => inTime("opening", () => openIndex(peer, plan));

  const built = await inTime("indexing", () => buildIndex(peer, plan));
  if (built)
    say(`${peer.name}: ${Math.round(built.indexPerSecond)} passages/s, ${built.diskMiB.toFixed(0)} MiB on disk`);
  let opened = built && (await open());
  const openMs = opened?.openMs;
  const resting = await opened?.remote.ask<Memory>({ do: "memory" });
  try {
    for (const kind of kindsIn(peer, plan)) {
      // What took too long has ended its process.
      if (late.opening === undefined) opened ??= built && (await open());
      if (opened === undefined) break;
      const { remote } = opened;
      const measured = await inTime(kind, () => measureKind(peer, kind, [remote, own], plan));
      if (measured === undefined) {
        await remote.end();
        opened = undefined;
        continue;
      }
      const { times } = measured;
      kinds[kind] = times;
      if (measured.throughput) throughput[kind] = measured.throughput;
      say(
        `${peer.name}, ${kind}: ${times.p50.toFixed(3)} ms${times.own ? `, Huiliu ${times.own.p50.toFixed(3)}` : ""}, right ${times.right.toFixed(3)}`,
      );
    }
    await opened?.remote.ask({ do: "close" });
  } finally {
    await opened?.remote.end();
  }
  return {
    peer: peer.name,
    settings: peer.settings,
    ...built,
    ...(openMs === undefined ? {} : { openMs }),
    ...(resting === undefined ? {} : { resting }),
    kinds,
    throughput,
    ...(Object.keys(late).length > 0 ? { late } : {}),
  };
}
