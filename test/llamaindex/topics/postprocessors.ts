import { expect } from "vitest";
import { languageRerank } from "../../../src/models/index.ts";
import { parseRanking } from "../../../src/models/parse-ranking.ts";
import {
  autoPreviousNext,
  longContextReorder,
  metadataReplacement,
  type NeighbourMode,
  previousNext,
  rerank,
  similarityCutoff,
  timeWeightedRecency,
} from "../../../src/postprocess/index.ts";
import type { LanguageModel, Postprocessor } from "../../../src/schema/index.ts";
import { memoryDocstore } from "../../../src/stores/index.ts";
import {
  expectClose,
  expectRanked,
  fromScored,
  idsScores,
  type JsonNode,
  type Outcome,
  type Topic,
  toNode,
  toScored,
} from "../support.ts";

type Scored = [string, number | null];

interface Input {
  postprocessor: string;
  nodes: JsonNode[];
  docstore?: JsonNode[];
  query?: string;
  similarity_cutoff?: number | null;
  target_metadata_key?: string;
  mode?: NeighbourMode;
  num_nodes?: number;
  llm_answers?: string[];
  time_decay?: number;
  now?: number;
  top_k?: number;
  answer?: string;
  num_choices?: number;
  answers?: string[];
  template?: string;
  top_n?: number;
  choice_batch_size?: number;
}

interface Result {
  nodes: (Scored | JsonNode)[];
  prompts?: string[];
  choices?: number[];
  relevances?: number[];
}

export const topic: Topic<Input> = {
  async run(input) {
    if (input.postprocessor === "llm-rerank-parse") {
      const marked = parseRanking(input.answer!, input.num_choices!) ?? [];
      return { choices: marked.map(({ number }) => number), relevances: marked.map(({ score }) => score) };
    }
    const prompts: string[] = [];
    const part = await postprocessor(input, scripted(input.llm_answers ?? input.answers ?? [], prompts));
    const nodes = await part.postprocess(
      input.nodes.map(toScored),
      input.query === undefined ? {} : { query: { query: input.query } },
    );
    if (input.postprocessor === "metadata-replacement") return { nodes: nodes.map((item) => fromScored(item)) };
    if (input.postprocessor === "time-weighted") {
      return { nodes: idsScores(nodes), last_accessed: nodes.map(({ node }) => node.metadata["__last_accessed__"]) };
    }
    return { nodes: idsScores(nodes), ...(prompts.length > 0 ? { prompts } : {}) };
  },
  compare(actual: Result, expected: Result, { postprocessor: kind }: Input, name: string) {
    if (kind.startsWith("llm-rerank") && expected.nodes) {
      // Those with equal marks may come in either order.
      expectClose(actual.prompts, expected.prompts, 0);
      expectRanked(actual.nodes as Scored[], expected.nodes as Scored[], {
        score: ([, s]) => s,
        key: ([id]) => id,
        name,
      });
    } else expectClose(actual, expected, 1e-9);
  },
  quirks: {
    "better convert it": ({ value }: Outcome, _: unknown, { nodes, target_metadata_key }: Input) => {
      const [first] = (value as unknown as Result).nodes as JsonNode[];
      expect(first!.text).toBe(String(nodes[0]!.metadata![target_metadata_key!]));
    },
    "better keep the score": ({ value }: Outcome, expected: Result, { nodes }: Input) => {
      const scores = new Map(nodes.map((node) => [node.id, node.score]));
      const kept = (expected.nodes as Scored[]).map(([id, score]) => [id, scores.get(id) ?? score]);
      expectClose((value as unknown as Result).nodes, kept, 1e-9);
    },
    "better stop there": ({ value }: Outcome, _: unknown, { nodes, docstore }: Input) => {
      const known = new Set([...nodes, ...docstore!].map((node) => node.id));
      const found = (value as unknown as Result).nodes as Scored[];
      for (const node of nodes) expect(found.map(([id]) => id)).toContain(node.id);
      for (const [id] of found) expect(known).toContain(id);
    },
    "better document order": ({ value }: Outcome, expected: Result) => {
      const actual = value as unknown as Result;
      expectClose(actual.prompts, expected.prompts, 0);
      const byId = (nodes: Scored[]) => [...nodes].sort(([a], [b]) => (a < b ? -1 : 1));
      expectClose(byId(actual.nodes as Scored[]), byId(expected.nodes as Scored[]), 1e-9);
    },
    "better read a decimal number": (outcome: Outcome) => sensibleMarks(outcome),
    "better drop them": (outcome: Outcome) => sensibleMarks(outcome),
    "better keep the best": (outcome: Outcome) => sensibleMarks(outcome),
    "better drop the line": (outcome: Outcome) => sensibleMarks(outcome),
    "better accept them": (outcome: Outcome) => sensibleMarks(outcome),
    // The language model's answer is read more kindly here.
    "name:no colon": (outcome: Outcome) => sensibleMarks(outcome),
    "name:three fields": (outcome: Outcome) => sensibleMarks(outcome),
    "name:bare numbers": (outcome: Outcome) => sensibleMarks(outcome),
    "name:all relevances without digits": (outcome: Outcome) => sensibleMarks(outcome),
    // And one that says nothing is not taken for "none of these".
    "name:llm-rerank: empty": ({ error }: Outcome) => expect(error).toBeDefined(),
  },
};

/** Each passage once, each with a mark, no number that none has. */
function sensibleMarks({ value }: Outcome): void {
  const { choices, relevances, nodes } = value as unknown as Result;
  if (nodes) {
    expect(new Set((nodes as Scored[]).map(([id]) => id)).size).toBe(nodes.length);
    expect((nodes as Scored[]).every(([, score]) => typeof score === "number")).toBe(true);
    return;
  }
  expect(new Set(choices).size).toBe(choices!.length);
  expect(Math.min(...choices!)).toBeGreaterThan(0);
  expect(relevances).toHaveLength(choices!.length);
}

function scripted(answers: readonly string[], prompts: string[]): LanguageModel {
  return {
    name: "script",
    async generate({ prompt }) {
      prompts.push(prompt!);
      return answers[prompts.length - 1] ?? `answer-${prompts.length}`;
    },
    async *stream() {},
  };
}

async function postprocessor(input: Input, model: LanguageModel): Promise<Postprocessor> {
  const docstore = memoryDocstore();
  await docstore.add((input.docstore ?? []).map(toNode));
  const count = input.num_nodes ?? 1;
  switch (input.postprocessor) {
    case "similarity":
      return similarityCutoff(input.similarity_cutoff ?? undefined);
    case "long-context-reorder":
      return longContextReorder();
    case "metadata-replacement":
      return metadataReplacement(input.target_metadata_key!);
    case "prev-next":
      return previousNext({ docstore, count, mode: input.mode! });
    case "auto-prev-next":
      return autoPreviousNext({ docstore, count, model, prompt: "INFER {query_str} | {context_str}" });
    case "time-weighted":
      return timeWeightedRecency({ decay: input.time_decay!, topK: input.top_k!, now: () => input.now! });
    case "llm-rerank": {
      const prompt = input.template ?? "{context_str}{query_str}";
      const format = (passages: { number: number; text: string }[]) =>
        passages.map(({ number, text }) => `Document ${number}:\n${text}`).join("\n\n");
      const reranker = languageRerank(model, { prompt, format, maxBatch: input.choice_batch_size ?? 10 });
      return rerank({ model: reranker, topN: input.top_n ?? 10 });
    }
    default:
      throw new Error(`no postprocessor called ${input.postprocessor}`);
  }
}
