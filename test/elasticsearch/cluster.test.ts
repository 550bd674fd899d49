import { afterEach, describe, expect, it } from "vitest";
import { type ClusterOptions, isAtLeast, openCluster, requireIk } from "../../src/elasticsearch/cluster.ts";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { type Answer, type FakeCluster, fakeCluster } from "./fake-cluster.ts";
import { CERTIFICATE, FINGERPRINT, KEY } from "./tls.ts";

const running: FakeCluster[] = [];
afterEach(async () => {
  for (const cluster of running.splice(0)) await cluster.close();
});

async function started(...args: Parameters<typeof fakeCluster>): Promise<FakeCluster> {
  const cluster = await fakeCluster(...args);
  running.push(cluster);
  return cluster;
}

const answering = (answer: Answer) => started(undefined, () => answer);
const info = (version: Record<string, unknown>): Answer => ({ body: { cluster_name: "c", version } });
const failure = (options: ClusterOptions) =>
  openCluster(options).then(
    () => undefined,
    (error: unknown) => error as Error & { code: string; place: string },
  );
const quick = { maxRetries: 0 };

describe("what answers at the address", () => {
  it("is told by its version", async () => {
    const { url } = await answering(info({ number: "8.17.4" }));
    const cluster = await openCluster(url);
    expect(cluster).toMatchObject({ place: url, version: "8.17.4", name: "c" });
    await cluster.close();
  });

  it.each([
    [info({ number: "7.17.9" }), "Elasticsearch 7.17.9"],
    [info({ number: "9.1.0" }), "Elasticsearch 9.1.0"],
    [info({ number: "8.11.0", build_flavor: "serverless" }), "Serverless"],
    [
      { ...info({ number: "2.19.0", distribution: "opensearch" }), headers: { "x-elastic-product": "" } },
      "OpenSearch 2.19.0",
    ],
    [{ ...info({ number: "7.10.2" }), headers: { "x-elastic-product": "" } }, "Elasticsearch 7.10.2"],
    [{ body: { hello: "world" }, headers: { "x-elastic-product": "" } }, "not Elasticsearch"],
    [{ body: { hello: "world" } }, "not Elasticsearch"],
  ])("is refused when it is something else: %j", async (answer, words) => {
    const { url } = await answering(answer);
    expect(await failure(url)).toMatchObject({
      code: "CLUSTER_VERSION",
      place: url,
      message: expect.stringContaining(words),
    });
  });

  it.each([
    [{ status: 401, body: { error: { type: "security_exception", reason: "missing" } } }, "CLUSTER_CREDENTIALS"],
    [{ status: 403, body: { error: { type: "security_exception", reason: "no right to [x]" } } }, "CLUSTER_FORBIDDEN"],
    [{ status: 429, body: { error: { type: "circuit_breaking_exception", reason: "much" } } }, "CLUSTER_OVERLOADED"],
    [{ status: 503, body: { error: { type: "cluster_block_exception", reason: "no master" } } }, "CLUSTER_OVERLOADED"],
  ])("may refuse: %j", async (answer, code) => {
    const { url } = await answering(answer);
    expect(await failure({ node: url, ...quick })).toMatchObject({ code, place: url, status: answer.status });
  });

  it("may be nothing, no server, silence, or a closed connection", async () => {
    const gone = await answering({});
    await gone.close();
    expect(await failure({ node: gone.url, ...quick })).toMatchObject({
      code: "CLUSTER_UNREACHABLE",
      message: expect.stringContaining("nothing answers there"),
    });
    const silent = await started(undefined, () => "done");
    expect(await failure({ node: silent.url, requestTimeout: 30, ...quick })).toMatchObject({
      code: "CLUSTER_TIMEOUT",
    });
    const closing = await started(undefined, (_, response) => {
      response.destroy();
      return "done";
    });
    expect(await failure({ node: closing.url, ...quick })).toMatchObject({
      code: "CLUSTER_UNREACHABLE",
      message: expect.stringContaining("https://"),
    });
  });
});

describe("a secured cluster", () => {
  it("needs its certificate authority, or the fingerprint of it", async () => {
    const { url } = await started(undefined, () => info({ number: "8.17.4" }), { key: KEY, cert: CERTIFICATE });
    expect(await failure({ node: url, ...quick })).toMatchObject({
      code: "CLUSTER_TLS",
      message: expect.stringContaining("HUILIU_ELASTICSEARCH_CA"),
    });
    expect(
      await failure({
        node: url,
        caFingerprint: FINGERPRINT.replace("AC", "AD"),
        tls: { rejectUnauthorized: false },
        ...quick,
      }),
    ).toMatchObject({
      code: "CLUSTER_TLS",
    });
    for (const known of [
      { tls: { ca: CERTIFICATE } },
      { caFingerprint: FINGERPRINT, tls: { rejectUnauthorized: false } },
    ]) {
      await (await openCluster({ node: url, ...known })).close();
    }
  });

  it("is shown the credentials, which no error repeats", async () => {
    const cluster = await started(undefined, ({ headers }) =>
      headers.authorization
        ? { status: 401, body: { error: { type: "security_exception" } } }
        : info({ number: "8.1.0" }),
    );
    const withPassword = cluster.url.replace("http://", "http://elastic:s3cret@");
    for (const options of [
      withPassword,
      { node: withPassword },
      { node: cluster.url, auth: { apiKey: "s3cret" } },
      { node: cluster.url, auth: { username: "elastic", password: "s3cret" } },
    ]) {
      const error = await failure(options);
      expect(error).toMatchObject({ code: "CLUSTER_CREDENTIALS", place: cluster.url });
      expect(error!.message).not.toContain("s3cret");
      expect(error!.stack).not.toContain("s3cret");
    }
    expect(cluster.seen.map(({ headers }) => headers.authorization)).toContain("ApiKey s3cret");
  });

  it.each(["search.example", "elastic:s3cret@host", "", "ftp://elastic:s3cret@host"])(
    "needs an address: %s",
    async (address) => {
      const error = await failure(address);
      expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(error!.message).not.toContain("s3cret");
    },
  );
});

it("errors of requests keep what Elasticsearch says, except where the cluster is to blame", async () => {
  const engine = await openEngine();
  const licence = "current license is non-compliant for [query rules]";
  let busy = false;
  const { url } = await started(engine, ({ body }) => {
    if (busy) return { status: 429, body: { error: { type: "es_rejected_execution_exception", reason: "queue" } } };
    if (body.includes("rule")) return { status: 403, body: { error: { type: "security_exception", reason: licence } } };
    return undefined;
  });
  const { client, close } = await openCluster({ node: url, ...quick });
  try {
    await expect(client.search({ index: "none" })).rejects.toMatchObject({ name: "ResponseError", statusCode: 404 });
    await expect(
      client.search({
        index: "none",
        retriever: { rule: { ruleset_ids: ["a"], match_criteria: {}, retriever: { standard: {} } } },
      }),
    ).rejects.toMatchObject({
      name: "ResponseError",
      statusCode: 403,
    });
    busy = true;
    await expect(client.search({ index: "none" })).rejects.toMatchObject({ code: "CLUSTER_OVERLOADED", place: url });
  } finally {
    await close();
    await engine.close();
  }
});

it("a cluster without IK is told how to get it, for its very version", async () => {
  const { url } = await started(undefined, ({ path }) =>
    path === "/"
      ? info({ number: "8.15.2" })
      : {
          status: 400,
          body: { error: { type: "illegal_argument_exception", reason: "failed to find global analyzer" } },
        },
  );
  const cluster = await openCluster(url);
  await expect(requireIk(cluster)).rejects.toMatchObject({
    code: "CLUSTER_ANALYSIS",
    message: expect.stringMatching(/elasticsearch-plugin install \S+8\.15\.2/),
  });
  await cluster.close();
});

it("versions compare by their numbers", () => {
  expect(isAtLeast("8.9.2", [8, 11])).toBe(false);
  expect(isAtLeast("8.11.0-SNAPSHOT", [8, 11])).toBe(true);
  expect(isAtLeast("8.17.4", [8, 11])).toBe(true);
});
