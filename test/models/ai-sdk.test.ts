import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { MockEmbeddingModelV3, MockLanguageModelV3 } from "ai/test";
import { afterEach, describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { fromAiSdk, toLanguageModel } from "../../src/models/ai-sdk.ts";
import { embeddingModelFromName, languageModelFromName } from "../../src/models/from-name.ts";
import { PROVIDERS } from "../../src/models/providers.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Handler = (request: IncomingMessage, body: Record<string, unknown>, response: ServerResponse) => void;

/** A server that speaks OpenAI's API as `handler` wants. */
async function openAiServer(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => handler(request, JSON.parse(text) as Record<string, unknown>, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function completion(content: string): unknown {
  return {
    id: "1",
    object: "chat.completion",
    created: 0,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  };
}

function delta(content: string): string {
  return `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

const finish = `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`;

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of stream) pieces.push(piece);
  return pieces;
}

describe("a language model behind OpenAI's API", () => {
  test("generates with the configured key, system text and limits", async () => {
    const seen: { path?: string; key?: string; body?: Record<string, unknown> } = {};
    const baseUrl = await openAiServer((request, body, response) => {
      Object.assign(seen, { path: request.url, key: request.headers.authorization, body });
      json(response, 200, completion("五天"));
    });
    const model = await languageModelFromName("openai-compatible/team/qwen-plus", {
      baseUrl,
      apiKeyEnv: "MY_KEY",
      env: { MY_KEY: "secret" },
    });
    expect(await model.generate({ system: "Be short.", prompt: "几天？", temperature: 0, maxOutputTokens: 50 })).toBe(
      "五天",
    );
    expect(seen.path).toBe("/v1/chat/completions");
    expect(seen.key).toBe("Bearer secret");
    expect(seen.body).toMatchObject({ model: "team/qwen-plus", temperature: 0, max_tokens: 50 });
    expect(seen.body?.["messages"]).toEqual([
      { role: "system", content: "Be short." },
      { role: "user", content: "几天？" },
    ]);
  });

  test("streams pieces as they come, once the iteration starts", async () => {
    let calls = 0;
    const baseUrl = await openAiServer((_request, _body, response) => {
      calls++;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${delta("年假")}${delta("五天")}${finish}data: [DONE]\n\n`);
    });
    const model = await languageModelFromName("local/m", { baseUrl, env: {} });
    const stream = model.stream({ messages: [{ role: "user", content: "几天？" }] });
    expect(calls).toBe(0);
    expect(await collect(stream)).toEqual(["年假", "五天"]);
    expect(calls).toBe(1);
  });

  test("ends the server's request when the signal is aborted, with the signal's reason", async () => {
    let closed!: () => void;
    const requestClosed = new Promise<void>((resolve) => (closed = resolve));
    const baseUrl = await openAiServer((request, _body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta("first"));
      request.socket.on("close", closed);
    });
    const model = await languageModelFromName("local/m", { baseUrl, env: {} });
    const controller = new AbortController();
    const pieces: string[] = [];
    const reading = (async () => {
      for await (const piece of model.stream({ prompt: "x", signal: controller.signal })) {
        pieces.push(piece);
        controller.abort(new Error("enough"));
      }
    })();
    await expect(reading).rejects.toThrow("enough");
    expect(pieces).toEqual(["first"]);
    await requestClosed;
  });

  test("ends the server's request when the reader leaves early", async () => {
    let closed!: () => void;
    const requestClosed = new Promise<void>((resolve) => (closed = resolve));
    const baseUrl = await openAiServer((request, _body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(delta("first"));
      request.socket.on("close", closed);
    });
    const model = await languageModelFromName("local/m", { baseUrl, env: {} });
    for await (const piece of model.stream({ prompt: "x" })) {
      expect(piece).toBe("first");
      break;
    }
    await requestClosed;
  });

  test("names status, place and remedy when the server refuses", async () => {
    const baseUrl = await openAiServer((_request, _body, response) =>
      json(response, 404, { error: { message: "no such model" } }),
    );
    const model = await languageModelFromName("local/m", { baseUrl, env: { HUILIU_API_KEY: "k" } });
    const error = await model.generate({ prompt: "x" }).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: "MODEL_FAILED", status: 404 });
    expect((error as Error).message).toMatch(/local.*m answered 404 at http:\/\/127.*no such model.*base URL/);
  });

  test("a failing stream throws instead of ending early", async () => {
    const baseUrl = await openAiServer((_request, _body, response) =>
      json(response, 400, { error: { message: "too long" } }),
    );
    const model = await languageModelFromName("local/m", { baseUrl, env: {} });
    await expect(collect(model.stream({ prompt: "x" }))).rejects.toMatchObject({ code: "MODEL_FAILED", status: 400 });
  });

  test("a stream that breaks off throws instead of passing for an answer", async () => {
    const baseUrl = await openAiServer((_request, _body, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(delta("half an"));
    });
    const model = await languageModelFromName("local/m", { baseUrl, env: {} });
    await expect(collect(model.stream({ prompt: "x" }))).rejects.toMatchObject({
      code: "MODEL_FAILED",
      model: "local/m",
    });
  });

  test("retries as often as it was told", async () => {
    let calls = 0;
    const baseUrl = await openAiServer((_request, _body, response) => {
      calls++;
      json(response, 503, { error: { message: "busy" } });
    });
    const model = await languageModelFromName("local/m", { baseUrl, env: {}, maxRetries: 0 });
    await expect(model.generate({ prompt: "x" })).rejects.toMatchObject({ status: 503 });
    expect(calls).toBe(1);
  });

  test("names the variables when a server wants a key that was not there", async () => {
    const baseUrl = await openAiServer((_request, _body, response) =>
      json(response, 401, { error: { message: "no key" } }),
    );
    const model = await languageModelFromName("local/m", { baseUrl, env: {} });
    const missing = { code: "API_KEY_MISSING", variables: ["HUILIU_API_KEY", "OPENAI_API_KEY"] };
    await expect(model.generate({ prompt: "x" })).rejects.toMatchObject(missing);
    await expect(collect(model.stream({ prompt: "x" }))).rejects.toMatchObject(missing);
  });

  test("says that nothing listens at the address", async () => {
    const model = await languageModelFromName("local/m", { baseUrl: "http://127.0.0.1:9/v1", env: {}, maxRetries: 0 });
    await expect(model.generate({ prompt: "x" })).rejects.toThrow(/running and reachable/);
  });
});

describe("names of models", () => {
  test("that say no server are refused with what to do", async () => {
    await expect(languageModelFromName("qwen-plus")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(languageModelFromName("nobody/x")).rejects.toThrow(/known are openai, .*baseUrl/);
    await expect(languageModelFromName("constructor/x")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(languageModelFromName("openai-compatible/x")).rejects.toThrow(/baseUrl/);
    await expect(languageModelFromName("local/x", { baseUrl: "localhost:1" })).rejects.toMatchObject({
      argument: "baseUrl",
    });
  });

  test("whose package is not installed name it", async () => {
    await expect(languageModelFromName("groq/x", { env: {} })).rejects.toMatchObject({
      code: "PACKAGE_MISSING",
      packageName: "@ai-sdk/groq",
      message: "groq/x needs the package @ai-sdk/groq: npm install @ai-sdk/groq@3",
    });
  });

  test("have providers whose packages are optional peers of the versions that errors name", async () => {
    const { peerDependencies, peerDependenciesMeta } = packageJson as {
      peerDependencies: Record<string, string>;
      peerDependenciesMeta: Record<string, { optional: boolean }>;
    };
    for (const { packageName, version } of Object.values(PROVIDERS)) {
      expect(peerDependencies[packageName]).toBe(`^${version}`);
      expect(peerDependenciesMeta[packageName]).toEqual({ optional: true });
    }
  });

  test("with a key variable that is not set name it", async () => {
    const options = { baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: "MY_KEY", env: { OPENAI_API_KEY: "other" } };
    await expect(languageModelFromName("local/x", options)).rejects.toMatchObject({
      code: "API_KEY_MISSING",
      variables: ["MY_KEY"],
    });
  });
});

describe("an embedding model behind OpenAI's API", () => {
  async function server(dimensions: (i: number) => number, batches: number[] = []): Promise<string> {
    return openAiServer((_request, body, response) => {
      const input = body["input"] as string[];
      batches.push(input.length);
      const data = input.map((text, index) => ({
        index,
        object: "embedding",
        embedding: Array(dimensions(index)).fill(text.length),
      }));
      json(response, 200, { object: "list", model: "e", data, usage: { prompt_tokens: 1, total_tokens: 1 } });
    });
  }

  test("embeds in batches of its limit and learns its dimensions", async () => {
    const batches: number[] = [];
    const baseUrl = await server(() => 3, batches);
    const model = await embeddingModelFromName("local/e", { baseUrl, env: {}, maxBatch: 10 });
    expect(model.dimensions).toBeUndefined();
    const vectors = await model.embed(Array.from({ length: 23 }, (_, i) => "x".repeat(i)));
    expect(vectors.map((v) => v[0])).toEqual(Array.from({ length: 23 }, (_, i) => i));
    expect(vectors[0]).toBeInstanceOf(Float32Array);
    expect(batches).toEqual([10, 10, 3]);
    expect(model.dimensions).toBe(3);
    expect(await model.embed([])).toEqual([]);
  });

  test("refuses vectors of another length", async () => {
    const baseUrl = await server((i) => 3 + i);
    const model = await embeddingModelFromName("local/e", { baseUrl, env: {} });
    await expect(model.embed(["a", "b"])).rejects.toMatchObject({ code: "DIMENSIONS_DIFFER", expected: 3, actual: 4 });
  });
});

describe("fromAiSdk", () => {
  test("refuses names, which would be sent to a gateway that nobody configured", () => {
    expect(() => fromAiSdk("openai/gpt" as never)).toThrow(/is a name, not a model/);
    expect(() => fromAiSdk({} as never)).toThrow(/not a model of the AI SDK/);
  });

  test("hands the kind of text to the provider's options", async () => {
    const seen: unknown[] = [];
    const model = fromAiSdk(
      new MockEmbeddingModelV3({
        doEmbed: async (options) => {
          seen.push(options.providerOptions);
          return { embeddings: options.values.map(() => [1, 0]), warnings: [] };
        },
      }),
      { providerOptions: (kind) => ({ mock: { inputType: kind } }) },
    );
    await model.embed(["a"], { kind: "query" });
    await model.embed(["a"]);
    expect(seen).toEqual([{ mock: { inputType: "query" } }, { mock: { inputType: "document" } }]);
  });

  test("leaves this library's own models as they are", () => {
    const own = fromAiSdk(new MockLanguageModelV3());
    expect(toLanguageModel(own)).toBe(own);
  });
});
