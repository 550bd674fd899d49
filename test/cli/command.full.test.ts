import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPackage, command, finished } from "../built.ts";

const FILES = 600;
let folder: string;

beforeAll(async () => {
  await buildPackage();
  folder = await mkdtemp(join(tmpdir(), "huiliu-command-"));
  await mkdir(join(folder, "docs"));
  const paragraph = "员工每年享受带薪年休假，须提前申请并经主管批准。Annual leave must be booked in advance. ";
  for (let i = 0; i < FILES; i++)
    await writeFile(join(folder, "docs", `${i}.md`), `# 第${i}节\n\n${`${paragraph}编号${i}。`.repeat(30)}`);
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const lines = (out: string) =>
  out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const status = async (data: string) =>
  JSON.parse((await finished([command, "status", "--data", data, "--json"], { cwd: folder })).out);

describe("a run that is stopped", () => {
  test("by Ctrl-C ends cleanly, keeps what it reported, and goes on from there", async () => {
    let asked = false;
    const args = [command, "add", "docs", "--data", "stopped", "--json"];
    const { code, out, err } = await finished(args, {
      cwd: folder,
      onOut(text, kill) {
        if (asked || text.split("\n").length < 20) return;
        asked = true;
        kill("SIGINT");
      },
    });
    const reported = lines(out).filter(({ type, outcome }) => type === "file" && outcome === "added");
    expect(code).toBe(130);
    expect(err).toMatch(/stopped: \d+ files are indexed; run the same command to go on\n$/);
    const { documents } = await status("stopped");
    expect(documents).toBeLessThan(FILES);
    expect(documents).toBe(reported.length);
    const rest = await finished(args, { cwd: folder });
    expect(lines(rest.out).at(-1)).toMatchObject({ added: FILES - documents, unchanged: documents });
    expect((await status("stopped")).documents).toBe(FILES);
  });

  test("by kill -9 loses nothing that it reported", async () => {
    let killed = false;
    const args = [command, "add", "docs", "--data", "killed", "--json"];
    const { out } = await finished(args, {
      cwd: folder,
      onOut(text, kill) {
        if (killed || text.split("\n").length < 20) return;
        killed = true;
        kill("SIGKILL");
      },
    });
    const whole = out.slice(0, out.lastIndexOf("\n") + 1);
    const reported = lines(whole).filter(({ outcome }) => outcome === "added").length;
    const rest = await finished(args, { cwd: folder });
    const summary = lines(rest.out).at(-1);
    expect(summary.failed).toEqual([]);
    expect(summary.unchanged).toBeGreaterThanOrEqual(reported);
    expect((await status("killed")).documents).toBe(FILES);
    expect((await finished([command, "verify", "--data", "killed"], { cwd: folder })).code).toBe(0);
  });
});

test("a reader that has seen enough ends the command quietly", async () => {
  await finished([command, "add", "docs", "--data", "piped", "--quiet"], { cwd: folder });
  const child = spawn(
    "bash",
    ["-o", "pipefail", "-c", `"${process.execPath}" "${command}" list --data piped --json | head -n 1`],
    {
      cwd: folder,
    },
  );
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => (out += data));
  child.stderr.on("data", (data) => (err += data));
  const [code] = await once(child, "close");
  expect([code, out.split("\n").length, err]).toEqual([0, 2, ""]);
});

test("a second writer is told who writes; readers work beside it", async () => {
  const server = spawn(process.execPath, [command, "serve", "--port", "0", "--data", "piped", "--json"], {
    cwd: folder,
  });
  try {
    const [first] = await once(server.stdout, "data");
    const { url } = JSON.parse(String(first));
    const info = await (await fetch(url)).json();
    expect(info).toMatchObject({ version: { number: expect.stringMatching(/^8\./) } });
    const count = await (await fetch(`${url}/documents/_count`)).json();
    expect(count).toMatchObject({ count: expect.any(Number) });

    const second = await finished([command, "add", "docs", "--data", "piped"], { cwd: folder });
    expect(second.code).toBe(1);
    expect(second.err).toContain(String(server.pid));
    const beside = await finished([command, "search", "年休假", "--data", "piped", "--json"], { cwd: folder });
    expect(JSON.parse(beside.out).hits.length).toBeGreaterThan(0);
    server.kill("SIGINT");
    const [code] = await once(server, "close");
    expect(code).toBe(0);
  } finally {
    server.kill("SIGKILL");
  }
});

describe("ask with a model", () => {
  let model: Server;
  let url: string;
  let answer: (write: (text: string) => void) => void;
  beforeAll(async () => {
    model = createServer((request, reply) => {
      request.resume().on("end", () => {
        reply.writeHead(200, { "content-type": "text/event-stream" });
        const chunk = (content: string) =>
          reply.write(`data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content } }] })}\n\n`);
        answer(chunk);
        reply.end(
          `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
        );
      });
    });
    await once(model.listen(0, "127.0.0.1"), "listening");
    url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    await finished([command, "add", "docs/1.md", "--data", "asked", "--quiet"], { cwd: folder });
  });
  afterAll(() => model.close());

  test("streams what it writes, then the sources", async () => {
    answer = (write) => {
      write("须提前申请");
      write("。[1]");
    };
    const args = [command, "ask", "怎么请年休假？", "--data", "asked", "--model", "local/test", "--base-url", url];
    const { code, out } = await finished(args, { cwd: folder });
    expect(code).toBe(0);
    expect(out).toMatch(/^须提前申请。\[1\]\n\n\[1\] docs\/1\.md/);
    expect(out).not.toContain("extract");
  });

  test("a server that is not there is named, with exit code 1", async () => {
    const args = [
      command,
      "ask",
      "年休假？",
      "--data",
      "asked",
      "--model",
      "local/test",
      "--base-url",
      "http://127.0.0.1:9/v1",
    ];
    const { code, err } = await finished(args, { cwd: folder });
    expect(code).toBe(1);
    expect(err).toMatch(/^huiliu: /);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });
});

test("hostile file names and texts do no harm", async () => {
  const data = await mkdtemp(join(tmpdir(), "huiliu-hostile-"));
  try {
    await mkdir(join(data, "docs"));
    await writeFile(
      join(data, "docs", "\u001b[31mred\u202e.md"),
      "# \u001b]0;owned\u0007标题\n\n年休假\u001b[2J\0 \ufffd text",
    );
    await writeFile(join(data, "docs", "-rf.md"), "年休假");
    await writeFile(join(data, "docs", "surrogate.txt"), Buffer.from("年休假\ud83d".repeat(2), "utf16le"));
    const added = await finished([command, "add", "docs"], { cwd: data });
    const found = await finished([command, "search", "年休假"], { cwd: data });
    const listed = await finished([command, "list"], { cwd: data });
    for (const { out, err } of [added, found, listed])
      expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(found.code).toBe(0);
    expect(found.out).toContain("-rf.md");
  } finally {
    await rm(data, { recursive: true, force: true });
  }
});
