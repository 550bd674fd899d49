import { describe, expect, it } from "vitest";
import { defineRetriever, NotRetrievableError, parseQueries, recursiveRetriever } from "../../src/retrieval/index.ts";
import {
  document,
  eventStream,
  indexNode,
  type NodeWithScore,
  type QueryEngine,
  type Retriever,
  response,
  textNode,
} from "../../src/schema/index.ts";

const text = (id: string, score = 1): NodeWithScore => ({ node: textNode({ id, text: id }), score });
const pointer = (id: string, obj: unknown, score?: number): NodeWithScore => ({
  node: indexNode({ id, text: id, indexId: id, obj }),
  ...(score === undefined ? {} : { score }),
});
const ids = (nodes: NodeWithScore[]) => nodes.map(({ node }) => node.id);

describe("a retriever made of a function", () => {
  it("takes a string or a bundle, and gives the function a bundle", async () => {
    const seen: unknown[] = [];
    const retriever = defineRetriever(({ query, embeddingTexts }) => {
      seen.push([query, embeddingTexts]);
      return [];
    });
    await retriever.retrieve("q");
    await retriever.retrieve({ query: "q", embeddingTexts: ["a"] });
    expect(seen).toEqual([
      ["q", undefined],
      ["q", ["a"]],
    ]);
  });

  it("follows index nodes in place and drops repeated ids", async () => {
    const inner = defineRetriever(() => [text("c", 0.3), text("a", 0.9)]);
    const engine: QueryEngine = { query: async () => response({ text: "answer", metadata: { from: "engine" } }) };
    const nodes = await defineRetriever(() => [
      text("a", 0.5),
      pointer("1", inner),
      pointer("2", engine, 0.7),
      pointer("3", document({ id: "doc", text: "a document" }), 0),
      pointer("4", undefined),
    ]).retrieve("q");
    expect(nodes.map(({ node, score }) => [node.type, node.text, score])).toEqual([
      ["text", "a", 0.5],
      ["text", "c", 0.3],
      ["text", "answer", 0.7],
      ["text", "a document", 0],
      ["index", "4", undefined],
    ]);
    expect(nodes[2]!.node.metadata).toEqual({ from: "engine" });
  });

  it("ends cycles: through itself, through others, and through engines that hand their options on", async () => {
    const a: Retriever = defineRetriever(() => [text("a"), pointer("b", b), pointer("self", a)]);
    const b: Retriever = defineRetriever(() => [text("b"), pointer("a", a), pointer("e", engine)]);
    const engine: QueryEngine = {
      query: async (query, options) => response({ text: ids(await a.retrieve(query, options)).join(" ") }),
    };
    const found = await a.retrieve("q");
    expect(found.map(({ node }) => node.text)).toEqual(["a", "b", "a"]);
    const circle = recursiveRetriever({
      retrievers: {
        root: defineRetriever(() => [text("x"), pointer("other", undefined)]),
        other: defineRetriever(() => [text("y"), pointer("root", undefined)]),
      },
    });
    expect(ids(await circle.retrieve("q"))).toEqual(["x", "y"]);
  });

  it("refuses what cannot be retrieved, by name", async () => {
    await expect(defineRetriever(() => [pointer("n", 42)]).retrieve("q")).rejects.toThrow(NotRetrievableError);
    await expect(defineRetriever(() => [pointer("n", 42)]).retrieve("q")).rejects.toThrow(/"n".*number 42/);
  });

  it("does nothing when the signal has gone off", async () => {
    const retriever = defineRetriever(() => [text("a")]);
    await expect(retriever.retrieve("q", { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("a trace", () => {
  it("hears of each step, with the one around it", async () => {
    const trace = eventStream();
    const inner = defineRetriever(() => [text("a")], { name: "inner" });
    await defineRetriever(() => [pointer("i", inner)], { name: "outer" }).retrieve("q", { trace });
    expect(trace.events.map(({ type, name, span, parent }) => [type, name, span, parent])).toEqual([
      ["start", "outer", "1", undefined],
      ["start", "inner", "2", "1"],
      ["end", "inner", "2", "1"],
      ["end", "outer", "1", undefined],
    ]);
    expect(trace.events.at(-1)!.attributes).toEqual({ query: "q", results: 1 });
  });

  it("tells the error of a step that failed, and can be read as a stream", async () => {
    const trace = eventStream();
    const failing = defineRetriever(() => Promise.reject(new Error("no index")), { name: "broken" });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of trace) seen.push(event.type);
    })();
    await expect(failing.retrieve("q", { trace })).rejects.toThrow("no index");
    trace.close();
    await reading;
    expect(seen).toEqual(["start", "error"]);
    expect(trace.events[1]!.error).toMatchObject({ message: "no index" });
  });
});

describe("queries in a model's answer", () => {
  it.each([
    ["a\n\n b \nc", ["a", "b", "c"]],
    ["1. a\n2) b\n3、c", ["a", "b", "c"]],
    ['- "a"\n* 「b」\n• c', ["a", "b", "c"]],
    ["```text\na\nb\n```", ["a", "b"]],
    ["Here are the queries:\na\nb", ["a", "b"]],
    ["好的，如下：\n年假几天\n年休假", ["年假几天", "年休假"]],
    ["`a`\n`b", ["a", "b"]],
    ["2024 budget\n3.5 days of leave", ["2024 budget", "3.5 days of leave"]],
    ["what is this:", ["what is this:"]],
    ["", []],
  ])("%j", (answer, expected) => {
    expect(parseQueries(answer, 10)).toEqual(expected);
    expect(parseQueries(answer, 1)).toEqual(expected.slice(0, 1));
  });
});
