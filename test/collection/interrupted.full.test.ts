/** A tree of mixed files, indexed at one go and with two interruptions: the same documents, and the same scores once merged. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { buildPackage, command, finished } from "../built.ts";
import { seededRandom } from "../random.ts";

const FILES = 400;
const WORDS =
  "annual leave request manager approval days working holiday sick certificate hospital payment month salary overtime remote contract " +
  "probation training travel expense receipt insurance family child birth marriage 年休假 病假 婚假 产假 审批 主管 工资 加班 天数 证明 试用期";

let folder: string;
beforeAll(async () => {
  await buildPackage();
  folder = await mkdtemp(join(tmpdir(), "huiliu-interrupted-"));
  const random = seededRandom(5);
  const vocabulary = WORDS.split(" ");
  const word = () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)]!;
  const sentence = () => `${Array.from({ length: 4 + Math.floor(random() * 12) }, word).join(" ")}. `;
  const text = (n: number) => Array.from({ length: n }, sentence).join("");
  const kinds: [string, () => string][] = [
    ["md", () => `---\ncategory: ${word()}\n---\n\n# ${sentence()}\n\n${text(20)}\n\n## ${word()}\n\n${text(15)}\n`],
    ["txt", () => text(Math.floor(random() * 60))],
    ["html", () => `<html><title>${word()}</title><h1>${word()}</h1><p>${text(12)}</p><p>${text(9)}</p></html>`],
    ["json", () => JSON.stringify({ title: word(), body: text(10), list: [word(), word()] })],
    ["csv", () => `name,text\n${Array.from({ length: 8 }, () => `${word()},"${sentence()}"`).join("\n")}\n`],
  ];
  for (let i = 0; i < FILES; i++) {
    const [extension, make] = kinds[i % kinds.length]!;
    await mkdir(join(folder, "docs", String(i % 7)), { recursive: true });
    await writeFile(join(folder, "docs", String(i % 7), `${i}.${extension}`), make());
  }
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function add(data: string, stop?: { signal: "SIGINT" | "SIGKILL"; afterFiles: number }): Promise<number | null> {
  let sent = false;
  const { code } = await finished([command, "add", "docs", "--data", data, "--json"], {
    cwd: folder,
    onOut(out, kill) {
      if (!stop || sent || out.split("\n").length <= stop.afterFiles) return;
      sent = true;
      kill(stop.signal);
    },
  });
  return code;
}

/** Every passage's source, and the scores of some searches after a force merge. */
async function contents(data: string) {
  const engine = await openEngine({ data: join(folder, data) });
  try {
    const client = engine.client();
    await client.indices.forcemerge({ index: "documents", max_num_segments: 1 });
    const all = await client.search({ index: "documents", size: 10_000, query: { match_all: {} } });
    const sources = new Map(all.hits.hits.map((hit) => [hit._id!, JSON.stringify(hit._source)]));
    const records = await client.search<{ file: string; passages: number; state: string }>({
      index: "documents.files",
      size: 10_000,
    });
    const files = records.hits.hits.map(({ _source }) => `${_source!.file} ${_source!.state} ${_source!.passages}`);
    const scores: Record<string, string[]> = {};
    for (const query of ["annual leave", "年休假", "manager approval of overtime", "probation 试用期 病假"]) {
      const fields = ["content", "content.cjk^0.5", "content.english"];
      const found = await client.search({
        index: "documents",
        size: 10_000,
        query: { multi_match: { query, fields, type: "most_fields" } },
        _source: false,
      });
      scores[query] = found.hits.hits.map((hit) => `${hit._id} ${hit._score}`).sort();
    }
    return { sources: [...sources].sort(), files: files.sort(), scores };
  } finally {
    await engine.close();
  }
}

it("gives the same index with Ctrl-C and kill -9 between", async () => {
  const one = await add("whole");
  expect(await add("broken", { signal: "SIGINT", afterFiles: 90 })).toBe(130);
  await add("broken", { signal: "SIGKILL", afterFiles: 200 });
  expect(await add("broken")).toBe(one);
  const whole = await contents("whole");
  expect(whole.sources.length).toBeGreaterThan(FILES);
  expect(await contents("broken")).toEqual(whole);
}, 300_000);
