/** Copies between two clusters that want to be shown different things. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { document } from "../../src/schema/index.ts";
import { type Answer, type FakeCluster, fakeCluster, type Seen } from "../elasticsearch/fake-cluster.ts";
import { CERTIFICATE, KEY } from "../elasticsearch/tls.ts";
import { terminal } from "./fixtures.ts";

const OLD = "ApiKey old-s3cret";
const NEW = "ApiKey new-s3cret";
const USER = `Basic ${Buffer.from("elastic:pass-s3cret").toString("base64")}`;
const ENV = { OLD_KEY: "old-s3cret", NEW_KEY: "new-s3cret", NEW_PASSWORD: "pass-s3cret" };
const DOCUMENTS = 450;

let folder: string;
let ca: string;
let from: { engine: Engine; cluster: FakeCluster };
let to: { engine: Engine; cluster: FakeCluster };
/** Fails the target's bulk requests from one on. */
let bulksLeft: number;

const wanted =
  (keys: readonly string[], also: (seen: Seen) => Answer | undefined = () => undefined) =>
  (seen: Seen): Answer | undefined => {
    if (keys.includes(seen.headers.authorization ?? "")) return also(seen);
    const reason = "unable to authenticate";
    return { status: 401, body: { error: { type: "security_exception", reason, root_cause: [] }, status: 401 } };
  };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-copies-"));
  ca = join(folder, "ca.pem");
  await writeFile(ca, CERTIFICATE);
  bulksLeft = Number.POSITIVE_INFINITY;
  const [source, target] = [await openEngine(), await openEngine()];
  from = { engine: source, cluster: await fakeCluster(source, wanted([OLD])) };
  const failing = ({ path }: Seen): Answer | undefined => {
    if (!path.endsWith("_bulk") || bulksLeft-- > 0) return undefined;
    return {
      status: 403,
      body: { error: { type: "security_exception", reason: "no more", root_cause: [] }, status: 403 },
    };
  };
  to = {
    engine: target,
    cluster: await fakeCluster(target, wanted([NEW, USER], failing), { key: KEY, cert: CERTIFICATE }),
  };
  const operations = Array.from({ length: DOCUMENTS }, (_, i) => [{ index: { _id: `${i}` } }, { n: i }]).flat();
  await source.client().bulk({ index: "books", refresh: true, operations });
});
afterEach(async () => {
  for (const { engine, cluster } of [from, to]) {
    await cluster.close();
    await engine.close();
  }
  await rm(folder, { recursive: true, force: true });
});

async function copied(args: readonly string[], env: Record<string, string> = ENV, index = ["--index", "books"]) {
  const { context, out, err } = terminal({}, { env });
  const places = [from.cluster.url, to.cluster.url];
  const opening = { ...context, openCollection };
  const exit = await main(["copy", ...places, "--json", "--quiet", ...index, ...args], opening);
  expect(out() + err()).not.toContain("s3cret");
  return { exit, err: err(), ...(exit === 0 ? { result: JSON.parse(out()) as Record<string, unknown> } : {}) };
}

const keys = () => ["--from-api-key-env", "OLD_KEY", "--to-api-key-env", "NEW_KEY", "--to-ca", ca];

test("each cluster is shown its own key, and the target's certificate authority is known", async () => {
  expect(await copied(keys())).toMatchObject({ exit: 0, result: { documents: DOCUMENTS, copied: DOCUMENTS } });
  expect((await to.engine.client().count({ index: "books" })).count).toBe(DOCUMENTS);
  const shown = ({ cluster }: typeof from) => [...new Set(cluster.seen.map(({ headers }) => headers.authorization))];
  expect([shown(from), shown(to)]).toEqual([[OLD], [NEW]]);
});

test("a collection goes over with its files, and is searched there with the target's key", async () => {
  const original = await openCollection("notes", { elasticsearch: from.engine.client() });
  await original.addDocuments([document({ id: "leave.md", text: "Annual leave is ten days." })]);
  const { result } = await copied(keys(), ENV, ["--collection", "notes", "--as", "library"]);
  expect(result).toMatchObject({ name: "library", documents: 1, files: 1 });
  const copy = await openCollection("library", {
    elasticsearch: { node: to.cluster.url, auth: { apiKey: ENV.NEW_KEY }, tls: { ca: CERTIFICATE } },
    readOnly: true,
  });
  expect((await copy.search("annual leave")).map(({ node }) => node.text)).toEqual(["Annual leave is ten days."]);
  await copy.close();
});

test("a copy that the target cut short goes on with the same command", async () => {
  bulksLeft = 1;
  const cut = await copied(keys());
  expect(cut).toMatchObject({ exit: 1, err: expect.stringContaining("run the same command to go on") });
  await to.engine.client().indices.refresh({ index: "books" });
  const { count } = await to.engine.client().count({ index: "books" });
  expect(count).toBeGreaterThan(0);
  expect(count).toBeLessThan(DOCUMENTS);
  bulksLeft = Number.POSITIVE_INFINITY;
  const { result } = await copied(keys());
  expect(result).toMatchObject({ documents: DOCUMENTS, copied: DOCUMENTS - count, resumed: true });
});

test("a user who is named goes before a key that the environment has for any cluster", async () => {
  const env = { ...ENV, HUILIU_ELASTICSEARCH_API_KEY: "old-s3cret" };
  const user = ["--to-username", "elastic", "--to-password-env", "NEW_PASSWORD", "--to-ca", ca];
  expect((await copied(user, env)).exit).toBe(0);
  expect(to.cluster.seen.every(({ headers }) => headers.authorization === USER)).toBe(true);
});

test("with the wrong one's key, or without the authority, the error names the remedy", async () => {
  expect(await copied(["--from-api-key-env", "NEW_KEY", "--to-api-key-env", "NEW_KEY", "--to-ca", ca])).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/credentials|API key/i),
  });
  expect(await copied(keys().slice(0, 4))).toMatchObject({ exit: 1, err: expect.stringMatching(/certificate|TLS/i) });
  expect(await copied(["--from-api-key-env", "MISSING"])).toMatchObject({
    exit: 2,
    err: expect.stringContaining("MISSING"),
  });
});

test("what is for a cluster is refused for a folder", async () => {
  const { context, err } = terminal({}, { env: ENV });
  const exit = await main(
    ["copy", folder, to.cluster.url, "--index", "books", "--from-api-key-env", "OLD_KEY"],
    context,
  );
  expect([exit, err()]).toEqual([
    2,
    expect.stringContaining(`--from-api-key-env is for a cluster, and ${folder} is a folder`),
  ]);
});
