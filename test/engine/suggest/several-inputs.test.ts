import { afterAll, beforeAll, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";

// How many options there are where documents have several completions; recorded from Elasticsearch 8.17.4.
let engine: Engine;
const send = async (method: string, path: string, body: string) => {
  const headers = { "content-type": "application/json" };
  return JSON.parse((await engine.request({ method, path, headers, body })).body);
};
const DOCUMENTS = [
  [
    { c: ["aab", "aac", "abd", "bce"], g: { input: ["aab", "bce"], contexts: { g: ["x", "y"] } } },
    { c: "acf", g: { input: "acf", contexts: { g: ["x", "z"] } } },
    { c: "bdg", g: { input: "bdg", contexts: { g: "y" } } },
    { c: { input: ["cz", "ca"], weight: 5 }, g: { input: "ca", weight: 5, contexts: { g: "z" } } },
  ],
  [{ c: ["aab", "aah"] }, { c: { input: "add", weight: 2 } }],
];

beforeAll(async () => {
  engine = await openEngine();
  const contexts = [{ name: "g", type: "category" }];
  const properties = { c: { type: "completion" }, g: { type: "completion", contexts } };
  const settings = { number_of_shards: 1 };
  await send("PUT", "/i", JSON.stringify({ settings, mappings: { properties } }));
  let id = 0;
  for (const batch of DOCUMENTS) {
    const lines = batch.map((document) => `{"index":{"_id":"${id++}"}}\n${JSON.stringify(document)}\n`);
    await send("POST", "/i/_bulk?refresh=true", lines.join(""));
  }
});
afterAll(() => engine.close());

const fuzzy = { fuzziness: 1, min_length: 1, prefix_length: 0 };
it.each([
  [{ regex: ".*" }, { field: "c", size: 3 }, ["3 ca 5", "5 add 2", "0 aab 1"]],
  [{ regex: "[ab].*" }, { field: "c", size: 3 }, ["5 add 2", "0 aab 1", "4 aab 1"]],
  [{ regex: "a." }, { field: "c", size: 3 }, ["5 add 2", "0 aab 1", "4 aab 1"]],
  [{ regex: "a.." }, { field: "c", size: 2 }, ["5 add 2", "0 aab 1"]],
  [{ regex: "a.." }, { field: "c", size: 2, skip_duplicates: true }, ["5 add 2", "0 aab 1"]],
  [{ prefix: "a" }, { field: "c", size: 3 }, ["5 add 2", "0 aab 1", "4 aab 1"]],
  [{ prefix: "aa" }, { field: "c", size: 2, fuzzy }, ["3 ca 5", "5 add 2"]],
  [{ prefix: "a" }, { field: "g", size: 2, contexts: { g: ["x", "y", "z"] } }, ["0 aab 1 x,y", "1 acf 1 x,z"]],
  [{ regex: "[abc]" }, { field: "g", size: 2, contexts: { g: ["x", "z"] } }, ["3 ca 5 z", "0 aab 1 x"]],
])("%j as %j", async (typed, completion, expected) => {
  const { suggest } = await send("POST", "/i/_search", JSON.stringify({ suggest: { s: { ...typed, completion } } }));
  const options = suggest.s[0].options as { _id: string; text: string; _score: number; contexts?: { g: string[] } }[];
  expect(options.map((o) => [o._id, o.text, o._score, ...(o.contexts?.g ?? [])].join(" "))).toEqual(
    expected.map((each) => each.replaceAll(",", " ")),
  );
});
