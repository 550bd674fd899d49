import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPackage, command, finished, root } from "../built.ts";
import { blocks } from "./markdown.ts";

/** The address of a model in the texts; a server of the test takes its place. */
const MODEL = "http://localhost:11434";
let model: Server;

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
}, 180_000);
afterAll(() => model.close());

const withModel = (text: string) => text.replaceAll(MODEL, `http://127.0.0.1:${(model.address() as AddressInfo).port}`);

/** A user's project: the package installed, and documents in docs/. */
async function project(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "huiliu-docs-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(root, join(folder, "node_modules", "huiliu"), "dir");
  // What some texts have their readers install beside it.
  for (const name of ["@modelcontextprotocol", "@langchain"])
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name), "dir");
  for (const lang of ["zh", "en"])
    for (const section of ["annual-leave-days", "marriage-leave", "appeals", "personal-leave"])
      await cp(join(root, "examples/handbook", lang, `${section}.md`), join(folder, "docs", lang, `${section}.md`));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

/** Words of a line of shell, without its comment. */
function words(line: string): string[] {
  const found = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  const comment = found.findIndex((word) => word.startsWith("#"));
  return (comment < 0 ? found : found.slice(0, comment)).map((word) => word.replace(/^(["'])(.*)\1$/s, "$2"));
}

describe.each([
  "README.md",
  "docs/getting-started.md",
  "docs/analysis.md",
  "docs/embedding.md",
  "docs/data-folder.md",
  "docs/agents.md",
])("%s", (file) => {
  test("its programs and commands run, in order", { timeout: 120_000 }, async () => {
    const folder = await project();
    try {
      const commands = (await blocks(file, "sh"))
        .flatMap((block) => block.split("\n"))
        .filter((line) => line.startsWith("npx huiliu "));
      // What the text takes for granted: an index.
      if (!commands.some((line) => line.includes(" add "))) await finished([command, "add", "docs"], { cwd: folder });
      for (const line of commands) {
        const args = words(withModel(line)).slice(2);
        // These need a package and a key, or do not end; the full tests of the command run a server.
        if (args[0] === "serve" || args.some((word) => word.startsWith("openai/"))) continue;
        const { code, err } = await finished([command, ...args], { cwd: folder });
        expect({ line, code, err: code === 0 ? "" : err }).toEqual({ line, code: 0, err: "" });
      }
      for (const [i, block] of (await blocks(file, "ts")).entries()) {
        const script = join(folder, `block-${i}.ts`);
        await writeFile(script, withModel(block));
        const tsx = join(root, "node_modules/tsx/dist/loader.mjs");
        const { code, out, err } = await finished(["--import", tsx, script], { cwd: folder });
        expect({ block, code, err: code === 0 ? "" : err }).toEqual({ block, code: 0, err: "" });
        expect(out).not.toBe("");
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test("the two READMEs hold the same programs and commands", async () => {
  // Comments and questions are in the language of the text.
  const ts = async (file: string) =>
    (await blocks(file, "ts")).map((block) => block.replace(/ \/\/.*$/gm, "").replace(/ask\("[^"]*"/g, 'ask("…"'));
  const sh = async (file: string) => (await blocks(file, "sh")).map((block) => block.replace(/\s+#.*$/gm, ""));
  expect(await ts("README.zh-CN.md")).toEqual(await ts("README.md"));
  expect(await sh("README.zh-CN.md")).toEqual(await sh("README.md"));
});

test("every local link of the documentation leads somewhere", async () => {
  for (const file of [
    "README.md",
    "README.zh-CN.md",
    "CONTRIBUTING.md",
    "ARCHITECTURE.md",
    "docs/getting-started.md",
    "docs/analysis.md",
    "docs/embedding.md",
    "docs/models.md",
    "docs/data-folder.md",
    "docs/search-and-fusion.md",
    "docs/agents.md",
    "docs/server.md",
  ]) {
    const text = await readFile(join(root, file), "utf8");
    for (const [, target] of text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g))
      await expect(readFile(join(root, file, "..", target!)), `${file} → ${target}`).resolves.toBeDefined();
  }
});
