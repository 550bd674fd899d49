import { describe, expect, test } from "vitest";
import { dashScope } from "../../src/models/dashscope/index.ts";
import { embeddingModelFromName, languageModelFromName, rerankModelFromName } from "../../src/models/from-name.ts";
import { ModelError } from "../../src/schema/errors.ts";
import { type Answer, type Asked, provider } from "./server.ts";

/** Errors as the native API sends them, and the same through its OpenAI-compatible one. */
const native = (status: number, code: string, message: string, headers = {}): Answer => ({
  status,
  headers,
  body: { code, message, request_id: "7c1e-native" },
});
const compatible = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { message, type: code, param: null, code }, id: "c1", request_id: "7c1e-compatible" },
});

const texts = (asked: Asked) => (asked.body["input"] as { texts: string[] }).texts;

/** Vectors that tell the text's length, in an order of the service's own choice. */
function embeddings(asked: Asked, dimensions: number): Answer {
  const list = texts(asked).map((text, i) => ({
    text_index: i,
    embedding: [text.length, ...Array<number>(dimensions - 1).fill(0)],
  }));
  return {
    body: { output: { embeddings: list.reverse() }, usage: { total_tokens: 7 * list.length }, request_id: "r" },
  };
}

describe("DashScope's embeddings", () => {
  test("go over the native API with the kind of the texts and the length of the vectors", async () => {
    const server = await provider((asked) => embeddings(asked, 256));
    const model = dashScope({ apiKey: "sk-1", baseUrl: server.url }).embeddingModel("text-embedding-v3", {
      dimensions: 256,
    });
    let tokens = 0;
    const vectors = await model.embed(["年假", "五天假"], { kind: "query", onTokens: (n) => (tokens += n) });
    expect(vectors.map((vector) => [vector[0], vector.length])).toEqual([
      [2, 256],
      [3, 256],
    ]);
    expect(tokens).toBe(14);
    expect(server.asked[0]!.path).toBe("/api/v1/services/embeddings/text-embedding/text-embedding");
    expect(server.asked[0]!.headers.authorization).toBe("Bearer sk-1");
    expect(server.asked[0]!.body).toEqual({
      model: "text-embedding-v3",
      input: { texts: ["年假", "五天假"] },
      parameters: { text_type: "query", dimension: 256 },
    });
    await model.embed(["x"]);
    expect(server.asked[1]!.body["parameters"]).toMatchObject({ text_type: "document" });
  });

  test("are asked for at most ten texts at a time, and come back in the order of the texts", async () => {
    const server = await provider((asked) => embeddings(asked, 1024));
    const model = dashScope({ apiKey: "k", baseUrl: server.url }).embeddingModel("text-embedding-v4");
    expect(model).toMatchObject({
      dimensions: 1024,
      maxBatch: 10,
      maxTokens: 8192,
      name: "dashscope/text-embedding-v4",
    });
    const vectors = await model.embed(Array.from({ length: 23 }, (_, i) => "字".repeat(i + 1)));
    expect(vectors.map((vector) => vector[0])).toEqual(Array.from({ length: 23 }, (_, i) => i + 1));
    expect(server.asked.map((asked) => texts(asked).length)).toEqual([10, 10, 3]);
  });

  test("have only the lengths that the model offers", () => {
    const service = dashScope({ apiKey: "k" });
    expect(() => service.embeddingModel("text-embedding-v3", { dimensions: 2048 })).toThrow(
      /text-embedding-v3 gives vectors of 64, 128, 256, 512, 768, 1024 dimensions; got 2048/,
    );
    expect(service.embeddingModel("text-embedding-v4", { dimensions: 2048 }).dimensions).toBe(2048);
    expect(service.embeddingModel("text-embedding-v2").dimensions).toBe(1536);
  });

  test("that are not whole are refused", async () => {
    const cases = [
      { output: { embeddings: [{ text_index: 1, embedding: [1] }] } },
      { output: { embeddings: [0, 0].map((i) => ({ text_index: i, embedding: [1] })) } },
      { output: {} },
      {},
    ];
    for (const body of cases) {
      const server = await provider(() => ({ body }));
      const model = dashScope({ apiKey: "k", baseUrl: server.url }).embeddingModel("new-model");
      await expect(model.embed(["a", "b"])).rejects.toMatchObject({ code: "MODEL_FAILED" });
    }
    const server = await provider((asked) => embeddings(asked, 512));
    const model = dashScope({ apiKey: "k", baseUrl: server.url }).embeddingModel("text-embedding-v3");
    await expect(model.embed(["a"])).rejects.toMatchObject({ code: "DIMENSIONS_DIFFER", expected: 1024, actual: 512 });
  });
});

describe("DashScope's rerankers", () => {
  const documents = (asked: Asked) => (asked.body["input"] as { documents: string[] }).documents;
  const ranked = (asked: Asked): Answer => {
    const results = documents(asked).map((text, index) => ({ index, relevance_score: 1 / text.length }));
    results.sort((a, b) => b.relevance_score - a.relevance_score);
    return { body: { output: { results }, usage: { total_tokens: 9 }, request_id: "r" } };
  };

  test("go over the native API and name the texts by their places", async () => {
    const server = await provider(ranked);
    const model = dashScope({ apiKey: "k", baseUrl: `${server.url}/api/v1/` }).rerankModel("gte-rerank-v2");
    expect(await model.rerank("年假几天", ["aaaa", "a", "aa"], { topN: 2 })).toEqual([
      { index: 1, score: 1 },
      { index: 2, score: 0.5 },
    ]);
    expect(server.asked[0]!.path).toBe("/api/v1/services/rerank/text-rerank/text-rerank");
    expect(server.asked[0]!.body).toEqual({
      model: "gte-rerank-v2",
      input: { query: "年假几天", documents: ["aaaa", "a", "aa"] },
      parameters: { return_documents: false },
    });
    expect(await model.rerank("q", [])).toEqual([]);
    expect(server.asked.length).toBe(1);
  });

  test("are asked in parts when the texts are too many for one request", async () => {
    const server = await provider(ranked);
    const model = dashScope({ apiKey: "k", baseUrl: server.url }).rerankModel("gte-rerank");
    const many = Array.from({ length: 1100 }, (_, i) => "a".repeat((i % 7) + 1));
    const scores = await model.rerank("q", many);
    expect(server.asked.map((asked) => documents(asked).length)).toEqual([500, 500, 100]);
    expect(scores.map(({ index }) => index).sort((a, b) => a - b)).toEqual(many.map((_, i) => i));
    expect(scores.every(({ index, score }) => score === 1 / many[index]!.length)).toBe(true);
    await model.rerank("q", Array<string>(12).fill("字".repeat(3900)));
    expect(server.asked.slice(3).map((asked) => documents(asked).length)).toEqual([7, 5]);
  });

  test("whose answer leaves texts out are refused", async () => {
    const server = await provider(() => ({ body: { output: { results: [{ index: 0, relevance_score: 1 }] } } }));
    const model = dashScope({ apiKey: "k", baseUrl: server.url }).rerankModel("gte-rerank");
    await expect(model.rerank("q", ["a", "b"])).rejects.toThrow(/scores for 1 of 2 texts/);
  });
});

describe("DashScope's language models", () => {
  test("go over its OpenAI-compatible API, whichever of its addresses is given", async () => {
    const message = { role: "assistant", content: "五天" };
    const server = await provider(() => ({
      body: { id: "1", created: 0, model: "qwen-plus", choices: [{ index: 0, message, finish_reason: "stop" }] },
    }));
    for (const baseUrl of [server.url, `${server.url}/compatible-mode/v1`, `${server.url}/`]) {
      const model = await languageModelFromName("dashscope/qwen-plus", { baseUrl, env: { DASHSCOPE_API_KEY: "sk" } });
      expect(model.name).toBe("dashscope/qwen-plus");
      expect(await model.generate({ prompt: "几天？" })).toBe("五天");
    }
    expect(new Set(server.asked.map(({ path }) => path))).toEqual(new Set(["/compatible-mode/v1/chat/completions"]));
    expect(server.asked[0]!.headers.authorization).toBe("Bearer sk");
  });
});

describe("DashScope's errors", () => {
  const cases: [Answer, Partial<ModelError>, RegExp][] = [
    [
      native(429, "Throttling.RateQuota", "Requests rate limit exceeded, please try again later."),
      { reason: "rate_limit", retryable: true },
      /fewer calls/,
    ],
    [
      native(429, "Throttling.AllocationQuota", "Allocated quota exceeded, please increase your quota limit."),
      { reason: "rate_limit", retryable: true },
      /ask the provider/,
    ],
    [
      native(400, "Arrearage", "Access denied, please make sure your account is in good standing."),
      { reason: "quota", retryable: false },
      /pay/,
    ],
    [
      native(403, "AllocationQuota.FreeTierOnly", "The free tier of the model has been exhausted."),
      { reason: "quota" },
      /quota/,
    ],
    [
      native(400, "DataInspectionFailed", "Input data may contain inappropriate content."),
      { reason: "inspection", retryable: false },
      /content inspection/,
    ],
    [
      native(401, "InvalidApiKey", "Invalid API-key provided."),
      { reason: "api_key", retryable: false },
      /check the API key/,
    ],
    [native(403, "AccessDenied.Unpurchased", "Access to model denied."), { reason: "access" }, /activated/],
    [native(404, "ModelNotFound", "Model can not be found."), { reason: "not_found" }, /model's name/],
    [native(400, "InvalidParameter", "Range of input length should be [1, 8192]"), { reason: "too_long" }, /less text/],
    [
      native(400, "InvalidParameter", "batch size is invalid, it should not be larger than 10.: input.contents"),
      { reason: "invalid_request", retryable: false },
      /batch size/,
    ],
    [
      native(408, "RequestTimeOut", "Request timed out, please try again later."),
      { reason: "server", retryable: true },
      /later/,
    ],
    [
      native(500, "InternalError.Algo", "An internal error has occured during execution."),
      { reason: "server", retryable: true },
      /later/,
    ],
    [{ status: 502, body: "<html>Bad Gateway</html>" }, { reason: "server", retryable: true }, /502/],
  ];

  test.each(cases)("of the native API: %j", async (answer, facts, message) => {
    const server = await provider(() => answer);
    const service = dashScope({ apiKey: "k", baseUrl: server.url, maxRetries: 0 });
    for (const call of [
      service.embeddingModel("text-embedding-v3").embed(["x"]),
      service.rerankModel("gte-rerank-v2").rerank("q", ["x"]),
    ]) {
      const error = await call.catch((e: unknown) => e);
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ code: "MODEL_FAILED", status: answer.status, ...facts });
      expect((error as Error).message).toMatch(message);
      if (typeof answer.body === "object") expect((error as ModelError).requestId).toBe("7c1e-native");
    }
  });

  test("of the compatible API mean the same", async () => {
    const all: [Answer, string][] = [
      [compatible(429, "limit_requests", "You exceeded your current requests list."), "rate_limit"],
      [compatible(429, "insufficient_quota", "You exceeded your current quota."), "quota"],
      [compatible(400, "data_inspection_failed", "Output data may contain inappropriate content."), "inspection"],
      [compatible(401, "invalid_api_key", "Incorrect API key provided."), "api_key"],
      [compatible(404, "model_not_found", "The model `x` does not exist."), "not_found"],
      [compatible(400, "Arrearage", "Access denied."), "quota"],
      [
        compatible(
          400,
          "InvalidParameter",
          "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
        ),
        "too_long",
      ],
    ];
    for (const [answer, reason] of all) {
      const server = await provider(() => answer);
      const model = dashScope({ apiKey: "k", baseUrl: server.url, maxRetries: 0 }).languageModel("qwen-plus");
      const error = await model.generate({ prompt: "x" }).catch((e: unknown) => e);
      expect(error).toMatchObject({ reason, status: answer.status, requestId: "7c1e-compatible" });
    }
  });

  test("that pass are tried again, after the wait that the service asks for; others are not", async () => {
    let calls = 0;
    const server = await provider((asked) =>
      ++calls === 1
        ? native(429, "Throttling", "Requests throttling triggered.", { "retry-after": "0" })
        : embeddings(asked, 1024),
    );
    const options = { apiKey: "k", baseUrl: server.url, firstWaitMs: 1 };
    expect(await dashScope(options).embeddingModel("text-embedding-v3").embed(["x"])).toHaveLength(1);
    expect(calls).toBe(2);
    const refusing = await provider(() => native(401, "InvalidApiKey", "Invalid API-key provided."));
    await expect(
      dashScope({ ...options, baseUrl: refusing.url })
        .rerankModel("gte-rerank")
        .rerank("q", ["x"]),
    ).rejects.toMatchObject({ status: 401 });
    expect(refusing.asked.length).toBe(1);
  });

  test("with the status of success, and what is not JSON, are errors too", async () => {
    const server = await provider(() => native(200, "Throttling", "Requests throttling triggered."));
    const service = dashScope({ apiKey: "k", baseUrl: server.url, maxRetries: 0 });
    await expect(service.rerankModel("gte-rerank").rerank("q", ["x"])).rejects.toMatchObject({ reason: "rate_limit" });
    const page = await provider(() => ({ body: "<html>" }));
    const other = dashScope({ apiKey: "k", baseUrl: page.url, maxRetries: 0 });
    await expect(other.embeddingModel("text-embedding-v3").embed(["x"])).rejects.toThrow(/not JSON: <html>/);
  });

  test("of the connection say so, and an abort gives its own reason", async () => {
    const nobody = dashScope({ apiKey: "k", baseUrl: "http://127.0.0.1:9", maxRetries: 0 });
    await expect(nobody.rerankModel("gte-rerank").rerank("q", ["x"])).rejects.toMatchObject({
      reason: "network",
      retryable: true,
    });
    const silent = await provider(() => undefined);
    const controller = new AbortController();
    const model = dashScope({ apiKey: "k", baseUrl: silent.url }).embeddingModel("text-embedding-v3");
    const call = model.embed(["x"], { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(call).rejects.toThrow("enough");
  });

  test("name the variable that holds no key", async () => {
    for (const fromName of [languageModelFromName, embeddingModelFromName, rerankModelFromName]) {
      await expect(fromName("dashscope/m", { env: {} })).rejects.toMatchObject({
        code: "API_KEY_MISSING",
        variables: ["DASHSCOPE_API_KEY"],
      });
    }
  });
});
