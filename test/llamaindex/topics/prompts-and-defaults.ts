/**
 * The prompts of parts with the names in them, replacing them, the chat modes, what an index hands to its retriever and its synthesizer, and
 * defaults: each recorded default given as an option does what leaving it out does, or is listed as another default of ours.
 */
import { expect } from "vitest";
import { type ChatMode, vectorStoreIndex } from "../../../src/indices/index.ts";
import { languageRerank } from "../../../src/models/index.ts";
import { rerank, similarityCutoff } from "../../../src/postprocess/index.ts";
import {
  citationQueryEngine,
  retrieverQueryEngine,
  routerQueryEngine,
  subQuestionQueryEngine,
  transformQueryEngine,
} from "../../../src/query-engine/index.ts";
import { autoRetriever, defineRetriever, fusionRetriever, hyde, modelSelector } from "../../../src/retrieval/index.ts";
import {
  eventStream,
  getPrompts,
  inLanguage,
  type NodeWithScore,
  promptVariables,
  textNode,
  updatePrompts,
} from "../../../src/schema/index.ts";
import { type ResponseMode, responseSynthesizer } from "../../../src/synthesis/index.ts";
import { CLASSES, probe } from "../defaults.ts";
import { type ScriptModel, scriptModel } from "../script-model.ts";
import { hashEmbedding, type Outcome, type Topic } from "../support.ts";

interface Input {
  module?: string;
  keys?: string[];
  of?: string;
  chat_mode?: ChatMode;
  similarity_top_k?: number;
  response_mode?: ResponseMode;
  streaming?: boolean;
  nonsense?: number;
}

/** LlamaIndex's names of prompts and places, as they are here. Its templates for pictures among the passages are not part of this library. */
const NAMES: Record<string, string> = {
  text_qa_template: "textQa",
  refine_template: "refine",
  summary_template: "summary",
  simple_template: "simple",
  query_gen_prompt: "queries",
  choice_select_prompt: "prompt",
  hyde_prompt: "prompt",
  prompt: "prompt",
  response_synthesizer: "synthesizer",
  query_engine: "engine",
  query_transform: "transform",
  summarizer: "summarizer",
  selector: "selector",
  "question_gen:question_gen_prompt": "question",
};

const ours = (name: string) =>
  NAMES[name] ??
  name
    .split(":")
    .map((part) => NAMES[part] ?? part)
    .join(":");

const retriever = defineRetriever(() => []);

const PARTS: Record<string, (model: ScriptModel) => object> = {
  "RetrieverQueryEngine compact": (model) => retrieverQueryEngine({ retriever, model }),
  CitationQueryEngine: (model) => citationQueryEngine({ retriever, model }),
  "RouterQueryEngine single": (model) => router(model, false),
  "RouterQueryEngine multi": (model) => router(model, true),
  SubQuestionQueryEngine: (model) => {
    const engine = retrieverQueryEngine({ retriever, model });
    return subQuestionQueryEngine({ tools: [{ name: "a", description: "", engine }], model });
  },
  "TransformQueryEngine HyDE": (model) =>
    transformQueryEngine({ engine: retrieverQueryEngine({ retriever, model }), transform: hyde({ model }) }),
  QueryFusionRetriever: (model) => fusionRetriever({ retrievers: [retriever], model, numQueries: 4 }),
  LLMRerank: (model) => rerank({ model: languageRerank(model) }),
  VectorIndexAutoRetriever: (model) =>
    autoRetriever({ index: { asRetriever: () => retriever }, model, contentInfo: "", metadataInfo: [] }),
  VectorIndexRetriever: () => retriever,
};

function router(model: ScriptModel, multiple: boolean) {
  const routes = [{ engine: retrieverQueryEngine({ retriever, model }), description: "" }];
  return routerQueryEngine({ routes, selector: modelSelector({ model, multiple }), model });
}

export const topic: Topic<Input> = {
  notRun: Object.entries(CLASSES)
    .filter(([, how]) => typeof how === "string")
    .map(([name, reason]) => [new RegExp(`^defaults: ${name.replace(/[.]/g, "\\.")} \\[`), reason as string] as const),
  async run(input, name) {
    const { module, keys, of, chat_mode: mode } = input;
    const model = scriptModel();
    if (module) return variablesOf(partOf(module, model));
    if (keys) return changed(retrieverQueryEngine({ retriever, model }), keys);
    if (of) return of;
    if (mode) return chatOf(mode);
    return handed(input, name);
  },
  async compare(actual: never, expected: Record<string, never>, { module, keys, of, chat_mode, nonsense }: Input) {
    if (module) return expect(actual).toEqual(known(expected));
    if (keys) return expect(actual).toEqual((expected["changed"] as string[]).map(ours));
    if (of) return probe(of, expected);
    if (chat_mode) return expect(actual).toBe(CHATS[expected["class"] as string]);
    if (nonsense !== undefined) return expect(actual).toBe("accepted");
    // Ten results are the default here, not two.
    const { similarity_top_k: topK, streaming, synthesizer } = expected as Record<string, unknown>;
    expect(actual).toEqual({
      topK: topK === 2 ? 10 : topK,
      streaming,
      mode: { TreeSummarize: "tree_summarize", CompactAndRefine: "compact" }[synthesizer as string],
      postprocessed: (expected["postprocessors"] as string[]).length > 0,
    });
  },
  quirks: {
    // A name that is not there is a mistake, and nothing happens silently.
    "name:update: key without": expectRefusal,
    "name:update: unknown key": expectRefusal,
  },
};

function expectRefusal({ error }: Outcome): void {
  expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect((error as Error).message).toContain("synthesizer:textQa");
}

function partOf(module: string, model: ScriptModel): object {
  const mode = /^response synthesizer (.*)/.exec(module)?.[1];
  return mode ? responseSynthesizer({ mode: mode as ResponseMode, model }) : PARTS[module]!(model);
}

function variablesOf(part: object): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(getPrompts(part)).map(([name, prompt]) => {
      const [en, zh] = [inLanguage(prompt, "en"), inLanguage(prompt, "zh")].map((one) => promptVariables(one).sort());
      expect(zh).toEqual(en);
      return [name, en!];
    }),
  );
}

/** What the model may read is in ours as well: names that ours has no need of are left out. */
function known(expected: Record<string, string[]>): Record<string, string[]> {
  const without = Object.entries(expected).filter(([name]) => !/(?:^|:)chat_/.test(name));
  return Object.fromEntries(without.map(([name, variables]) => [ours(name), variables]));
}

function changed(engine: object, keys: readonly string[]): string[] {
  const before = getPrompts(engine);
  updatePrompts(engine, Object.fromEntries(keys.map((key) => [ours(key), "another"])));
  const after = getPrompts(engine);
  return Object.keys(after).filter((name) => after[name] !== before[name]);
}

const CHATS: Record<string, string> = {
  CondensePlusContextChatEngine: "condense_plus_context",
  ContextChatEngine: "context",
  CondenseQuestionChatEngine: "condense_question",
  SimpleChatEngine: "simple",
};

async function chatOf(mode: ChatMode): Promise<string> {
  const index = await vectorStoreIndex({ nodes: [textNode({ text: "t" })], embedding: hashEmbedding() });
  const trace = eventStream();
  await index.asChatEngine({ mode, model: scriptModel() }).chat("question", { trace });
  return trace.events[0]!.name;
}

/** What came of the options that an index was given: seen in an answer. */
async function handed(input: Input, name: string): Promise<unknown> {
  const nodes = Array.from({ length: 20 }, (_, i) => textNode({ id: `n${i}`, text: `passage ${i}` }));
  const index = await vectorStoreIndex({ nodes, embedding: hashEmbedding() });
  const { similarity_top_k: topK, response_mode: mode, streaming, nonsense } = input;
  if (nonsense !== undefined) {
    const options = { nonsense } as object;
    if (name.startsWith("as_retriever")) await index.asRetriever(options).retrieve("q");
    else await (await index.asQueryEngine({ ...options, model: scriptModel() }).query("q")).text;
    return "accepted";
  }
  let seen: NodeWithScore[] | undefined;
  const looking = { postprocess: (found: NodeWithScore[]) => (seen = found) };
  const trace = eventStream();
  const postprocessors = [...(topK === undefined ? [] : [similarityCutoff(-1)]), looking];
  const engine = index.asQueryEngine({
    model: scriptModel(),
    postprocessors,
    ...(topK === undefined ? {} : { topK }),
    ...(mode ? { mode } : {}),
    ...(streaming === undefined ? {} : { streaming }),
  });
  const answer = await engine.query("passage", { trace });
  const streamed = trace.events.every((event) => event.kind !== "generate" || event.type === "start");
  await answer.text;
  return {
    topK: seen!.length,
    streaming: streaming === undefined ? streamed : streaming,
    mode: trace.events.find((event) => event.kind === "respond")!.name,
    postprocessed: trace.events.filter((event) => event.kind === "postprocess" && event.type === "end").length > 1,
  };
}
