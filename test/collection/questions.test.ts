import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { estypes } from "@elastic/elasticsearch";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Collection, openCollection } from "../../src/index.ts";
import { document } from "../../src/schema/index.ts";

let folder: string;
let collection: Collection;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-questions-"));
  collection = await openCollection("questions", { data: folder });
  await collection.addDocuments([
    document({ id: "leave", text: "Annual leave is seven days." }),
    document({ id: "words", text: "How do you do? What would you have done, and when could I?" }),
    document({ id: "who", text: "The Who were a band." }),
  ]);
});
afterAll(async () => {
  await collection.close();
  await rm(folder, { recursive: true, force: true });
});

/** The terms of a question in `content` or one of its fields. */
async function terms(field: string | undefined, text: string): Promise<string[]> {
  const mapping = await collection.client.indices.getMapping({ index: collection.index });
  const content = mapping[collection.index]!.mappings.properties!["content"] as estypes.MappingTextProperty;
  const { search_analyzer: analyzer } = field ? (content.fields![field] as estypes.MappingTextProperty) : content;
  const { tokens } = await collection.client.indices.analyze({ index: collection.index, analyzer: analyzer!, text });
  return tokens!.map(({ token }) => token);
}

describe("questions", () => {
  it("leave out question words, in either apostrophe and any case", async () => {
    const text = "What’s my boss's leave? How many days DO I get, and why would they?";
    expect(await terms(undefined, text)).toEqual(["boss's", "leave", "days", "get", "and"]);
    expect(await terms("english", text)).toEqual(["boss", "leav", "dai", "get"]);
  });

  it("keep what turns a meaning round", async () => {
    expect(await terms(undefined, "Who may not leave without pay?")).toEqual(["may", "not", "leave", "without", "pay"]);
  });

  it("find what is asked for before what is full of their words", async () => {
    const [first] = await collection.search("How many days of leave do I have, and when could I?", {
      strategy: "bm25",
    });
    expect(first!.node.text).toBe("Annual leave is seven days.");
  });

  it("of question words alone still find what has them", async () => {
    const [first] = await collection.search("the who", { strategy: "bm25" });
    expect(first!.node.text).toBe("The Who were a band.");
  });
});
