/**
 * Python's defaults beside ours. Each class is probed: what a part does with the recorded defaults given as options is what it does without
 * options, except where ours are listed as different.
 */
import { expect } from "vitest";
import {
  condensePlusContextChatEngine,
  condenseQuestionChatEngine,
  contextChatEngine,
  simpleChatEngine,
} from "../../src/chat/index.ts";
import { vectorStoreIndex } from "../../src/indices/index.ts";
import {
  hierarchicalSplitter,
  markdownSplitter,
  sentenceSplitter,
  sentenceWindowSplitter,
  tokenSplitter,
} from "../../src/ingest/splitters/index.ts";
import { languageRerank } from "../../src/models/index.ts";
import {
  embeddingRecency,
  fixedRecency,
  previousNext,
  rerank,
  timeWeightedRecency,
} from "../../src/postprocess/index.ts";
import {
  citationQueryEngine,
  customQueryEngine,
  multiStepQueryEngine,
  retryQueryEngine,
  routerQueryEngine,
  subQuestionQueryEngine,
} from "../../src/query-engine/index.ts";
import {
  autoMergingRetriever,
  autoRetriever,
  defineRetriever,
  fusionRetriever,
  hyde,
  modelSelector,
} from "../../src/retrieval/index.ts";
import { document, type NodeWithScore, type Postprocessor, type Splitter, textNode } from "../../src/schema/index.ts";
import { memoryDocstore } from "../../src/stores/index.ts";
import { promptBudget, responseSynthesizer } from "../../src/synthesis/index.ts";
import { scriptModel } from "./script-model.ts";
import { hashEmbedding } from "./support.ts";

type Options = Record<string, never>;

interface Class {
  /** Python's parameters that are options here, by name. */
  options: Record<string, string>;
  /** Defaults of ours that are others. */
  differs?: Record<string, unknown>;
  /** Parameters that are something else here, with what. */
  elsewhere?: Record<string, string>;
  run(options: Options): unknown;
}

const PARTS = "the parts are required, and every other parameter is optional without a default of its own";

/** Parameters of many classes. */
const ELSEWHERE: Record<string, string> = {
  callback_manager: "`trace` in each call",
  use_async: "every call is asynchronous; `parallel` says how many at once",
  prompt_helper: "its options stand beside the others",
  chat_prompt_helper: "the same",
  program_factory: "`schema`",
  multimodal: "no pictures among the passages of a prompt",
  show_progress: "`onProgress`",
  objects: "`obj` of index nodes",
  memory_cls: "`memory`",
  device: "the model's",
  trust_remote_code: "never",
  index_struct: "`indexId`",
};

const nodes: NodeWithScore[] = Array.from({ length: 30 }, (_, i) => ({
  node: textNode({
    id: `n${i}`,
    text: `passage ${i} of many words`,
    metadata: { date: `2024-01-${String(i + 1).padStart(2, "0")}` },
  }),
  score: 1 - i / 30,
}));
const found = defineRetriever(() => nodes.map((item) => ({ ...item })));
const ids = (list: readonly NodeWithScore[]) => list.map(({ node, score }) => [node.id, score]);

const LONG = Array.from({ length: 1500 }, (_, i) =>
  i % 3 === 0 ? `# Part ${i}\nSentence ${i}; of words, and clauses.` : `第${i}句，有${i % 7}个字。`,
).join("\n\n\n");

const split = (splitter: Splitter) =>
  splitter
    .split(document({ id: "d", text: LONG, metadata: { file: "a.md" } }))
    .then((list) => list.map(({ text, metadata, relationships }) => [text, metadata, Object.keys(relationships)]));
const postprocess = async (part: Postprocessor, list = nodes) =>
  ids(await part.postprocess([...list], { query: { query: "passage" } }));

const COMMON_SPLITTER = { include_metadata: "includeMetadata", include_prev_next_rel: "includePrevNext" };

/** By Python's name; a text is the reason for which a class is not probed. */
export const CLASSES: Record<string, Class | string> = {
  get_response_synthesizer: {
    options: {
      response_mode: "mode",
      streaming: "streaming",
      structured_answer_filtering: "structuredFiltering",
      verbose: "verbose",
    },
    run: (options) => asked((model) => responseSynthesizer({ model, ...options }).synthesize({ query: "q", nodes })),
  },
  VectorIndexRetriever: {
    options: { vector_store_query_mode: "mode", similarity_top_k: "topK" },
    differs: { similarity_top_k: 10 },
    elsewhere: { verbose: "`trace`", embed_model: "the index's `embedding`" },
    run: (options) => overIndex(async (index) => ids(await index.asRetriever(options).retrieve("passage"))),
  },
  QueryFusionRetriever: {
    options: { mode: "mode", similarity_top_k: "topK", num_queries: "numQueries", verbose: "verbose" },
    differs: { mode: "reciprocal_rerank", similarity_top_k: 10, num_queries: 1 },
    run: async (options) =>
      ids(await fusionRetriever({ retrievers: [found, found], model: scriptModel(), ...options }).retrieve("q")),
  },
  RecursiveRetriever: PARTS,
  AutoMergingRetriever: {
    options: { simple_ratio_thresh: "threshold" },
    elsewhere: { verbose: "`trace`" },
    run: async (options) => {
      const docstore = memoryDocstore();
      return ids(await autoMergingRetriever({ retriever: found, docstore, ...options }).retrieve("q"));
    },
  },
  "RouterRetriever.from_defaults": {
    options: { select_multi: "multiple" },
    run: (options) => asked((model) => selected(modelSelector({ model, ...options })), CHOICES),
  },
  TransformRetriever: PARTS,
  VectorIndexAutoRetriever: {
    options: {
      max_top_k: "maxTopK",
      similarity_top_k: "topK",
      empty_query_top_k: "emptyQueryTopK",
      vector_store_query_mode: "mode",
      verbose: "verbose",
    },
    differs: { similarity_top_k: 10 },
    run: async (options) => {
      const seen: unknown[] = [];
      const asRetriever = ({ mode = "default", ...given }) => {
        seen.push({ mode, ...given });
        return found;
      };
      for (const spec of [
        '{"query": "a", "filters": []}',
        '{"query": "", "filters": []}',
        '{"query": "a", "filters": [], "top_k": 50}',
      ]) {
        const model = scriptModel({ answers: [spec] });
        await autoRetriever({ index: { asRetriever }, model, contentInfo: "", metadataInfo: [], ...options }).retrieve(
          "q",
        );
      }
      return seen;
    },
  },
  "RetrieverQueryEngine.from_args": {
    options: { response_mode: "mode", streaming: "streaming", verbose: "verbose" },
    run: (options) => asked((model) => responseSynthesizer({ model, ...options }).synthesize({ query: "q", nodes })),
  },
  RetrieverQueryEngine: PARTS,
  CitationQueryEngine: {
    options: {
      citation_chunk_size: "citationChunkSize",
      citation_chunk_overlap: "citationChunkOverlap",
      metadata_mode: "metadataMode",
    },
    differs: { citation_chunk_size: 256 },
    run: cited,
  },
  "CitationQueryEngine.from_args": {
    options: {
      citation_chunk_size: "citationChunkSize",
      citation_chunk_overlap: "citationChunkOverlap",
      metadata_mode: "metadataMode",
      response_mode: "mode",
      streaming: "streaming",
    },
    differs: { citation_chunk_size: 256 },
    elsewhere: {
      citation_qa_template: "`prompts`",
      citation_refine_template: "`prompts`",
      citation_chat_content_qa_template: "no pictures",
      citation_chat_content_refine_template: "no pictures",
    },
    run: cited,
  },
  RouterQueryEngine: {
    options: { verbose: "verbose" },
    run: (options) =>
      asked((model) => {
        const routes = [{ engine: customQueryEngine(() => "a"), description: "" }];
        return routerQueryEngine({ routes, selector: modelSelector({ model, ...options }), model }).query("q");
      }, CHOICES),
  },
  "RouterQueryEngine.from_defaults": {
    options: { select_multi: "multiple" },
    run: (options) => asked((model) => selected(modelSelector({ model, ...options })), CHOICES),
  },
  "SubQuestionQueryEngine.from_defaults": {
    options: { verbose: "verbose" },
    differs: { verbose: false },
    run: (options) =>
      asked(
        (model) => {
          const tools = [{ name: "a", description: "", engine: customQueryEngine(() => "x") }];
          return subQuestionQueryEngine({ tools, model, ...options }).query("q");
        },
        ['[{"sub_question": "s", "tool_name": "a"}]'],
      ),
  },
  TransformQueryEngine: PARTS,
  MultiStepQueryEngine: {
    options: { num_steps: "numSteps", index_summary: "indexSummary" },
    elsewhere: { early_stopping: "a step without a question ends it" },
    run: (options) =>
      asked((model) => multiStepQueryEngine({ engine: customQueryEngine(() => "x"), model, ...options }).query("q")),
  },
  RetryQueryEngine: {
    options: { max_retries: "maxRetries" },
    run: async (options) => {
      let asked = 0;
      const engine = customQueryEngine(() => `${++asked}`);
      const evaluator = { evaluate: async () => ({ passing: false }) };
      await retryQueryEngine({ engine, evaluator, ...options }).query("q");
      return asked;
    },
  },
  HyDEQueryTransform: {
    options: { include_original: "includeOriginal" },
    run: (options) => hyde({ model: scriptModel(), ...options })({ query: "q" }, {}),
  },
  "CondenseQuestionChatEngine.from_defaults": {
    options: { verbose: "verbose" },
    run: (options) =>
      asked((model) =>
        twice(condenseQuestionChatEngine({ queryEngine: customQueryEngine(() => "x"), model, ...options })),
      ),
  },
  "ContextChatEngine.from_defaults": {
    options: {},
    run: (options) => asked((model) => twice(contextChatEngine({ retriever: found, model, ...options }))),
  },
  "CondensePlusContextChatEngine.from_defaults": {
    options: { skip_condense: "skipCondense", verbose: "verbose" },
    run: (options) => asked((model) => twice(condensePlusContextChatEngine({ retriever: found, model, ...options }))),
  },
  "SimpleChatEngine.from_defaults": {
    options: {},
    run: (options) => asked((model) => twice(simpleChatEngine({ model, ...options }))),
  },
  SentenceSplitter: {
    options: {
      ...COMMON_SPLITTER,
      separator: "separator",
      chunk_size: "chunkSize",
      chunk_overlap: "chunkOverlap",
      paragraph_separator: "paragraphSeparator",
      secondary_chunking_regex: "secondaryChunkingRegex",
    },
    run: (options) => split(sentenceSplitter(options)),
  },
  TokenTextSplitter: {
    options: {
      ...COMMON_SPLITTER,
      separator: "separator",
      chunk_size: "chunkSize",
      chunk_overlap: "chunkOverlap",
      backup_separators: "backupSeparators",
      keep_whitespaces: "keepWhitespaces",
    },
    run: (options) => split(tokenSplitter(options)),
  },
  "SentenceWindowNodeParser.from_defaults": {
    options: {
      ...COMMON_SPLITTER,
      window_size: "windowSize",
      window_metadata_key: "windowMetadataKey",
      original_text_metadata_key: "originalTextMetadataKey",
    },
    run: (options) => split(sentenceWindowSplitter(options)),
  },
  "HierarchicalNodeParser.from_defaults": {
    options: { ...COMMON_SPLITTER, chunk_overlap: "chunkOverlap" },
    run: (options) => split(hierarchicalSplitter(options)),
  },
  "MarkdownNodeParser.from_defaults": {
    options: { ...COMMON_SPLITTER, header_path_separator: "headerPathSeparator" },
    run: (options) => split(markdownSplitter(options)),
  },
  LLMRerank: {
    options: { choice_batch_size: "maxBatch" },
    elsewhere: { top_n: "`topN` of `rerank`, which keeps all by default" },
    run: (options) =>
      asked(
        (model) => postprocess(rerank({ model: languageRerank(model, options) })),
        ["Doc: 1, Relevance: 5", "none", "none"],
      ),
  },
  SentenceTransformerRerank:
    "its default is a model to be downloaded; `rerank` is given one, and keeps all unless `topN` says otherwise",
  PromptHelper: {
    options: {
      context_window: "contextWindow",
      num_output: "maxOutputTokens",
      chunk_overlap_ratio: "overlapRatio",
      separator: "separator",
    },
    run: async (options) => {
      const budget = promptBudget(options);
      return [await budget.chunkSize("{context_str}", {}), await budget.repack("{context_str}", [LONG], {})];
    },
  },
  VectorStoreIndex: {
    options: { store_nodes_override: "storeNodesOverride" },
    elsewhere: { insert_batch_size: "the embedding model's `maxBatch`" },
    run: (options) => overIndex(async (index) => [...index.nodesDict].length, options),
  },
  "VectorStoreIndex.from_documents": PARTS,
  as_chat_engine: {
    options: { chat_mode: "mode" },
    run: (options) => overIndex((index) => asked((model) => twice(index.asChatEngine({ model, ...options })))),
  },
  as_query_engine: PARTS,
  SimilarityPostprocessor:
    "its default 0 drops nodes without a score, which is no cutoff that anybody asked for: here none is the default",
  KeywordNodePostprocessor: "words are compared, not a language's tokens: there is no `lang`, and no default",
  PrevNextNodePostprocessor: {
    options: { num_nodes: "count", mode: "mode" },
    run: async (options) => {
      const docstore = memoryDocstore();
      const chain = Array.from({ length: 6 }, (_, i) =>
        textNode({
          id: `c${i}`,
          text: `${i}`,
          relationships: { previous: { id: `c${i - 1}` }, next: { id: `c${i + 1}` } },
        }),
      );
      await docstore.add(chain);
      return postprocess(previousNext({ docstore, ...options }), [{ node: chain[3]!, score: 1 }]);
    },
  },
  TimeWeightedPostprocessor: {
    options: {
      time_decay: "decay",
      last_accessed_key: "accessedKey",
      top_k: "topK",
    },
    elsewhere: { time_access_refresh: "what was shown is told by a copy; nodes are never changed" },
    run: (options) => postprocess(timeWeightedRecency({ now: () => 1_700_000_000, ...options })),
  },
  FixedRecencyPostprocessor: {
    options: { top_k: "topK", date_key: "dateKey" },
    run: (options) => postprocess(fixedRecency(options)),
  },
  EmbeddingRecencyPostprocessor: {
    options: { date_key: "dateKey", similarity_cutoff: "similarityCutoff" },
    elsewhere: { embed_model: "`embedding`", query_embedding_tmpl: "the passage itself is compared" },
    run: (options) => postprocess(embeddingRecency({ embedding: hashEmbedding(), ...options })),
  },
};

const CHOICES = ['[{"choice": 2, "reason": "a"}, {"choice": 1, "reason": "b"}]'];

function selected(selector: ReturnType<typeof modelSelector>): Promise<unknown> {
  return selector([{ description: "a" }, { description: "b" }], { query: "q" }, {});
}

/** What a part asks a model, and what comes of it. */
async function asked(
  run: (model: ReturnType<typeof scriptModel>) => unknown,
  answers: string[] = [],
): Promise<unknown> {
  const model = scriptModel({ answers });
  const result = await run(model);
  const text = (result as { text?: Promise<string> } | undefined)?.text;
  return [model.calls, text === undefined ? JSON.stringify(result) : await text];
}

async function twice(engine: { chat(message: string): Promise<{ text: Promise<string> }> }): Promise<string[]> {
  return [await (await engine.chat("one")).text, await (await engine.chat("two")).text];
}

function cited(options: Options): Promise<unknown> {
  const long = { node: textNode({ text: LONG, metadata: { file: "a.md" } }), score: 1 };
  return asked(async (model) => {
    const answer = await citationQueryEngine({ retriever: defineRetriever(() => [long]), model, ...options }).query(
      "q",
    );
    return answer.sources.map(({ node }) => node.text);
  });
}

async function overIndex<T>(
  run: (index: Awaited<ReturnType<typeof made>>) => T,
  options: Options = {},
): Promise<Awaited<T>> {
  return await run(await made(options));
}

function made(options: Options) {
  return vectorStoreIndex({ nodes: nodes.map(({ node }) => node), embedding: hashEmbedding(), ...options });
}

/** Every recorded parameter is known, and each default does what is said of it. */
export async function probe(
  name: string,
  recorded: Record<string, { default?: unknown; required?: true }>,
): Promise<void> {
  const known = CLASSES[name] as Class;
  const { options, differs = {}, elsewhere = {}, run } = known;
  const given: Record<string, unknown> = {};
  for (const [parameter, { default: value, required }] of Object.entries(recorded)) {
    const ours = options[parameter];
    const other = elsewhere[parameter] ?? ELSEWHERE[parameter];
    if (required || (ours === undefined && (other !== undefined || value === null))) continue;
    if (ours === undefined) throw new Error(`${name} has a default of ${parameter} that nothing is said of`);
    if (Object.hasOwn(differs, parameter)) {
      expect(differs[parameter]).not.toEqual(value);
      given[ours] = differs[parameter];
    } else if (value !== null) given[ours] = ours.endsWith("Regex") ? new RegExp(value as string, "g") : value;
  }
  expect(await run(given as Options)).toEqual(await run({}));
}
