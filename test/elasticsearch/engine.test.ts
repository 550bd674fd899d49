import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Client, errors } from "@elastic/elasticsearch";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/elasticsearch/assets.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";

let engine: Engine;
let es: Client;
beforeEach(async () => {
  engine = await openEngine();
  es = engine.client();
});
afterEach(() => engine.close());

const folders: string[] = [];
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), "huiliu-engine-"));
  folders.push(made);
  return made;
};
afterAll(() => {
  for (const made of folders) rmSync(made, { recursive: true, force: true });
});

describe("the official client, in process", () => {
  it("writes and reads documents", async () => {
    await es.index({ index: "books", id: "一/二", document: { title: "员工手册", pages: 12 }, refresh: true });
    expect(await es.get({ index: "books", id: "一/二" })).toMatchObject({
      found: true,
      _source: { title: "员工手册", pages: 12 },
    });
    expect(await es.exists({ index: "books", id: "none" })).toBe(false);
    expect((await es.info()).version.number).toBe("8.17.4");
    expect(await es.indices.exists({ index: "books" })).toBe(true);
    expect(await es.ping()).toBe(true);
  });

  it("loads with the bulk helper", async () => {
    const documents = Array.from({ length: 50 }, (_, at) => ({ at }));
    const result = await es.helpers.bulk({
      datasource: documents,
      onDocument: ({ at }) => ({ index: { _index: "many", _id: String(at) } }),
      refreshOnCompletion: true,
    });
    expect(result).toMatchObject({ total: 50, successful: 50, failed: 0 });
  });

  it("reads tables of _cat as text and as JSON", async () => {
    await es.indices.create({ index: "books" });
    expect(await es.cat.indices({ h: "index" })).toBe("books\n");
    expect(await es.cat.indices({ h: "index", format: "json" })).toEqual([{ index: "books" }]);
  });

  it("gets Elasticsearch's errors as its own", async () => {
    const error = await es.get({ index: "none", id: "1" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(errors.ResponseError);
    expect(error).toMatchObject({ statusCode: 404, body: { error: { type: "index_not_found_exception" } } });
    expect(await es.get({ index: "none", id: "1" }, { ignore: [404] })).toMatchObject({ status: 404 });
  });

  it("may compress, stream, and keep a body's text", async () => {
    const packed = engine.client({ compression: true });
    await packed.index({ index: "books", id: "1", document: { a: "字".repeat(2000) } });
    const stream = await es.get({ index: "books", id: "1" }, { asStream: true });
    const chunks: Buffer[] = [];
    for await (const chunk of stream as unknown as Readable) chunks.push(chunk as Buffer);
    expect(JSON.parse(Buffer.concat(chunks).toString())._source.a).toHaveLength(2000);
    const body = Readable.from(['{"index":{"_id":"2"}}\n', '{"b":1.0}\n']);
    const answer = await es.transport.request(
      { method: "POST", path: "/books/_bulk", bulkBody: body as never },
      { headers: { "content-type": "application/x-ndjson", accept: "application/json" } },
    );
    expect(answer).toMatchObject({ errors: false });
    expect((await engine.request({ method: "GET", path: "/books/_source/2" })).body).toBe('{"b":1.0}');
  });

  it("can be one's own, with the engine's connection", async () => {
    const own = new Client({ node: "http://huiliu", Connection: engine.Connection });
    await own.index({ index: "books", id: "1", document: {} });
    await own.close();
    expect(await es.exists({ index: "books", id: "1" })).toBe(true);
  });

  it("stops waiting when the caller aborts, or when the time is over", async () => {
    const aborted = new AbortController();
    aborted.abort();
    await expect(es.indices.create({ index: "a" }, { signal: aborted.signal })).rejects.toBeInstanceOf(
      errors.RequestAbortedError,
    );
    const later = new AbortController();
    const documents = Array.from({ length: 20_000 }, (_, at) => [
      { index: {} },
      { text: `some text number ${at}` },
    ]).flat();
    const write = es.bulk({ index: "a", operations: documents }, { signal: later.signal });
    setTimeout(() => later.abort(), 5);
    await expect(write).rejects.toBeInstanceOf(errors.RequestAbortedError);
    await expect(es.bulk({ index: "b", operations: documents }, { requestTimeout: 1 })).rejects.toBeInstanceOf(
      errors.TimeoutError,
    );
  });

  it("says that the engine is closed", async () => {
    await engine.close();
    await expect(es.info()).rejects.toThrow("the engine is closed");
    await expect(engine.request({ method: "GET", path: "/" })).rejects.toThrow("the engine is closed");
    await engine.close();
  });
});

describe("a data folder", () => {
  it("keeps what was written", async () => {
    const data = folder();
    const first = await openEngine({ data });
    await first.client().index({ index: "books", id: "1", document: { a: "书" } });
    await first.close();
    const second = await openEngine({ data });
    expect(await second.client().get({ index: "books", id: "1" })).toMatchObject({ _source: { a: "书" } });
    expect(await second.verify()).toMatchObject({ damaged: [] });
    await second.close();
    const reader = await openEngine({ data, readOnly: true });
    expect(await reader.client().get({ index: "books", id: "1" })).toMatchObject({ found: true });
    const refused = await reader
      .client()
      .index({ index: "books", document: {} })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(errors.ResponseError);
    await reader.close();
  });

  it("has one writer", async () => {
    const data = folder();
    const first = await openEngine({ data });
    await expect(openEngine({ data })).rejects.toMatchObject({ type: "lock_obtain_failed_exception" });
    await first.close();
  });

  it("finishes running requests before it is let go", async () => {
    const data = folder();
    const first = await openEngine({ data });
    const writing = first.client().index({ index: "books", id: "1", document: {} });
    await new Promise((resolve) => setTimeout(resolve, 2));
    await first.close();
    expect(await writing).toMatchObject({ result: "created" });
  });

  it("is closed by its scope", async () => {
    const scoped = await openEngine();
    await scoped[Symbol.asyncDispose]();
    await expect(scoped.request({ method: "GET", path: "/" })).rejects.toThrow("closed");
  });
});

describe("files of the package", () => {
  it("are found from any folder below it", () => {
    expect(packageRoot()).toBe(packageRoot(join(packageRoot(), "dist")));
    expect(() => packageRoot("/")).toThrow("no package with an assets folder above /");
  });

  it("give IK its dictionary", async () => {
    const { tokens } = await es.indices.analyze({ analyzer: "ik_smart", text: "员工手册" });
    expect(tokens?.map(({ token }) => token)).toEqual(["员工", "手册"]);
  });

  it("that settings name are read from the configuration folder only", async () => {
    const use = async (client: Client, path: string) => {
      const filter = { mine: { type: "stop" as const, stopwords_path: path } };
      const analyzer = { a: { type: "custom" as const, tokenizer: "standard", filter: ["mine"] } };
      await client.indices.create({ index: "words", settings: { analysis: { filter, analyzer } } });
      return client.indices.analyze({ index: "words", analyzer: "a", text: "the words" });
    };
    await expect(use(es, "stop.txt")).rejects.toMatchObject({ statusCode: 400 });
    const config = folder();
    writeFileSync(join(config, "stop.txt"), "the\n");
    const configured = await openEngine({ config });
    await expect(use(configured.client(), "../other.txt")).rejects.toThrow("lies outside of the configuration folder");
    await configured.client().indices.delete({ index: "words" }, { ignore: [404] });
    expect((await use(configured.client(), "stop.txt")).tokens?.map(({ token }) => token)).toEqual(["words"]);
    await configured.close();
  });
});
