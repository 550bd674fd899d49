import type { Attributes, Context, SpanOptions, Tracer } from "@opentelemetry/api";
import { trace as openTelemetry, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { describe, expect, it } from "vitest";
import { vectorStoreIndex } from "../../src/indices/index.ts";
import { defineRetriever, fusionRetriever } from "../../src/retrieval/index.ts";
import { document } from "../../src/schema/index.ts";
import { openTelemetryTrace } from "../../src/telemetry/index.ts";
import { mockEmbeddingModel } from "../../src/testing.ts";

interface Recorded {
  name: string;
  kind: SpanKind | undefined;
  parent: string | undefined;
  attributes: Attributes;
  status?: number;
  ended: boolean;
}

/** A tracer that remembers; the API has none of its own. */
function recorder(): { tracer: Tracer; spans: Recorded[] } {
  const spans: Recorded[] = [];
  const tracer = {
    startSpan(name: string, options: SpanOptions = {}, parent?: Context) {
      const id = String(spans.length + 1).padStart(16, "0");
      const above = parent && openTelemetry.getSpanContext(parent)?.spanId;
      const recorded: Recorded = {
        name,
        kind: options.kind,
        parent: above,
        attributes: { ...options.attributes },
        ended: false,
      };
      spans.push(recorded);
      const span = {
        spanContext: () => ({ traceId: "1".padStart(32, "0"), spanId: id, traceFlags: 1 }),
        setAttribute: (key: string, value: string) => void (recorded.attributes[key] = value),
        setAttributes: (more: Attributes) => void Object.assign(recorded.attributes, more),
        setStatus: ({ code }: { code: number }) => void (recorded.status = code),
        recordException() {},
        end: () => void (recorded.ended = true),
      };
      return span as never;
    },
  } as unknown as Tracer;
  return { tracer, spans };
}

describe("OpenTelemetry spans", () => {
  it("stand for steps, one below the other, by the conventions for generative AI", async () => {
    const { tracer, spans } = recorder();
    const embedding = mockEmbeddingModel();
    const index = await vectorStoreIndex({ documents: [document({ text: "a" })], embedding });
    const retriever = fusionRetriever({ retrievers: { dense: index.asRetriever() } });
    await retriever.retrieve("secret", { trace: openTelemetryTrace({ tracer }) });
    expect(spans.map(({ name, parent, kind }) => [name, parent && Number(parent), kind])).toEqual([
      ["retrieval fusion", undefined, SpanKind.INTERNAL],
      ["retrieval vector", 1, SpanKind.INTERNAL],
      ["embeddings mock/embedding", 2, SpanKind.CLIENT],
      ["fuse reciprocal_rerank", 1, SpanKind.INTERNAL],
    ]);
    expect(spans[2]!.attributes).toMatchObject({
      "gen_ai.operation.name": "embeddings",
      "gen_ai.provider.name": "mock",
      "gen_ai.request.model": "embedding",
      "huiliu.texts": 1,
    });
    expect(spans[0]!.attributes["huiliu.results"]).toBe(1);
    expect(JSON.stringify(spans)).not.toContain("secret");
    expect(spans.every((span) => span.ended)).toBe(true);
  });

  it("tell of errors, and of the question only if asked to", async () => {
    const { tracer, spans } = recorder();
    const failing = defineRetriever(() => Promise.reject(new TypeError("no index")), { name: "broken" });
    const trace = openTelemetryTrace({ tracer, recordContent: true });
    await expect(failing.retrieve("q", { trace })).rejects.toThrow("no index");
    expect(spans[0]).toMatchObject({ status: SpanStatusCode.ERROR, ended: true });
    expect(spans[0]!.attributes).toMatchObject({ "error.type": "TypeError", "gen_ai.retrieval.query.text": "q" });
  });

  it("are nothing where no SDK is registered", async () => {
    const retriever = defineRetriever(() => []);
    await expect(retriever.retrieve("q", { trace: openTelemetryTrace() })).resolves.toEqual([]);
  });
});
