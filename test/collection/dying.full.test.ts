/**
 * A cluster that dies while files are added, searched and copied, and a command that does: clear errors, and in the end everything is there once.
 * The cluster is `huiliu serve`; with HUILIU_ELASTICSEARCH_START also what that command starts (it is given a port and a folder).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@elastic/elasticsearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { HuiliuError } from "../../src/schema/index.ts";
import { buildPackage, command, type Finished, finished } from "../built.ts";
import { seededRandom } from "../random.ts";

const FILES = 240;
const started: ChildProcess[] = [];
let folder: string;
beforeAll(async () => {
  await buildPackage();
  folder = await mkdtemp(join(tmpdir(), "huiliu-dying-"));
  await mkdir(join(folder, "docs"));
  const random = seededRandom(11);
  const words = "annual leave sick manager approval days 年休假 病假 审批 天数 contract salary".split(" ");
  const text = (n: number) => Array.from({ length: n }, () => words[Math.floor(random() * words.length)]).join(" ");
  for (let i = 0; i < FILES; i++)
    await writeFile(
      join(folder, "docs", `${i}.md`),
      `# Paper ${i}\n\n${Array.from({ length: 12 }, () => `${text(40)}.\n\n`).join("")}`,
    );
}, 180_000);
afterAll(async () => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

interface Node {
  readonly url: string;
  readonly client: Client;
  /** Starts it, or starts it again with what it has on disk. */
  start(): Promise<void>;
  /** As a power cut would. */
  kill(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function node(program: (port: number, data: string) => string[], data: string): Promise<Node> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const client = new Client({ node: url, maxRetries: 0, requestTimeout: 30_000 });
  let child: ChildProcess | undefined;
  return {
    url,
    client,
    async start() {
      const [name, ...args] = program(port, data);
      child = spawn(name!, args, { stdio: "ignore" });
      started.push(child);
      for (let i = 0; ; i++) {
        const ready = await client.cluster.health({ wait_for_status: "yellow", timeout: "20s" }).catch(() => undefined);
        if (ready) return;
        if (i > 600) throw new Error(`${name} does not answer on ${url}`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    async kill() {
      const gone = once(child!, "exit");
      child!.kill("SIGKILL");
      await gone;
    },
  };
}

const run = (
  args: string[],
  onOut?: (out: string, kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Finished> => finished([command, ...args], { cwd: folder, ...(onOut ? { onOut } : {}) });

/** Adds the files; `after` is called once so many of them have been told. */
function add(url: string, files?: number, after?: (kill: (signal: NodeJS.Signals) => void) => void): Promise<Finished> {
  let done = false;
  return run(["add", "docs", "--elasticsearch", url, "--json"], (out, kill) => {
    if (files === undefined || done || out.split("\n").length <= files) return;
    done = true;
    after?.(kill);
  });
}

/** Everything that is there: passages by id, and files. */
async function contents(client: Client, index = "documents") {
  await client.indices.refresh({ index: `${index}*` });
  const all = await client.search({ index, size: 10_000, query: { match_all: {} } });
  const files = await client.search<{ file: string; state: string; passages: number }>({
    index: `${index}.files`,
    size: 10_000,
  });
  return {
    passages: all.hits.hits.map(({ _id, _source }) => `${_id} ${JSON.stringify(_source)}`).sort(),
    files: files.hits.hits.map(({ _source }) => `${_source!.file} ${_source!.state} ${_source!.passages}`).sort(),
  };
}

const start = process.env["HUILIU_ELASTICSEARCH_START"];
const programs: [string, (port: number, data: string) => string[]][] = [
  ["huiliu serve", (port, data) => [process.execPath, command, "serve", "--port", `${port}`, "--data", data]],
  ...(start ? ([["a node", (port, data) => [start, `${port}`, data]]] as typeof programs) : []),
];

describe.each(programs)("%s", (name, program) => {
  it("dies while files are added: the run ends with the place and the reason, and the next ones finish the work", async () => {
    const whole = await node(program, join(folder, `${name}-whole`));
    await whole.start();
    expect(await add(whole.url)).toMatchObject({ code: 0 });
    const expected = await contents(whole.client);
    expect(expected.files).toHaveLength(FILES);
    await whole.kill();

    const cluster = await node(program, join(folder, `${name}-broken`));
    await cluster.start();
    // It comes back soon: the run waits, or ends.
    let back: Promise<void> | undefined;
    const first = await add(cluster.url, 30, () => {
      back = cluster.kill().then(() => cluster.start());
    });
    await back;
    expect([0, 1]).toContain(first.code);
    // The command itself is killed.
    await add(cluster.url, 60, (kill) => kill("SIGKILL"));
    // It stays away.
    await writeFile(join(folder, "docs", "more.md"), "# More\n\nMore to read.");
    let dead: Promise<void> | undefined;
    const second = await add(cluster.url, 1, () => {
      dead = cluster.kill();
    });
    await (dead ?? cluster.kill());
    if (second.code !== 0) {
      expect(second.code).toBe(1);
      expect(second.err).toContain(cluster.url);
    }
    const search = await run(["search", "年休假", "--elasticsearch", cluster.url]);
    expect(search).toMatchObject({ code: 1, err: expect.stringContaining(`${cluster.url}: nothing answers there`) });
    await cluster.start();
    await rm(join(folder, "docs", "more.md"));
    await run(["remove", "docs/more.md", "--elasticsearch", cluster.url]);
    let code = (await add(cluster.url)).code;
    if (code !== 0) code = (await add(cluster.url)).code;
    expect(code).toBe(0);
    expect(await contents(cluster.client)).toEqual(expected);
    await cluster.kill();
  });

  it("dies while it is searched: each search finds all or says what is wrong, and afterwards every one finds the same", async () => {
    const cluster = await node(program, join(folder, `${name}-searched`));
    await cluster.start();
    expect(await add(cluster.url)).toMatchObject({ code: 0 });
    const collection = await openCollection("documents", {
      elasticsearch: { node: cluster.url, maxRetries: 0 },
      readOnly: true,
    });
    try {
      const questions = ["年休假 审批", "manager approval", "salary contract", "病假 天数"];
      const find = async (question: string) =>
        (await collection.search(question, { topK: 20 })).map(({ node: { id }, score }) => [id, score]);
      const expected = new Map(await Promise.all(questions.map(async (q) => [q, await find(q)] as const)));
      for (const hits of expected.values()) expect(hits).toHaveLength(20);
      for (let round = 0; round < 3; round++) {
        let over = false;
        const outcomes: ("found" | string)[] = [];
        const asking = questions.map(async (question) => {
          while (!over) {
            try {
              expect(await find(question)).toEqual(expected.get(question));
              outcomes.push("found");
            } catch (error) {
              if (!(error instanceof HuiliuError)) throw error;
              expect(error.message).toContain(cluster.url);
              outcomes.push(error.code);
              if (error.code === "CLUSTER_UNREACHABLE") await new Promise((resolve) => setTimeout(resolve, 50));
            }
          }
        });
        await new Promise((resolve) => setTimeout(resolve, 300 + 150 * round));
        await cluster.kill();
        await new Promise((resolve) => setTimeout(resolve, 500));
        const back = cluster.start();
        await back;
        // A node that has just begun may not have opened the index yet.
        const afterwards = async () => {
          for (let i = 0; i < 100; i++) {
            const hits = await find(questions[0]!).catch(() => undefined);
            if (hits) return hits;
            await new Promise((resolve) => setTimeout(resolve, 200));
          }
          return undefined;
        };
        expect(await afterwards()).toEqual(expected.get(questions[0]!));
        over = true;
        await Promise.all(asking);
        expect(new Set(outcomes)).toContain("found");
        expect(new Set(outcomes)).toContain("CLUSTER_UNREACHABLE");
        for (const outcome of outcomes) expect(outcome).toMatch(/^(found|CLUSTER_[A-Z]+)$/);
      }
    } finally {
      await collection.close();
      await cluster.kill();
    }
  });

  it("dies while a collection is copied, and so does the command: the copy goes on and is whole", async () => {
    const data = join(folder, "local");
    expect(await run(["add", "docs", "--data", data, "--json"])).toMatchObject({ code: 0 });
    const cluster = await node(program, join(folder, `${name}-copy`));
    await cluster.start();
    const copy = async (delay?: number, then?: () => void) => {
      const abort = new AbortController();
      const child = spawn(process.execPath, [command, "copy", data, cluster.url, "--json"], {
        cwd: folder,
        stdio: "ignore",
      });
      const timer = delay === undefined ? undefined : setTimeout(() => (then ? then() : child.kill("SIGKILL")), delay);
      const [code] = (await once(child, "exit", { signal: abort.signal })) as [number | null];
      clearTimeout(timer);
      return code;
    };
    for (const delay of [900, 1500]) {
      await copy(delay);
      let back: Promise<void> | undefined;
      await copy(delay, () => {
        back = cluster.kill().then(() => cluster.start());
      });
      await back;
    }
    let code = await copy();
    if (code !== 0) code = await copy();
    expect(code).toBe(0);
    const back = join(folder, `${name}-back`);
    expect(await run(["copy", cluster.url, back, "--json"])).toMatchObject({ code: 0 });
    const local = await node(programs[0]![1], back);
    const original = await node(programs[0]![1], data);
    for (const place of [local, original]) await place.start();
    const expected = await contents(original.client);
    expect(expected.files).toHaveLength(FILES);
    expect(await contents(cluster.client)).toEqual(expected);
    expect(await contents(local.client)).toEqual(expected);
    for (const place of [cluster, local, original]) await place.kill();
  });
});
