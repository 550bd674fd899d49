// Every program, command and request of the documentation is run, in order, as a reader would; what is not run says why.
import { type ChildProcess, execFile, fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { buildPackage, root } from "../built.ts";
import { type CodeBlock, codeBlocks, writtenPages } from "./markdown.ts";
import type { Job, Outcome } from "./runner.ts";
import { commandsOf, curlRequest, words } from "./shell.ts";

/** Lines of shell that are not run, and why. */
const NOT_RUN: [RegExp, string][] = [
  [/^npm /, "installs from a registry"],
  [/^npx tsx /, "a script of the developers' own, over data that is not here"],
  [/^docker |^bin\/elasticsearch/, "needs a machine of its own"],
  [/\b(openai|dashscope|anthropic|transformers)\//, "needs a key, a package or a download"],
  [
    /^npx huiliu (tune|eval .*(--strategies all|--run|--answers))/,
    "takes minutes, or another system's run; test/cli does the same",
  ],
  [/^npx huiliu mcp/, "speaks a protocol over its input; test/mcp runs it"],
];
/** The address of a model in the texts; a server of the test takes its place. */
const MODEL = "http://localhost:11434";
/** The addresses of a server in the texts. */
const SERVER = /http:\/\/(?:localhost|127\.0\.0\.1):9200|(?<![\w/.])(?:localhost|127\.0\.0\.1):9200/;
/** The address of a cluster in the texts; the embedded engine, served, takes its place. */
const CLUSTER = "https://search.example:9200";

let model: Server;
let runner: ChildProcess;
const waiting = new Map<number, (outcome: Outcome) => void>();
let jobs = 0;
let printed = "";

beforeAll(async () => {
  await buildPackage();
  model = createServer((request, reply) => {
    request.resume().on("end", () => {
      reply.writeHead(200, { "content-type": "text/event-stream" });
      const delta = { content: "An answer. [1]" };
      reply.end(
        `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
      );
    });
  });
  await once(model.listen(0, "127.0.0.1"), "listening");
  runner = fork(join(root, "test/docs/runner.ts"), [root], {
    execArgv: ["--import", join(root, "node_modules/tsx/dist/loader.mjs")],
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HUILIU_|.*_API_KEY$)/.test(name))),
      SEARCH_KEY: "key",
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  runner.stderr!.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  runner.on("message", ({ id, outcome }: { id: number; outcome: Outcome }) => waiting.get(id)?.(outcome));
  runner.once("exit", (code) => {
    for (const done of waiting.values()) done({ code: code ?? 1, out: "", err: `the runner ended: ${printed}` });
  });
  await new Promise<void>((resolve) => waiting.set(0, () => resolve()));
  waiting.delete(0);
}, 180_000);
afterAll(() => {
  model.close();
  runner.kill();
});

function run(job: Job): Promise<Outcome> {
  const id = ++jobs;
  return new Promise((resolve) => {
    waiting.set(id, (outcome) => {
      waiting.delete(id);
      resolve(outcome);
    });
    runner.send({ id, job });
  });
}

/** A user's project: the package installed, and documents in docs/. */
async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "huiliu-docs-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "huiliu"), "dir");
  // What some texts have their readers install beside it.
  for (const name of ["@modelcontextprotocol", "@langchain", "@elastic", "zod"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  await symlink(join(root, "examples"), join(folder, "examples"), "dir");
  for (const lang of ["zh", "en"])
    for (const section of ["annual-leave-days", "marriage-leave", "appeals", "personal-leave"])
      await cp(join(root, "examples/handbook", lang, `${section}.md`), join(folder, "docs", lang, `${section}.md`));
  await cp(join(root, "examples/handbook/en/annual-leave-days.md"), join(folder, "docs/leave.md"));
  const questions = (await readFile(join(root, "examples/handbook/questions.jsonl"), "utf8")).split("\n");
  const here = questions.filter((line) => /(annual-leave-days|marriage-leave|appeals|personal-leave)"/.test(line));
  await writeFile(join(folder, "questions.jsonl"), here.join("\n"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

/** A page while it is run. */
interface Page {
  folder: string;
  env: Record<string, string>;
  /** The server that the page has started, or takes for granted. */
  server?: string;
  /** What stands for the cluster. */
  cluster?: string;
}

async function start(page: Page, name: "server" | "cluster", args: string[]): Promise<void> {
  if (page[name]) await run({ kind: "stop", name, ...page });
  const serve = ["serve", ...args, "--port", "0", "--json"];
  const { out, err } = await run({ kind: "serve", name, args: serve, ...page });
  if (out === "") throw new Error(err);
  page[name] = JSON.parse(out.split("\n")[0]!).url.replace(/\/$/, "");
}

async function stop(page: Page, name: "server" | "cluster" = "server"): Promise<void> {
  if (page[name]) await run({ kind: "stop", name, ...page });
  delete page[name];
}

/** A text with the addresses of what takes the place of the model and the cluster. No test reaches another server that happens to run here. */
async function here(page: Page, text: string): Promise<string> {
  if (text.includes(CLUSTER) && !page.cluster) await start(page, "cluster", ["--data", "cluster"]);
  const { port } = model.address() as AddressInfo;
  const replaced = text.replaceAll(MODEL, `http://127.0.0.1:${port}`).replaceAll(CLUSTER, page.cluster ?? "");
  if (!SERVER.test(replaced)) return replaced;
  if (!page.server) await start(page, "server", []);
  return replaced.replace(new RegExp(SERVER, "g"), page.server!);
}

async function runShell(page: Page, block: CodeBlock, file: string): Promise<void> {
  for (const text of [...commandsOf(block.given ?? ""), ...commandsOf(block.code)]) {
    if (NOT_RUN.some(([pattern]) => pattern.test(text))) continue;
    const line = await here(page, text);
    const [first, ...rest] = words(line.replace(/^npx /, ""));
    const where = { place: `${file}:${block.line}`, line };
    if (first === "huiliu" && !/ [|>] | && /.test(line)) {
      if (rest[0] === "serve") {
        await start(page, "server", rest.slice(1));
        continue;
      }
      // Beside a server the folder has one writer: it.
      if (!page.server || !line.includes(page.server)) await stop(page);
      const env = page.env;
      const outcome = await run({ kind: "command", args: rest, folder: page.folder, env });
      expect({ ...where, code: outcome.code, err: outcome.code === 0 ? "" : outcome.err }).toEqual({
        ...where,
        code: 0,
        err: "",
      });
    } else if (first === "curl") {
      const { url, method, headers, body, file: name, mayFail } = curlRequest(rest);
      const sent = name ? await readFile(join(page.folder, name)) : body;
      const init = { method, headers, ...(sent === undefined ? {} : { body: sent }) };
      const reply = await fetch(url, init);
      const answer = await reply.text();
      if (!mayFail) expect({ ...where, failed: reply.ok ? "" : answer }).toEqual({ ...where, failed: "" });
      // What a job indexes is there for the next line.
      if (page.server) await settled(page.server);
    } else if (first === "export") {
      for (const word of rest) page.env[word.split("=")[0]!] = word.slice(word.indexOf("=") + 1);
    } else if (["cp", "mv", "rm", "mkdir", "ls", "tar"].includes(first!)) {
      await stop(page);
      await new Promise<void>((resolve, reject) =>
        execFile("sh", ["-c", line], { cwd: page.folder }, (error) => (error ? reject(error) : resolve())),
      );
    } else throw new Error(`${where.place}: not run, and no reason is given: ${line}`);
  }
}

async function settled(server: string): Promise<void> {
  for (;;) {
    const { jobs = [] } = (await (await fetch(`${server}/_huiliu/jobs`)).json()) as { jobs?: { status: string }[] };
    if (!jobs.some(({ status }) => status === "running" || status === "waiting")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each(await writtenPages())("%s", { timeout: 180_000 }, async (file) => {
  const all = await codeBlocks(file);
  for (const { language, line, notRun } of all) {
    expect(`${file}:${line} ${language}`).toMatch(/ (sh|ts|js|json|yaml|text)$/);
    if (notRun !== undefined) expect(notRun.length, `${file}:${line}: a reason`).toBeGreaterThan(10);
  }
  const page: Page = { folder: await project(), env: {} };
  try {
    // What the text takes for granted: an index.
    const shell = all.filter(({ language, notRun }) => language === "sh" && notRun === undefined);
    if (!shell.some(({ code }) => / add |\/files\//.test(code)))
      await run({ kind: "command", args: ["add", "docs"], ...page });
    for (const block of shell) await runShell(page, block, file);
    await stop(page);
    for (const block of all) {
      if (block.language === "yaml") for (const { errors } of parseAllDocuments(block.code)) expect(errors).toEqual([]);
      if (block.language === "json") jsonValues(block.code);
      if (!["ts", "js"].includes(block.language) || block.notRun !== undefined) continue;
      const script = join(page.folder, `line-${block.line}.ts`);
      await writeFile(script, await here(page, programOf(block)));
      const outcome = await run({ kind: "program", file: script, ...page });
      const where = { place: `${file}:${block.line}` };
      expect({ ...where, err: outcome.err }).toEqual({ ...where, err: "" });
    }
  } finally {
    await stop(page);
    await stop(page, "cluster");
    await rm(page.folder, { recursive: true, force: true });
  }
});

function programOf({ given = "", code }: CodeBlock): string {
  return `${given}\n${code}`;
}

/** A value, or one on each line. */
function jsonValues(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
}

test("the two READMEs hold the same programs and commands", async () => {
  // Comments and questions are in the language of the text.
  const inBoth = async (file: string) =>
    (await codeBlocks(file)).map(({ language, code }) =>
      language === "sh"
        ? code.replace(/\s+#.*$/gm, "")
        : code.replace(/ \/\/.*$/gm, "").replace(/ask\("[^"]*"/g, 'ask("…"'),
    );
  expect(await inBoth("README.zh-CN.md")).toEqual(await inBoth("README.md"));
});
