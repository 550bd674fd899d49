import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { terminal } from "../cli/fixtures.ts";
import { fakeCluster } from "../elasticsearch/fake-cluster.ts";

let folder: string;
let engine: Engine;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-copy-"));
  engine = await openEngine();
  await mkdir(join(folder, "docs"));
  for (let i = 0; i < 30; i++)
    await writeFile(
      join(folder, "docs", `${i}.md`),
      `# 假期 ${i}\n\n第${i}种假期有${i}天。 Leave number ${i} has ${i} days.`,
    );
});
afterEach(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

it("a collection goes to a cluster and back, and is searched and added to as before", async () => {
  const cluster = await fakeCluster(engine);
  const docs = join(folder, "docs");
  const here = await openCollection("leave", { data: join(folder, "a") });
  await here.add(docs);
  expect(await here.copyTo({ elasticsearch: cluster.url })).toMatchObject({
    files: 30,
    copied: 30,
    place: cluster.url,
    aborted: false,
  });
  const there = await openCollection("leave", { elasticsearch: cluster.url, create: false });
  expect(await there.copyTo({ data: join(folder, "b"), name: "back" })).toMatchObject({
    files: 30,
    passages: 30,
    name: "back",
  });
  const back = await openCollection("back", { data: join(folder, "b"), create: false });
  try {
    const expected = (await here.search("第7种假期")).map(({ node, score }) => [node.id, score]);
    for (const copy of [there, back]) {
      expect((await copy.search("第7种假期")).map(({ node, score }) => [node.id, score])).toEqual(expected);
      await writeFile(join(docs, "0.md"), `# 假期\n\n改了 ${copy.name}`);
      expect(await copy.add(docs)).toMatchObject({ replaced: 1, unchanged: 29 });
    }
    await expect(here.copyTo({ data: join(folder, "a") })).rejects.toMatchObject({ code: "COPY_FAILED" });
    expect(await here.copyTo({ data: join(folder, "a"), name: "twin" })).toMatchObject({
      files: 30,
      place: join(folder, "a"),
    });
  } finally {
    for (const collection of [here, there, back]) await collection.close();
    await cluster.close();
  }
});

it("a copy that was cut short is not taken for a collection until it is whole", async () => {
  let failing = true;
  // The files' records are copied, and half of the rest.
  const cluster = await fakeCluster(engine, ({ path, body }) =>
    failing && path === "/_bulk" && body.includes('"leave"')
      ? { status: 403, body: { error: { type: "security_exception", reason: "no right to write" } } }
      : undefined,
  );
  const run = async (...args: string[]) => {
    const { context, out, err } = terminal(undefined);
    context.openCollection = openCollection;
    return { exit: await main(args, context), out: out(), err: err() };
  };
  const a = join(folder, "a");
  await run("add", join(folder, "docs"), "-d", a, "-c", "leave");
  expect(await run("copy", a, cluster.url, "-c", "leave")).toMatchObject({
    exit: 1,
    err: expect.stringContaining("no right"),
  });
  await expect(openCollection("leave", { elasticsearch: cluster.url })).rejects.toMatchObject({
    code: "COLLECTION_INCOMPLETE",
  });
  failing = false;
  const { exit, out } = await run("copy", a, cluster.url, "-c", "leave", "--json");
  expect(exit).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ name: "leave", files: 30, documents: 30, resumed: true });
  expect((await run("status", "--elasticsearch", cluster.url, "-c", "leave")).out).toContain("30");
  expect(await run("copy", a, join(folder, "c"), "--index", "leave.files", "--as", "files")).toMatchObject({
    exit: 0,
    out: expect.stringContaining("files in"),
  });
  expect(await run("copy", a, a, "--index", "leave")).toMatchObject({ exit: 2 });
  expect(await run("copy", join(folder, "none"), a)).toMatchObject({ exit: 1, err: expect.stringContaining("none") });
  await cluster.close();
});
