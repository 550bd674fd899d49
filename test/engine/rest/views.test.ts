/**
 * A view with a filter against an index that has only the documents which the filter matches: random indices, documents and requests (those of
 * test/fuzz), each answered alike. Left out is what docs/server.md says a filter does not hide: scores and what is chosen by how rare words
 * are, numbers of writes, and runtime fields, profiles and suggestions, which are refused.
 */
import { describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import type { View } from "../../../src/engine/action/view.ts";
import { seeded } from "../../fuzz/random.ts";
import { requestOf } from "../../fuzz/requests.ts";
import { type Json, type JsonMap, type World, worldOf } from "../../fuzz/world.ts";

const view: View = { owner: "a", filter: '{"term":{"tenant_of":"a"}}' };
const BY_STATISTICS = /more_like_this|fuzz|combined_fields|significant|top_terms|_seq_no/;
const SCORED = ["explain", "min_score", "rescore", "suggest", "runtime_mappings"];

async function send(engine: Engine, method: string, path: string, body?: string, as?: View) {
  const headers = { "content-type": "application/json" };
  const answer = await engine.request({ method, path, headers, body, ...(as ? { view: as } : {}) });
  return { status: answer.status, text: answer.body };
}

/** What differs between any two indices. */
const plain = ({ status, text }: { status: number; text: string }) => ({
  status,
  text: text
    .replaceAll(/"(took|_version|_primary_term|_seq_no)":\d+/g, '"$1":0')
    .replaceAll(/"index_uuid":"[^"]*"/g, '"index_uuid":"?"')
    .replaceAll(/doc:\d+/g, "doc:?"),
});

/** The lines of a bulk request for each tenant: a document's id says whose it is. */
function tenantBatches({ batches }: World): { tenant: string; lines: string }[][] {
  let made = 0;
  return batches.map((batch) =>
    batch.map(([action, body]) => {
      const [[name, meta]] = Object.entries(action) as [string, JsonMap][];
      const id = String(meta["_id"] ?? `made${made++}`);
      const tenant = [...id].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % 2 === 0 ? "a" : "b";
      const owned = (document: Json | undefined) => ({ ...(document as JsonMap), tenant_of: tenant });
      const parts = body as JsonMap | undefined;
      const sent =
        name !== "update" || parts === undefined
          ? parts && owned(parts)
          : Object.fromEntries(
              Object.entries(parts).map(([key, value]) => [
                key,
                key === "doc" || key === "upsert" ? owned(value) : value,
              ]),
            );
      const lines = [{ [name]: { ...meta, _id: id } }, ...(sent === undefined ? [] : [sent])];
      return { tenant, lines: lines.map((line) => `${JSON.stringify(line)}\n`).join("") };
    }),
  );
}

async function open(world: World, mappings: Json, batches: readonly string[]): Promise<Engine | undefined> {
  const engine = await openEngine();
  const { status } = await send(engine, "PUT", "/x", JSON.stringify({ settings: world.settings, mappings }));
  if (status !== 200) {
    await engine.close();
    return undefined;
  }
  for (const lines of batches) if (lines !== "") await send(engine, "POST", "/x/_bulk?refresh=true", lines);
  return engine;
}

describe("a view with a filter", () => {
  it.each(Array.from({ length: 8 }, (_, i) => i + 1))(
    "is as an index of its documents alone: world %i",
    async (seed) => {
      const random = seeded(seed);
      const world = worldOf(random);
      const batches = tenantBatches(world);
      const properties = { ...(world.mappings["properties"] as JsonMap), tenant_of: { type: "keyword" } };
      const all = batches.map((batch) => batch.map(({ lines }) => lines).join(""));
      const mixed = await open(world, { ...world.mappings, properties }, all);
      if (!mixed) return;
      // Fields that others' documents brought are the index's.
      const { text } = await send(mixed, "GET", "/x/_mapping");
      const own = batches.map((batch) => batch.map(({ tenant, lines }) => (tenant === "a" ? lines : "")).join(""));
      const alone = (await open(world, JSON.parse(text).x.mappings, own))!;
      let answered = 0;
      for (let i = 0; i < 60; i++) {
        const { method, api, body: given } = requestOf(random, world);
        if (api !== "_search" && api !== "_count") continue;
        const body: JsonMap = Object.fromEntries(Object.entries(given).filter(([key]) => !SCORED.includes(key)));
        if (body["query"]) body["query"] = { constant_score: { filter: body["query"] } };
        if (api === "_search" && body["sort"] === undefined) body["size"] = 100;
        const json = JSON.stringify(body);
        if (BY_STATISTICS.test(json)) continue;
        const [here, there] = await Promise.all(
          [mixed, alone].map(async (engine) => plain(await send(engine, method, `/x/${api}`, json, view))),
        );
        expect(here, json).toEqual(there);
        if (here!.status === 200) answered++;
      }
      expect(answered).toBeGreaterThan(5);
      await mixed.close();
      await alone.close();
    },
  );
});
