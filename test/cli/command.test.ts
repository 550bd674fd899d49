import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackage, command, finished, root } from "../built.ts";

let folder: string;
const huiliu = (...args: string[]) => finished([command, ...args], { cwd: folder });
const json = async (...args: string[]) => {
  const { out } = await huiliu(...args, "--json");
  return JSON.parse(out);
};

beforeAll(async () => {
  await buildPackage();
  folder = await mkdtemp(join(tmpdir(), "huiliu-command-"));
  for (const lang of ["zh", "en"])
    for (const section of ["annual-leave-days", "marriage-leave", "probation", "sick-leave-pay"])
      await cp(join(root, "examples/handbook", lang, `${section}.md`), join(folder, "docs", lang, `${section}.md`));
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("before anything is indexed, every command says how to begin", async () => {
  for (const args of [["search", "x"], ["ask", "x"], ["list"], ["status"], ["remove", "x"]]) {
    const { code, out, err } = await huiliu(...args, "--data", "nothing");
    expect([args[0], code, out]).toEqual([args[0], 1, ""]);
    expect(err).toMatch(/^huiliu: there is no collection "documents" in nothing: add files to it first/);
  }
  const { code, err } = await huiliu("verify", "--data", "nothing");
  expect(code).toBe(1);
  expect(err).toMatch(/^huiliu: there is no data folder nothing: make one with huiliu add/);
});

test("files are indexed, found, asked about, listed and removed", async () => {
  await writeFile(join(folder, "docs", "broken.pdf"), "this is no PDF");
  const added = await huiliu("add", "docs");
  expect(added.out).toMatch(/^8 added, 1 failed: \d+ passages in \d+\.\d s\n$/);
  expect(added.err).toMatch(/^failed: docs\/broken\.pdf: ./m);
  expect(added.code).toBe(3);

  await rm(join(folder, "docs", "broken.pdf"));
  const again = await huiliu("add", "docs");
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^8 unchanged in /)]);

  const { hits } = await json("search", "年休假有几天");
  expect(hits[0]).toMatchObject({ rank: 1, file: "docs/zh/annual-leave-days.md", heading: "年休假天数" });
  const only = await json("search", "leave", "--filter", "level=员工");
  expect(new Set(only.hits.map((hit: { metadata: { level: string } }) => hit.metadata.level))).toEqual(
    new Set(["员工"]),
  );

  const shown = await huiliu("search", "marriage leave", "--top-k", "1", "--strategy", "bm25");
  expect(shown.out).toMatch(/^1 {2}\d+\.\d+ {2}docs\/en\/marriage-leave\.md/);
  expect(shown.out.trimEnd().split("\n").length).toBeGreaterThan(1);

  const answer = await huiliu("ask", "年休假有几天？");
  expect(answer.code).toBe(0);
  expect(answer.out).toMatch(
    /\[1\]\n[\s\S]*\nAn extract: [\s\S]*\n\[1\] docs\/zh\/annual-leave-days\.md › 年休假天数 \(\d\.\d+\)\n/,
  );

  expect(await json("status")).toMatchObject({ name: "documents", place: ".huiliu", documents: 8 });
  const removed = await huiliu("remove", "docs/en");
  expect(removed.out.split("\n").filter(Boolean)).toHaveLength(4);
  const { out } = await huiliu("list", "--json");
  const files = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).file);
  expect(files).toEqual(
    ["annual-leave-days", "marriage-leave", "probation", "sick-leave-pay"].map((id) => `docs/zh/${id}.md`),
  );
  const verified = await huiliu("verify");
  expect([verified.code, verified.out]).toEqual([
    0,
    expect.stringMatching(/^\d+ records and files checked in \.huiliu: nothing is damaged\n$/),
  ]);
});

test("files that are gone are removed on request", async () => {
  await rm(join(folder, "docs", "zh", "probation.md"));
  const { out } = await huiliu("add", "docs/zh", "--remove-vanished", "--json");
  expect(JSON.parse(out.trimEnd().split("\n").at(-1)!)).toMatchObject({ type: "summary", unchanged: 3, removed: 1 });
});

test("a path that is not there is named", async () => {
  const { code, err } = await huiliu("add", "no-such-folder");
  expect(code).not.toBe(0);
  expect(err).toContain("no-such-folder");
  expect(err).not.toMatch(/^ +at /m);
});

test("--version answers", async () => {
  const { code, out } = await huiliu("--version");
  expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});
