import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { createKey, keysFile, type NewKey, readKeys, revokeKeys } from "../../src/server/access/keys.ts";
import { type ServeOptions, type Serving, serve } from "../../src/server/serve.ts";

let folder: string;
let engine: Engine;
let server: Serving;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "huiliu-keys-"));
  engine = await openEngine({ data: folder });
});
afterEach(async () => {
  await server?.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (options: Partial<ServeOptions> = {}) => {
  server = await serve({
    engine,
    port: 0,
    collection: "notes",
    openCollection: (name, client, { write = false, create = false }) =>
      openCollection(name, { elasticsearch: client, readOnly: !write, create }),
    ...options,
  });
};
const key = (options: Partial<NewKey> = {}) => createKey(folder, { name: "k", role: "read", ...options });

async function ask(method: string, path: string, authorization?: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) };
}

describe("keys", () => {
  it("are needed from the first one on, the last one's revocation included", async () => {
    await start();
    expect((await ask("GET", "/")).status).toBe(200);
    const { key: made, encoded } = key({ role: "admin" });
    const refused = await ask("GET", "/_search");
    expect(refused).toMatchObject({
      status: 401,
      json: {
        status: 401,
        error: {
          type: "security_exception",
          reason: "missing authentication credentials for REST request [/_search]",
          header: { "WWW-Authenticate": ["ApiKey", 'Bearer realm="security"'] },
        },
      },
    });
    expect(refused.headers.get("www-authenticate")).toBe('ApiKey, Bearer realm="security"');
    expect((await ask("GET", "/", `ApiKey ${encoded}`)).status).toBe(200);
    expect((await ask("GET", "/", `bearer ${encoded}`)).status).toBe(200);
    expect(revokeKeys(folder, [made.id, "none"])).toHaveLength(1);
    expect((await ask("GET", "/", `ApiKey ${encoded}`)).status).toBe(401);
    expect((await ask("GET", "/")).status).toBe(401);
  });

  it("are kept as hashes, in a file that only its owner reads", () => {
    const { key: made, encoded } = key();
    const secret = Buffer.from(encoded, "base64").toString().split(":")[1]!;
    expect(readFileSync(keysFile(folder), "utf8")).not.toContain(secret);
    expect(statSync(keysFile(folder)).mode & 0o777).toBe(0o600);
    expect(readKeys(folder)).toEqual([made]);
  });

  it("are taken only as they were given out", async () => {
    const { key: made, encoded } = key();
    const { encoded: other } = key();
    await start();
    const [, secret] = Buffer.from(other, "base64").toString().split(":");
    const mixed = Buffer.from(`${made.id}:${secret}`).toString("base64");
    for (const given of [
      `ApiKey ${mixed}`,
      `Basic ${encoded}`,
      `ApiKey ${made.id}`,
      `ApiKey ${encoded.slice(0, -4)}`,
      `ApiKey ${Buffer.from(`${made.id}:${made.hash}`).toString("base64")}`,
      "ApiKey",
      "",
      "ApiKey 员",
    ].filter((each) => !/[^\x20-\x7e]/.test(each)))
      expect((await ask("GET", "/", given)).status, given).toBe(401);
  });

  it("are not asked of health and of the description of routes, and of nothing else", async () => {
    key();
    await start();
    expect((await ask("GET", "/_huiliu/health")).status).toBe(200);
    expect((await ask("GET", "/_huiliu/openapi.json")).status).toBe(200);
    for (const path of [
      "/",
      "/_huiliu/metrics",
      "/_huiliu/health/",
      "/_huiliu//health",
      "/_huiliu/%68ealth",
      "/_mcp",
      "/_ui",
      "/_ui/../_search",
    ])
      expect((await ask("POST", path)).status, path).toBe(401);
  });

  it("let nobody in while their file cannot be read", async () => {
    const { encoded } = key();
    await start();
    writeFileSync(keysFile(folder), "{");
    for (const given of [undefined, `ApiKey ${encoded}`])
      expect(await ask("GET", "/_search", given)).toMatchObject({
        status: 503,
        json: { error: { type: "security_exception" } },
      });
  });

  it("are needed before others can reach the server", async () => {
    await expect(start({ host: "0.0.0.0" })).rejects.toThrow(/needs a key: make one with huiliu keys create/);
    await expect(
      serve({
        engine: await memory(),
        host: "::",
        port: 0,
        collection: "x",
        openCollection: (name) => openCollection(name),
      }),
    ).rejects.toThrow(/needs a key/);
    const { encoded } = key();
    await start({ host: "0.0.0.0" });
    const { port } = server;
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(401);
    const authorization = `ApiKey ${encoded}`;
    expect((await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization } })).status).toBe(200);
  });

  it("do what their role says", async () => {
    const read = `ApiKey ${key().encoded}`;
    const write = `ApiKey ${key({ role: "write" }).encoded}`;
    const admin = `ApiKey ${key({ role: "admin" }).encoded}`;
    await start();
    const tried = async (method: string, path: string, body?: unknown) => {
      const statuses = [];
      for (const each of [read, write, admin]) statuses.push((await ask(method, path, each, body)).status);
      return statuses;
    };
    expect(await tried("PUT", "/docs/_doc/1?refresh=true", { title: "one" })).toEqual([403, 201, 200]);
    expect(await tried("GET", "/docs/_search")).toEqual([200, 200, 200]);
    expect(await tried("PUT", "/docs/_settings", { "index.refresh_interval": "5s" })).toEqual([403, 403, 200]);
    expect(await tried("PUT", "/_huiliu/collections/notes", {})).toEqual([403, 200, 200]);
    expect(await tried("GET", "/_huiliu/collections/notes")).toEqual([200, 200, 200]);
    expect(await tried("DELETE", "/docs")).toEqual([403, 403, 200]);
    const { json } = await ask("DELETE", "/docs", read);
    expect(json.error.reason).toMatch(/^\[DELETE \/docs\] is not allowed to the key \[k\] \(.*, read\)$/);
  });

  it("for some indices know of no others", async () => {
    const admin = `ApiKey ${key({ role: "admin" }).encoded}`;
    const some = `ApiKey ${key({ role: "write", indices: ["a-*"] }).encoded}`;
    await start();
    for (const index of ["a-1", "b-1"]) await ask("PUT", `/${index}/_doc/1?refresh=true`, admin, { title: "one" });
    await ask("PUT", "/b-1/_alias/a-alias", admin);
    expect((await ask("GET", "/_search", some)).json.hits.hits.map(({ _index }: { _index: string }) => _index)).toEqual(
      ["a-1"],
    );
    for (const path of ["/b-1/_search", "/a-alias/_search", "/b-1/_doc/1", "/b-1"])
      expect((await ask("GET", path, some)).status, path).toBe(404);
    expect((await ask("PUT", "/b-1/_doc/2", some, { title: "two" })).status).toBe(403);
    expect((await ask("PUT", "/b-2", some, {})).status).toBe(403);
    expect((await ask("PUT", "/a-2", some, { aliases: { "b-all": {} } })).status).toBe(403);
    expect((await ask("PUT", "/a-2", some, {})).status).toBe(200);
    expect(Object.keys((await ask("GET", "/*/_mapping", some)).json)).toEqual(["a-1", "a-2"]);
    expect(JSON.stringify((await ask("GET", "/_stats", some)).json)).not.toContain("b-1");
    expect((await ask("GET", "/_cluster/health", some)).status).toBe(403);
    expect((await ask("GET", "/_huiliu/metrics", some)).status).toBe(403);
    expect((await ask("GET", "/b-1/_count", admin)).json.count).toBe(1);
  });

  it("for one collection find in it, add to it, and see its jobs alone", async () => {
    const admin = `ApiKey ${key({ role: "admin" }).encoded}`;
    const notes = `ApiKey ${key({ role: "write", indices: ["notes"] }).encoded}`;
    await start();
    for (const name of ["notes", "secret"]) {
      await ask("PUT", `/_huiliu/collections/${name}`, admin, {});
      const documents = [{ id: "a", text: `words of ${name}` }];
      expect(
        (await ask("POST", `/_huiliu/collections/${name}/documents`, name === "notes" ? notes : admin, { documents }))
          .status,
      ).toBe(202);
    }
    const { json } = await ask("GET", "/_huiliu/jobs", notes);
    expect(json.jobs.map(({ collection }: { collection: string }) => collection)).toEqual(["notes"]);
    const all = (await ask("GET", "/_huiliu/jobs", admin)).json.jobs as { id: string; collection: string }[];
    const other = all.find(({ collection }) => collection === "secret")!;
    expect((await ask("DELETE", `/_huiliu/jobs/${other.id}`, notes)).status).toBe(404);
    await expect
      .poll(async () => (await ask("GET", "/_huiliu/collections/notes", notes)).json.documents, { timeout: 60_000 })
      .toBe(1);
    expect((await ask("GET", "/_huiliu/collections", notes)).json).toEqual({ collections: [{ name: "notes" }] });
    expect((await ask("GET", "/_huiliu/collections/secret", notes)).status).toBe(404);
    expect((await ask("POST", "/_huiliu/collections/secret/search", notes, { query: "words" })).status).toBe(404);
    expect((await ask("PUT", "/_huiliu/collections/another", notes, {})).status).toBe(403);
  });
});

async function memory(): Promise<Engine> {
  return openEngine();
}
