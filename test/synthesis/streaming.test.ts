import { describe, expect, it } from "vitest";
import { eventStream, type GenerateOptions, type LanguageModel, textNode } from "../../src/schema/index.ts";
import { type ResponseMode, responseSynthesizer } from "../../src/synthesis/index.ts";

const nodes = [{ node: textNode({ text: "Annual leave is five days." }), score: 1 }];

/** Streams the pieces, then waits for the abort, or throws. */
function stalling(pieces: string[], end: "stall" | Error): LanguageModel & { signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  return {
    name: "stalling",
    signals,
    generate: async () => pieces.join(""),
    async *stream({ signal }: GenerateOptions) {
      signals.push(signal!);
      yield* pieces;
      if (end !== "stall") throw end;
      await new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));
    },
  };
}

function ask(model: LanguageModel, mode: ResponseMode = "compact", call: { signal?: AbortSignal } = {}) {
  return responseSynthesizer({ model, mode, streaming: true }).synthesize({ query: "days?", nodes, ...call });
}

describe("a streamed answer", () => {
  it("has its sources before the first token, and is iterated, piped and teed", async () => {
    const model = stalling([], new Error("unused"));
    model.stream = async function* () {
      yield* ["five ", "days"];
    };
    const answer = await ask(model);
    expect(answer.sources).toHaveLength(1);
    const [one, two] = answer.textStream.tee();
    const read = async (stream: ReadableStream<string>) => {
      const reader = stream.getReader();
      let text = "";
      for (let step = await reader.read(); !step.done; step = await reader.read()) text += step.value;
      return text;
    };
    expect(await Promise.all([read(one), read(two), answer.text])).toEqual(["five days", "five days", "five days"]);
    expect(await new Response((await ask(model)).textStream.pipeThrough(new TextEncoderStream())).text()).toBe(
      "five days",
    );
  });

  it("keeps its text when it breaks off, and tells every reader why", async () => {
    const answer = await ask(stalling(["five "], new Error("connection lost")));
    await expect(answer.text).rejects.toThrow("connection lost");
    expect(answer.textSoFar).toBe("five ");
    await expect(answer.text).rejects.toThrow("connection lost");
  });

  it("ends the request when it is cancelled, whoever does it", async () => {
    const ways: ((answer: Awaited<ReturnType<typeof ask>>) => void)[] = [
      (answer) => answer.cancel(),
      (answer) => void answer.textStream.cancel(),
    ];
    for (const way of ways) {
      const model = stalling(["five "], "stall");
      const answer = await ask(model);
      const reading = (async () => {
        for await (const piece of answer.textStream) {
          expect(piece).toBe("five ");
          way(answer);
        }
      })();
      await expect(reading).rejects.toMatchObject({ name: "AbortError" });
      expect(model.signals[0]!.aborted).toBe(true);
      expect(answer.textSoFar).toBe("five ");
    }
    const model = stalling(["five "], "stall");
    const controller = new AbortController();
    const answer = await ask(model, "compact", { signal: controller.signal });
    const text = answer.text;
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(text).rejects.toThrow("enough");
  });

  it("starts its only call at once where nothing comes before it, and nobody has to read it", async () => {
    for (const mode of ["tree_summarize", "simple_summarize", "generation"] as const) {
      const model = stalling([], new Error("nobody hears of this"));
      const answer = await ask(model, mode);
      expect(model.signals).toHaveLength(1);
      await new Promise((resolve) => setTimeout(resolve));
      await expect(answer.text).rejects.toThrow("nobody hears");
    }
  });

  it("is refused where whole answers stand side by side", async () => {
    await expect(ask(stalling([], "stall"), "accumulate")).rejects.toMatchObject({ code: "STREAMING_NOT_SUPPORTED" });
  });

  it("ends the trace's step when it is cancelled", async () => {
    const trace = eventStream();
    const synthesizer = responseSynthesizer({ model: stalling(["a"], "stall"), streaming: true });
    const answer = await synthesizer.synthesize({ query: "days?", nodes, trace });
    const reading = (async () => {
      for await (const _ of answer.textStream) answer.cancel(new Error("left"));
    })();
    await expect(reading).rejects.toThrow("left");
    await new Promise((resolve) => setTimeout(resolve));
    expect(trace.events.at(-1)).toMatchObject({
      type: "end",
      kind: "generate",
      attributes: { characters: 1, left: true },
    });
  });
});
