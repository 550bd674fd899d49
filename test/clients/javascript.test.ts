/** The official JavaScript client and its helpers get over HTTP what they got from a node (`record-javascript.ts` asks it again). */
import { readFileSync } from "node:fs";
import { Client, errors } from "@elastic/elasticsearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type RunningServer, startServer } from "../../src/server/index.ts";
import { clientSteps, type Steps } from "./javascript.ts";

const recorded = JSON.parse(readFileSync(new URL("javascript.json", import.meta.url), "utf8")) as Steps;
let engine: Engine;
let server: RunningServer;
let got: Steps;
let compressed: Steps;
beforeAll(async () => {
  engine = await openEngine();
  server = await startServer({ engine, port: 0 });
  got = await clientSteps(new Client({ node: server.url, maxRetries: 0 }), "huiliu-clients");
  compressed = await clientSteps(new Client({ node: server.url, maxRetries: 0, compression: true }), "huiliu-clients");
});
afterAll(async () => {
  await server.close();
  await engine.close();
});

describe("the JavaScript client gets what it gets from a node:", () => {
  it.each(Object.keys(recorded))("%s", (name) => {
    expect(got[name]).toEqual(recorded[name]);
    expect(compressed[name]).toEqual(recorded[name]);
  });

  it("nothing else", () => expect(Object.keys(got)).toEqual(Object.keys(recorded)));
});

it("what the engine lacks is refused by name", async () => {
  const client = new Client({ node: server.url, maxRetries: 0 });
  const refusals = {
    _query: client.helpers.esql({ query: "FROM towns" }).toRecords(),
    _reindex: client.reindex({ source: { index: "a" }, dest: { index: "b" } }),
    _update_by_query: client.updateByQuery({ index: "a" }),
    _scripts: client.putScript({ id: "a", script: { lang: "painless", source: "1" } }),
    _ingest: client.ingest.putPipeline({ id: "a", processors: [] }),
  };
  for (const [feature, request] of Object.entries(refusals)) {
    const error = await request.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(errors.ResponseError);
    const { statusCode, message } = error as errors.ResponseError;
    expect(statusCode).toBe(400);
    expect(message).toContain(`[${feature}`);
    expect(message).toContain("is not supported by the embedded engine");
  }
});
