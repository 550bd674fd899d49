/** Where the command finds its cluster, and what it shows it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { fakeCluster } from "../elasticsearch/fake-cluster.ts";
import { CERTIFICATE } from "../elasticsearch/tls.ts";
import { terminal } from "./fixtures.ts";

let folder: string;
let config: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-place-"));
  config = join(folder, "huiliu.config.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What `list` opens. */
async function opened(args: string[], env: Record<string, string> = {}, settings?: unknown) {
  if (settings !== undefined) await writeFile(config, JSON.stringify(settings));
  const { context, opened, err } = terminal({ list: async function* () {} }, { env });
  const exit = await main(
    ["list", "--json", ...(settings === undefined ? [] : ["--config", config]), ...args],
    context,
  );
  return { exit, err: err(), options: opened[0]?.options };
}

const A = "https://a.example:9200";
const B = "https://b.example:9200";

test("an address is an option, a variable or a setting, in that order", async () => {
  const setting = { elasticsearch: "https://file.example:9200" };
  const env = { HUILIU_ELASTICSEARCH: B };
  expect((await opened([], {}, setting)).options).toMatchObject({ elasticsearch: { node: setting.elasticsearch } });
  expect((await opened([], env, setting)).options).toMatchObject({ elasticsearch: { node: B } });
  expect((await opened(["--elasticsearch", A], env, setting)).options).toMatchObject({ elasticsearch: { node: A } });
  const { options } = await opened(["--elasticsearch", "prod:ZXUtd2VzdC0xLmF3cy5mb3VuZC5pbyRhYmMk"]);
  expect(options).toMatchObject({ elasticsearch: { cloud: { id: expect.stringMatching(/^prod:/) } } });
});

test("a folder that is named nearer is meant instead", async () => {
  const setting = { elasticsearch: A };
  for (const { options } of [
    await opened(["--data", "here"], {}, setting),
    await opened(["--data", "here"], { HUILIU_ELASTICSEARCH: A }),
    await opened([], { HUILIU_DATA: "here" }, setting),
  ])
    expect(options).toEqual({ data: "here", readOnly: true });
  expect((await opened(["--data", "here", "--elasticsearch", A])).options).toMatchObject({
    elasticsearch: { node: A },
  });
  expect((await opened([], {}, { ...setting, data: "here" })).options).toMatchObject({ elasticsearch: { node: A } });
});

test("secrets come from the environment", async () => {
  const ca = join(folder, "ca.pem");
  await writeFile(ca, CERTIFICATE);
  const key = { HUILIU_ELASTICSEARCH_API_KEY: "s3cret" };
  expect((await opened(["--elasticsearch", A], key)).options).toMatchObject({
    elasticsearch: { auth: { apiKey: "s3cret" } },
  });
  const user = { HUILIU_ELASTICSEARCH_USERNAME: "elastic", HUILIU_ELASTICSEARCH_PASSWORD: "s3cret" };
  expect((await opened(["--elasticsearch", A], { ...user, HUILIU_ELASTICSEARCH_CA: ca })).options).toMatchObject({
    elasticsearch: { auth: { username: "elastic", password: "s3cret" }, tls: { ca: Buffer.from(CERTIFICATE) } },
  });
  const settings = {
    elasticsearch: { node: A, apiKeyEnv: "MY_KEY", ca: "ca.pem", requestTimeoutMs: 5, maxRetries: 0 },
  };
  expect((await opened([], { MY_KEY: "mine" }, settings)).options).toMatchObject({
    elasticsearch: {
      auth: { apiKey: "mine" },
      tls: { ca: Buffer.from(CERTIFICATE) },
      requestTimeout: 5,
      maxRetries: 0,
    },
  });
  // The address again keeps the rest of the setting; another server does not get the first one's key.
  expect((await opened(["--elasticsearch", A], { MY_KEY: "mine" }, settings)).options).toMatchObject({
    elasticsearch: { node: A, auth: { apiKey: "mine" } },
  });
  expect((await opened(["--elasticsearch", B], { MY_KEY: "mine" }, settings)).options).toMatchObject({
    elasticsearch: { node: B },
  });
  expect(
    (await opened(["--elasticsearch", B], { MY_KEY: "mine" }, settings)).options?.elasticsearch,
  ).not.toHaveProperty("auth");
});

test("what cannot be used is refused, and no secret is repeated", async () => {
  for (const [args, env, settings] of [
    [["--elasticsearch", "elastic:s3cret@host"], {}, undefined],
    [["--elasticsearch", A], { HUILIU_ELASTICSEARCH_USERNAME: "elastic" }, undefined],
    [["--elasticsearch", A], { HUILIU_ELASTICSEARCH_CA: "/no/such/file" }, undefined],
    [[], {}, { elasticsearch: { node: A, apiKeyEnv: "NONE" } }],
    [[], {}, { elasticsearch: { node: A, password: "s3cret" } }],
    [[], {}, { elasticsearch: { node: A, apiKey: "s3cret" } }],
    [[], {}, { elasticsearch: "https://elastic:s3cret@host:9200" }],
    [[], {}, { elasticsearch: { node: "https://elastic:s3cret@host:9200" } }],
    [[], {}, { elasticsearch: { nodes: [A] } }],
    [[], {}, { elasticsearch: { node: A, verify: false } }],
  ] as [string[], Record<string, string>, unknown][]) {
    const { exit, err, options } = await opened(args, env, settings);
    expect(options).toBeUndefined();
    expect(exit).toBe(2);
    expect(err).not.toContain("s3cret");
  }
});

test("doctor connects and says what is there", async () => {
  const engine = await openEngine();
  const cluster = await fakeCluster(engine);
  const address = cluster.url.replace("http://", "http://elastic:s3cret@");
  try {
    for (const [url, status, words] of [
      [address, "ok", `${cluster.url}: Elasticsearch 8.17.4`],
      ["http://127.0.0.1:1", "failed", "nothing answers"],
    ]) {
      const { context, out } = terminal();
      await main(["doctor", "--json", "--elasticsearch", url!], context);
      const { checks } = JSON.parse(out()) as { checks: { name: string; status: string; detail: string }[] };
      expect(checks.find(({ name }) => name === "cluster")).toMatchObject({
        status,
        origin: "option",
        detail: expect.stringContaining(words!),
      });
      expect(out()).not.toContain("s3cret");
    }
  } finally {
    await cluster.close();
    await engine.close();
  }
});
