import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { terminal } from "./fixtures.ts";

let data: string;
beforeEach(() => {
  data = join(mkdtempSync(join(tmpdir(), "huiliu-keys-")), "data");
});
afterEach(() => rmSync(join(data, ".."), { recursive: true, force: true }));

async function run(...args: string[]) {
  const { context, out, err } = terminal();
  const exit = await main(["keys", ...args, "--data", data], context);
  return { exit, out: out(), err: err() };
}

describe("huiliu keys", () => {
  it("makes keys before there is any data, lists and revokes them", async () => {
    expect((await run("list")).out).toMatch(/^there are no keys/);
    const made = await run("create", "acme", "--filter", '{"term": {"tenant": "acme"}}', "--index", "docs-*", "--json");
    expect(made.exit).toBe(0);
    const { id, encoded, hash, ...key } = JSON.parse(made.out);
    expect(hash).toBeUndefined();
    expect(key).toMatchObject({
      name: "acme",
      role: "read",
      indices: ["docs-*"],
      filter: { term: { tenant: "acme" } },
    });
    const listed = await run("list");
    expect(listed.out).toContain(id);
    expect(listed.out).not.toContain(encoded);
    expect((await run("create", "e\u001b[31mvil", "--role", "admin")).out).not.toContain("\u001b");
    expect(await run("revoke", id, "none")).toMatchObject({ exit: 3, out: expect.stringContaining(id) });
    expect((await run("list", "--json")).out.trim().split("\n")).toHaveLength(1);
  });

  it.each([
    [["create"]],
    [["make", "x"]],
    [["list", "x"]],
    [["revoke"]],
    [["create", "x", "--role", "king"]],
    [["create", "x", "--filter", "{"]],
    [["create", "x", "--filter", "[]"]],
    [["create", "x", "--filter", '{"nothing": {}}']],
    [["create", "x", "--filter", '{"term": {"a": 1}}', "--role", "write"]],
    [["create", "x", "--index", "a", "--role", "admin"]],
    [["create", "x", "--filter", '{"terms": {"a": {"index": "b", "id": "1", "path": "c"}}}']],
    [["create", "x", "--filter", '{"range": {"until": {"gte": "now"}}}']],
    [["create", "x", "--filter", '{"knn": {"field": "v", "query_vector": [1]}}']],
  ])("refuses %j, and makes no key", async (args) => {
    expect((await run(...args)).exit).toBe(2);
    expect((await run("list")).out).toMatch(/^there are no keys/);
  });
});
