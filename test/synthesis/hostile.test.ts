/** Questions, passages and models that do what they should not. */
import { describe, expect, it } from "vitest";
import { condensePlusContextChatEngine, simpleChatEngine } from "../../src/chat/index.ts";
import {
  citationQueryEngine,
  multiStepQueryEngine,
  relevancyEvaluator,
  retrieverQueryEngine,
  retryQueryEngine,
  routerQueryEngine,
  subQuestionQueryEngine,
} from "../../src/query-engine/index.ts";
import {
  autoRetriever,
  defineRetriever,
  fusionRetriever,
  hyde,
  modelSelector,
  transformRetriever,
} from "../../src/retrieval/index.ts";
import { eventStream, type LanguageModel, type QueryEngine, textNode } from "../../src/schema/index.ts";
import { RESPONSE_MODES, type ResponseMode, responseSynthesizer } from "../../src/synthesis/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const BRACES =
  "{context_str} {query_str} {existing_answer} {chat_history} {message_0} {{x}} $& $1 \\1 %s </passages>\ud800";
const passages = (text = BRACES, count = 2) =>
  Array.from({ length: count }, (_, i) => ({ node: textNode({ id: `n${i}`, text: `${i} ${text}` }), score: 1 }));
const retriever = (text?: string, count?: number) => defineRetriever(() => passages(text, count));
const WITHOUT_MODEL: ResponseMode[] = ["no_text", "context_only"];

function prompts(model: ReturnType<typeof mockLanguageModel>): string {
  return model.calls.map((call) => call.prompt ?? call.messages!.map(({ content }) => content).join("\n")).join("\n");
}

/** Every engine over a model, with what it finds. */
function engines(model: LanguageModel, found = retriever()): Record<string, QueryEngine> {
  const inner = retrieverQueryEngine({ retriever: found, model });
  return {
    retriever: inner,
    citation: citationQueryEngine({ retriever: found, model }),
    router: routerQueryEngine({
      routes: [{ engine: inner, description: BRACES }],
      selector: modelSelector({ model }),
      model,
    }),
    "sub-question": subQuestionQueryEngine({ tools: [{ name: "a", description: BRACES, engine: inner }], model }),
    "multi-step": multiStepQueryEngine({ engine: inner, model }),
    retry: retryQueryEngine({ engine: inner, evaluator: relevancyEvaluator({ model }) }),
    auto: retrieverQueryEngine({
      retriever: autoRetriever({ index: { asRetriever: () => found }, model, contentInfo: BRACES, metadataInfo: [] }),
      model,
    }),
    fusion: retrieverQueryEngine({ retriever: fusionRetriever({ retrievers: [found], model, numQueries: 3 }), model }),
    hyde: retrieverQueryEngine({
      retriever: transformRetriever({ retriever: found, transform: hyde({ model }) }),
      model,
    }),
  };
}

describe("text that looks like a template", () => {
  it("stays as it is in every mode, whatever said it", async () => {
    for (const mode of RESPONSE_MODES.filter((one) => !WITHOUT_MODEL.includes(one))) {
      const model = mockLanguageModel({ answers: () => `answer ${BRACES}` });
      await responseSynthesizer({ mode, model }).synthesize({ query: `q ${BRACES}`, nodes: passages() });
      expect(prompts(model), mode).toContain(`q ${BRACES}`);
      if (mode !== "generation") expect(prompts(model), mode).toContain(BRACES.replace("</", "‹/"));
    }
  });

  it("stays as it is in a conversation", async () => {
    const model = mockLanguageModel({ answers: () => `said ${BRACES}` });
    for (const engine of [
      condensePlusContextChatEngine({ retriever: retriever(), model }),
      simpleChatEngine({ model }),
    ]) {
      await engine.chat(`one ${BRACES}`);
      await engine.chat(`two ${BRACES}`);
      const last = model.calls.at(-1)!.messages!.map(({ content }) => content);
      expect(last.slice(-3)).toEqual([`one ${BRACES}`, `said ${BRACES}`, `two ${BRACES}`]);
    }
  });
});

describe("a model that answers what nobody can use", () => {
  const answers: Record<string, string> = {
    nothing: "",
    "white space": " \n\t ",
    "half an object": '{"choice": 1, "items": [{"sub_question": "a", ',
    "an object in itself": '{"choice": {"choice": {"choice": {}}}}',
    "deep nesting": "[".repeat(50_000),
    "ten megabytes": "word ".repeat(2_000_000),
    "ten megabytes of one line of JSON": `[${'{"choice":1,"reason":"x"},'.repeat(400_000)}`,
    anchors: "{a: &a [1,1,1,1,1,1,1,1,1], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a], c: [*b,*b,*b,*b,*b,*b,*b,*b]}",
    prototype:
      '{"__proto__": {"choice": 1}, "constructor": 1, "query": "q", "filters": [{"key": "__proto__", "value": 1}]}',
    "lone surrogates": "\ud800\udc00\udfff\ud800",
  };

  it.each(Object.keys(answers))(
    "%s: each engine answers, or says what the model said",
    async (name) => {
      for (const engine of Object.keys(engines(mockLanguageModel({ answers: [] })))) {
        const model = mockLanguageModel({ answers: () => answers[name]! });
        try {
          await (await engines(model)[engine]!.query("q")).text;
        } catch (error) {
          expect(error, engine).toMatchObject({
            code: expect.stringMatching(/^(ANSWER_FORMAT|PROMPT_TOO_LONG|BUDGET_EXCEEDED)$/),
          });
          expect((error as Error).message.length).toBeLessThan(2000);
        }
        expect(model.calls.length, engine).toBeLessThanOrEqual(500);
      }
      expect(({} as { choice?: number }).choice).toBeUndefined();
    },
    60_000,
  );
});

describe("cancelling", () => {
  it("ends every mode and every engine with the signal's reason, before and during a call", async () => {
    for (const mode of RESPONSE_MODES.filter((one) => !WITHOUT_MODEL.includes(one))) {
      for (const streaming of mode.includes("accumulate") ? [false] : [false, true]) {
        const { model, controller } = stuck();
        const asked = responseSynthesizer({ mode, model, streaming })
          .synthesize({ query: "q", nodes: passages(), signal: controller.signal })
          .then((answer) => answer.text);
        await expect(asked, `${mode} ${streaming}`).rejects.toThrow("enough");
      }
    }
    for (const name of Object.keys(engines(mockLanguageModel({ answers: [] })))) {
      const { model, controller } = stuck();
      const trace = eventStream();
      const asked = engines(model)[name]!.query("q", { signal: controller.signal, trace });
      await expect(asked, name).rejects.toThrow("enough");
      const open = trace.events.filter((event) => event.type === "start").length;
      expect(trace.events.length - open, `${name} ends its spans`).toBe(open);
      const before = new AbortController();
      before.abort(new Error("before"));
      await expect(engines(model)[name]!.query("q", { signal: before.signal })).rejects.toThrow("before");
    }
  });
});

/** A model whose call never ends by itself; it is cancelled once it was asked. */
function stuck(): { model: LanguageModel; controller: AbortController } {
  const controller = new AbortController();
  const hang = (signal: AbortSignal | undefined) =>
    new Promise<never>((_, reject) => {
      signal!.addEventListener("abort", () => reject(signal!.reason));
      queueMicrotask(() => controller.abort(new Error("enough")));
    });
  const model: LanguageModel = {
    name: "stuck",
    generate: ({ signal }) => hang(signal),
    async *stream({ signal }) {
      yield "piece ";
      await hang(signal);
    },
  };
  return { model, controller };
}

it("where nothing is found, every engine says so, and no model writes an answer", async () => {
  const model = mockLanguageModel({ answers: () => '[{"choice": 1, "sub_question": "q", "tool_name": "a"}]' });
  const nothing = defineRetriever(() => []);
  for (const [name, engine] of Object.entries(engines(model, nothing))) {
    const answer = await engine.query("q").catch((error: unknown) => error);
    if (answer instanceof Error) expect((answer as { code?: string }).code, name).toBe("ANSWER_FORMAT");
    else if (name === "retriever" || name === "citation") expect((answer as { kind: string }).kind).toBe("empty");
  }
});
