import { expect } from "vitest";
import { vectorStoreIndex } from "../../../src/indices/index.ts";
import { sentenceSplitter } from "../../../src/ingest/index.ts";
import { similarityCutoff } from "../../../src/postprocess/index.ts";
import {
  citationQueryEngine,
  customQueryEngine,
  multiStepQueryEngine,
  retrieverQueryEngine,
  routerQueryEngine,
  type SubQuestion,
  subQuestionQueryEngine,
  transformQueryEngine,
} from "../../../src/query-engine/index.ts";
import { parseSubQuestions } from "../../../src/query-engine/sub-question.ts";
import {
  defineRetriever,
  embeddingSelector,
  hyde,
  modelSelector,
  parseSelections,
  routerRetriever,
  type Selection,
} from "../../../src/retrieval/index.ts";
import {
  type Metadata,
  type MetadataMode,
  metadataText,
  type QueryBundle,
  type QueryEngine,
  type Response,
  response,
  textNode,
} from "../../../src/schema/index.ts";
import { piecesOf, plainCall, type ScriptCall, scriptModel } from "../script-model.ts";
import {
  expectClose,
  hashEmbedding,
  idsScores,
  type JsonNode,
  type Outcome,
  SENTENCES,
  type Topic,
  tokenizer,
  toNode,
  toScored,
} from "../support.ts";
import { compareAnswers, type Recorded, type SynthesisInput, synthesizerOptions } from "./response-modes.ts";

interface Input extends SynthesisInput {
  engine: string;
  returns?: string | { response: string; source_nodes: JsonNode[]; metadata: Metadata };
  similarity_cutoff?: number;
  citation_chunk_size: number;
  citation_chunk_overlap: number;
  metadata_mode: MetadataMode;
  output: string;
  multi?: boolean;
  tools: [string, string][];
  lists: JsonNode[][];
  include_original: boolean;
  num_steps: number;
}

interface CitedSource {
  text: string;
  score: number | null;
  metadata: Metadata;
  excluded_llm: string[];
}

type CitationExpected = Recorded & { sources: CitedSource[] };

const RUNS: Record<string, (input: Input, name: string, expected: never) => unknown> = {
  custom: runCustom,
  retriever: runRetriever,
  citation: runCitation,
  "selection-parse": ({ output }) => parseSelections("script", output),
  router: (input, name) => (name.includes("embedding selector") ? runEmbeddingSelector(input) : runRouter(input)),
  "router-retriever": runRouterRetriever,
  "sub-question-parse": ({ output }) =>
    parseSubQuestions("script", output).map(({ question, tool }) => ({ sub_question: question, tool_name: tool })),
  "sub-question": runSubQuestion,
  hyde: runHyde,
  "multi-step": runMultiStep,
};

export const topic: Topic<Input> = {
  run: (input, name, expected) => RUNS[input.engine]!(input, name, expected),
  compare(actual: never, expected: never, input) {
    if (input.engine === "retriever") return compareAnswers(actual, { calls: [], ...(expected as object) } as never);
    expectClose(actual, plain(expected), 1e-9);
  },
  quirks: {
    "prints as None": ({ value }: Outcome) => expect(value).toMatchObject({ response: "", str: "" }),
    "better put it inside the source or leave it out": (outcome: Outcome, expected: never, input) =>
      expectCited(outcome, expected, input),
    // The first of several counts.
    "a single selector that gets several answers": ({ value }: Outcome, expected: { selected: unknown[] }) => {
      const actual = value as unknown as { selected: unknown[]; engines: unknown[]; other_calls: unknown[] };
      expect(actual.selected).toEqual(expected.selected.slice(0, 1));
      expect([actual.engines.length, actual.other_calls.length]).toEqual([1, 0]);
    },
    // All of the list are read, and the first or all of them count.
    "only the last answer is kept": ({ value }: Outcome, _: unknown, input) => {
      const all = JSON.parse(input.output).answers as { choice: number; reason: string }[];
      if (input.engine === "selection-parse") return expect(value).toEqual(all);
      const { selected } = value as unknown as { selected: [number, string][] };
      const read = all.map(({ choice, reason }) => [choice - 1, reason]);
      expect(selected).toEqual(input.multi ? read : read.slice(0, 1));
    },
    // A choice without a reason is a choice.
    "better one parse error": ({ value, error }: Outcome, _: unknown, input) => {
      if (error !== undefined) return expect(error).toMatchObject({ code: "ANSWER_FORMAT", answer: input.output });
      const selected = (
        input.engine === "selection-parse" ? value : (value as unknown as { selected: unknown[] }).selected
      ) as unknown[];
      expect(selected).toHaveLength(1);
      expect(input.output).toMatch(/"choice": 1/);
    },
    "choice 0 selects the last": ({ value, error }: Outcome, _: unknown, input) => {
      if (input.engine === "selection-parse") return expect(value).toEqual(JSON.parse(input.output));
      expect(error).toMatchObject({ code: "ANSWER_FORMAT", answer: input.output });
    },
    "better keep them readable": ({ value, error }: Outcome, expected: Recorded, input) => {
      if (error !== undefined) return expect(error).toMatchObject({ code: "ANSWER_FORMAT", answer: input.output });
      const readable = expected.calls.map((call) => ({
        ...call,
        ...(call.prompt ? { prompt: unescaped(call.prompt) } : {}),
      }));
      expectClose(value, plain({ ...expected, calls: readable } as never), 1e-9);
    },
  },
};

/** Recorded calls without what is told twice, and answers without the class's name. */
function plain(expected: Record<string, unknown>): unknown {
  if (Array.isArray(expected)) return expected;
  const {
    type: _,
    calls,
    other_calls,
    context_list: __,
    ...rest
  } = expected as {
    type?: unknown;
    calls?: ScriptCall[];
    other_calls?: ScriptCall[];
    context_list?: unknown;
  };
  return {
    ...rest,
    ...(calls ? { calls: calls.map(plainCall) } : {}),
    ...(other_calls ? { other_calls: other_calls.map(plainCall) } : {}),
  };
}

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

async function runCustom({ query, returns }: Input): Promise<unknown> {
  const seen: string[] = [];
  const given =
    typeof returns === "string"
      ? returns
      : response({
          text: returns!.response,
          sources: returns!.source_nodes.map(toScored),
          metadata: returns!.metadata,
        });
  const customQuery = (asked: string) => {
    seen.push(asked);
    return given;
  };
  const engine = customQueryEngine(customQuery);
  const answer = await engine.query({ query });
  await customQueryEngine({ customQuery }).query(query);
  const metadata = Object.keys(answer.metadata).length > 0 ? answer.metadata : null;
  const text = await answer.text;
  return {
    seen,
    same_object: answer === given,
    response: text,
    str: text,
    source_nodes: idsScores(answer.sources),
    metadata,
  };
}

/** A retriever that finds the same whatever is asked, and remembers what was. */
function fixed(nodes: JsonNode[]) {
  const asked: string[] = [];
  const retriever = defineRetriever(({ query }: QueryBundle) => {
    asked.push(query);
    return nodes.map(toScored);
  });
  return { retriever, asked };
}

async function runRetriever(input: Input, name: string): Promise<unknown> {
  const model = scriptModel();
  const { retriever } = fixed(input.nodes);
  const engine = retrieverQueryEngine({
    retriever,
    model,
    ...synthesizerOptions(input),
    ...(input.similarity_cutoff === undefined ? {} : { postprocessors: [similarityCutoff(input.similarity_cutoff)] }),
  });
  if (!name.includes("separately")) return told(await engine.query(input.query), model.calls);
  const nodes = await engine.retrieve({ query: input.query });
  const additionalSources = [toScored(input.nodes[1]!)];
  // The recording leaves the calls out.
  return told(await engine.synthesize({ query: { query: input.query }, nodes, additionalSources }), []);
}

async function told(answer: Response, calls: ScriptCall[]) {
  const calls_before_iteration = calls.length;
  const pieces = await piecesOf(answer.textStream);
  return {
    pieces,
    calls_before_iteration,
    response: await answer.text,
    calls,
    kind: answer.kind,
    source_nodes: idsScores(answer.sources),
    metadata: answer.metadata as Record<string, Metadata>,
  };
}

async function runCitation(input: Input): Promise<unknown> {
  const model = scriptModel({ answers: ["答案[1]，另见[2]。"] });
  const splitter = sentenceSplitter({
    chunkSize: input.citation_chunk_size,
    chunkOverlap: input.citation_chunk_overlap,
    tokenizer: tokenizer(input.tokenizer),
    sentenceTokenizer: SENTENCES["punkt"]!,
  });
  const { retriever } = fixed(input.nodes);
  const engine = citationQueryEngine({
    retriever,
    model,
    ...synthesizerOptions(input),
    splitter,
    metadataMode: input.metadata_mode,
  });
  const answer = await engine.query(input.query);
  const known = new Set(input.nodes.map((node) => node.id));
  return {
    ...(await told(answer, model.calls)),
    citations: await answer.citations,
    sources: answer.sources.map(({ node, score }) => ({
      text: node.text,
      score: score ?? null,
      metadata: node.metadata,
      id_is_new: !known.has(node.id),
      relationships: Object.fromEntries(
        Object.entries(node.relationships).map(([key, of]) => [key, (of as { id: string }).id]),
      ),
      start: node.startCharIdx ?? null,
      end: node.endCharIdx ?? null,
    })),
    metadata_keys_are_source_ids: answer.sources.every(({ node }) => node.id in answer.metadata),
  };
}

/** The same sources, and prompts in which the metadata before each number is missing. */
function expectCited({ value }: Outcome, expected: CitationExpected, input: Input): void {
  const actual = value as unknown as Awaited<ReturnType<typeof told>> & {
    sources: unknown[];
    citations: { cited: number[]; unknownCitations: number[] };
  };
  if (input.nodes.every((node) => node.text.trim() === "")) {
    expect(actual).toMatchObject({ kind: "empty", sources: [], calls: [] });
    return;
  }
  expect(actual.sources).toEqual(expected.sources.map(({ excluded_llm: _, ...source }) => source));
  expect(actual.pieces.join("")).toBe(expected.pieces?.join("") ?? expected.response);
  if (expected.pieces) expect(actual.pieces).toEqual(expected.pieces);
  expect(actual.calls.map((call) => call.method)).toEqual(expected.calls.map((call) => call.method));
  for (const [i, call] of actual.calls.entries()) {
    let prompt = expected.calls[i]!.prompt!;
    for (const source of expected.sources) {
      const node = textNode({ text: "", metadata: source.metadata, excludedLlmMetadataKeys: source.excluded_llm });
      const before = metadataText(node, "llm");
      const label = source.text.slice(0, source.text.indexOf("\n"));
      if (before !== "") prompt = prompt.replace(`${before}\n\n${label}\n`, `${label}\n`);
    }
    expect(call.prompt).toBe(prompt);
  }
  const count = expected.sources.length;
  const numbers = [...(expected.response ?? expected.pieces!.join("")).matchAll(/\[(\d+)\]/g)].map(([, n]) =>
    Number(n),
  );
  expect(actual.citations.cited).toEqual(numbers.filter((n) => n <= count));
  expect(actual.citations.unknownCitations).toEqual(numbers.filter((n) => n > count));
}

/** Engines that answer under their name. */
function engines(tools: [string, string][], answer: (name: string, query: string) => Response | string) {
  const seen: [string, string][] = [];
  const routes = tools.map(([name, description]) => ({
    name,
    description,
    engine: customQueryEngine((query) => {
      seen.push([name, query]);
      return answer(name, query);
    }) as QueryEngine,
  }));
  return { seen, routes };
}

const source = (id: string, text: string) => ({ node: textNode({ id, text }), score: 0.5 });

async function runRouter(input: Input): Promise<unknown> {
  const merged = Array.from({ length: 5 }, (_, i) => `合并${i}`);
  const model = scriptModel({ answers: [input.output, ...merged] });
  const { seen, routes } = engines(input.tools, (name) =>
    response({ text: `${name} 的回答`, sources: [source(name, name)] }),
  );
  const multiple = input.multi ?? false;
  const prompt = `SEL {num_choices}${multiple ? " {max_outputs}" : ""} | {context_list} | {query_str}`;
  const selector = modelSelector({ model, multiple, prompt });
  const engine = routerQueryEngine({ routes, selector, model, ...synthesizerOptions(input), mode: "tree_summarize" });
  const answer = await engine.query(input.query);
  const selections = answer.metadata["selections"] as Selection[];
  return {
    engines: seen,
    response: await answer.text,
    selected: selections.map(({ index, reason }) => [index, reason]),
    source_nodes: idsScores(answer.sources),
    first_prompt: model.calls[0]!.prompt,
    other_calls: model.calls.slice(1),
  };
}

async function runEmbeddingSelector({ tools, query }: Input): Promise<unknown> {
  const choices = tools.map(([name, description]) => ({ name, description }));
  const selected = await embeddingSelector({ embedding: hashEmbedding() })(choices, { query }, {});
  return { selected: selected.map(({ index, reason }) => [index, reason]) };
}

async function runRouterRetriever({ lists, output, query }: Input): Promise<unknown> {
  const selector = modelSelector({ model: scriptModel({ answers: [output] }), multiple: true });
  const routes = lists.map((list, i) => ({ retriever: fixed(list).retriever, description: String(i) }));
  return { nodes: idsScores(await routerRetriever({ routes, selector }).retrieve(query)) };
}

async function runSubQuestion(input: Input): Promise<unknown> {
  const model = scriptModel({ answers: [input.output] });
  const { seen, routes } = engines(input.tools, (name, query) => {
    if (query === "RAISE") throw new Error("x");
    return response({ text: `${name}:${query}`, sources: [source(`${name}-src`, query)] });
  });
  const engine = subQuestionQueryEngine({
    tools: routes,
    questionPrompt: "SPLIT {tools_str} | {query_str}",
    ...synthesizerOptions(input),
    model,
  });
  const answer = await engine.query(input.query);
  return {
    engines: seen,
    response: await answer.text,
    source_nodes: answer.sources.map(({ node, score }) => [
      node.id.endsWith("-src") ? node.id : "<new>",
      score ?? null,
      node.text,
    ]),
    calls: model.calls,
  };
}

async function runHyde(input: Input): Promise<unknown> {
  const prompt = "HYDE {context_str}";
  const includeOriginal = input.include_original;
  const alone = hyde({ model: scriptModel({ answers: input.answers!.slice(0, 1) }), prompt, includeOriginal });
  const first = await alone({ query: input.query }, {});
  const second = await alone({ query: input.query, embeddingTexts: ["x", "y"] }, {});
  const embedding = hashEmbedding();
  const index = await vectorStoreIndex({ nodes: input.nodes.map(toNode), embedding });
  embedding.seen.length = 0;
  const model = scriptModel({ answers: input.answers! });
  const engine = transformQueryEngine({
    engine: index.asQueryEngine({ topK: 2, model, ...synthesizerOptions(input) }),
    transform: hyde({ model, prompt, includeOriginal }),
  });
  const answer = await engine.query(input.query);
  return {
    embedding_strs: first.embeddingTexts,
    query_str: first.query,
    with_custom_strs: second.embeddingTexts,
    embedded: embedding.seen,
    calls: model.calls,
    response: await answer.text,
    source_nodes: idsScores(answer.sources),
  };
}

async function runMultiStep(input: Input, _: string, { calls }: { calls: ScriptCall[] }): Promise<unknown> {
  const model = scriptModel({ answers: calls.map((call) => call.answer) });
  const options = synthesizerOptions(input);
  const engine = multiStepQueryEngine({
    engine: retrieverQueryEngine({ retriever: fixed(input.nodes).retriever, model, ...options }),
    stepPrompt: "STEP {prev_reasoning} | {query_str} | {context_str}",
    numSteps: input.num_steps,
    indexSummary: "手册",
    ...options,
    model,
  });
  const answer = await engine.query(input.query);
  const asked = answer.metadata["subQuestions"] as SubQuestion[];
  return {
    calls: model.calls,
    response: await answer.text,
    sub_qa: asked.map((part) => [part.question, part.answer]),
    source_nodes: answer.sources.map(({ node, score }) => [node.text, score ?? null]),
  };
}
