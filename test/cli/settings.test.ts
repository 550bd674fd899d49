import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { type Answer, type Asked, provider } from "../models/server.ts";
import { terminal } from "./fixtures.ts";

let folder: string;
let config: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "huiliu-doctor-"));
  config = join(folder, "huiliu.config.json");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Report {
  checks: { name: string; status: string; detail: string; origin?: string; call?: Record<string, unknown> }[];
  keys: Record<string, boolean>;
  packages: Record<string, boolean>;
}

/** Runs doctor with `--json`. */
async function doctor(args: string[], env: Record<string, string> = {}) {
  const { context, out, err } = terminal(undefined, { env });
  const exit = await main(["doctor", "--json", ...args], context);
  const report = JSON.parse(out()) as Report;
  const check = (name: string) => report.checks.find((one) => one.name === name)!;
  return { exit, report, check, err: err() };
}

describe("settings", () => {
  test("of the file give way to the environment, and both to options", async () => {
    await writeFile(config, '{ "data": "from-file", "model": "dashscope/from-file" }');
    const env = { DASHSCOPE_API_KEY: "k" };
    const file = await doctor(["--config", config], env);
    expect(file.check("data")).toMatchObject({
      origin: "file",
      detail: expect.stringContaining(join(folder, "from-file")),
    });
    expect(file.check("model")).toMatchObject({
      origin: "file",
      detail: expect.stringContaining("dashscope/from-file"),
    });
    const variables = { ...env, HUILIU_CONFIG: config, HUILIU_MODEL: "dashscope/from-env", HUILIU_DATA: "from-env" };
    const environment = await doctor([], variables);
    expect(environment.check("data")).toMatchObject({
      origin: "environment",
      detail: expect.stringMatching(/^from-env /),
    });
    expect(environment.check("model")).toMatchObject({
      origin: "environment",
      detail: expect.stringContaining("/from-env"),
    });
    const option = await doctor(["--model", "dashscope/from-option", "-d", "from-option"], variables);
    expect(option.check("data")).toMatchObject({ origin: "option", detail: expect.stringMatching(/^from-option /) });
    expect(option.check("model")).toMatchObject({ origin: "option", detail: expect.stringContaining("/from-option") });
  });

  test("of a named model stay when the same name is given again", async () => {
    const server = await provider(() => ({ status: 404, body: { error: { message: "no" } } }));
    await writeFile(config, JSON.stringify({ model: { name: "own/m", baseUrl: `${server.url}/v1` } }));
    const { check } = await doctor(["--config", config, "--model", "own/m", "--call"]);
    expect(check("model").detail).toContain(server.url);
  });

  test("reach the commands over collections", async () => {
    await writeFile(config, '{ "data": "d", "collection": "handbook" }');
    const { context, opened } = terminal({ search: async () => [], status: async () => ({ documents: 1 }) as never });
    expect(await main(["search", "x", "--config", config], context)).toBe(0);
    expect(opened[0]).toEqual({ name: "handbook", options: { data: join(folder, "d"), readOnly: true } });
    const other = terminal({ search: async () => [], status: async () => ({ documents: 1 }) as never });
    expect(await main(["search", "x", "--config", config, "-c", "other"], other.context)).toBe(0);
    expect(other.opened[0]!.name).toBe("other");
  });

  test("that are wrong end a command as wrong options do", async () => {
    await writeFile(config, '{ "colection": "x" }');
    const { context, err } = terminal();
    expect(await main(["list", "--config", config], context)).toBe(2);
    expect(err()).toMatch(/colection is no setting/);
  });
});

describe("doctor", () => {
  test("of a machine with nothing: the bundled embedding, and how to have more", async () => {
    const { exit, report, check } = await doctor(["-d", join(folder, "none")]);
    expect(exit).toBe(0);
    expect(report.checks.map(({ name, status }) => [name, status])).toEqual([
      ["config", "unset"],
      ["data", "unset"],
      ["embedding", "ok"],
      ["model", "unset"],
      ["reranker", "unset"],
    ]);
    expect(check("data").detail).toMatch(/not there yet: huiliu add/);
    expect(check("embedding").detail).toContain("huiliu/stemb-zh-en");
    expect(check("model").detail).toMatch(/extracts .*--model, HUILIU_MODEL/);
    expect(Object.values(report.keys)).not.toContain(true);
    expect(report.packages).toHaveProperty("@ai-sdk/openai");
    const { context, out } = terminal();
    expect(await main(["doctor", "-d", join(folder, "none")], context)).toBe(0);
    expect(out()).toMatch(/^huiliu \S+, Node\.js v\S+, \S+\nconfig {5}- {7}no huiliu\.config/);
    expect(out()).toMatch(/\nembedding {2}ok {6}huiliu\/stemb-zh-en \(not tried: --call tries it\)\n/);
    expect(out()).toMatch(/\nkeys {7}- {7}none in the environment/);
  });

  const configured = {
    model: "dashscope/qwen-plus",
    embedding: "dashscope/text-embedding-v3",
    reranker: "dashscope/gte-rerank-v2",
  };
  const named = (url: string) =>
    JSON.stringify(
      Object.fromEntries(Object.entries(configured).map(([key, name]) => [key, { name, baseUrl: url, maxRetries: 0 }])),
    );

  test("without a key: which variable is missing, for each model", async () => {
    await writeFile(config, named("http://127.0.0.1:9"));
    const { exit, report } = await doctor(["--config", config]);
    expect(exit).toBe(1);
    for (const { status, detail } of report.checks.slice(2)) {
      expect(status).toBe("failed");
      expect(detail).toMatch(/set the environment variable DASHSCOPE_API_KEY/);
    }
  });

  test("calls nothing unless it is asked to", async () => {
    const server = await provider(() => ({ status: 500, body: {} }));
    await writeFile(config, named(server.url));
    const { exit, report } = await doctor(["--config", config], { DASHSCOPE_API_KEY: "sk-any" });
    expect(exit).toBe(0);
    expect(server.asked).toEqual([]);
    expect(report.checks.slice(2).every(({ detail }) => /not tried: --call/.test(detail))).toBe(true);
    expect(report.keys["DASHSCOPE_API_KEY"]).toBe(true);
  });

  /** DashScope with one right key. */
  const service = ({ path, headers, body }: Asked): Answer => {
    if (headers.authorization !== "Bearer sk-right") {
      return path.startsWith("/compatible-mode")
        ? {
            status: 401,
            body: { error: { message: "Incorrect API key provided.", code: "invalid_api_key" }, request_id: "r" },
          }
        : { status: 401, body: { code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "r" } };
    }
    if (path.includes("/embeddings/")) {
      const { texts } = body["input"] as { texts: string[] };
      const embeddings = texts.map((_, text_index) => ({ text_index, embedding: Array<number>(1024).fill(1) }));
      return { body: { output: { embeddings }, usage: { total_tokens: 3 } } };
    }
    if (path.includes("/rerank/")) {
      const { documents } = body["input"] as { documents: string[] };
      return { body: { output: { results: documents.map((_, index) => ({ index, relevance_score: 0.5 })) } } };
    }
    const message = { role: "assistant", content: "ready" };
    return {
      body: { id: "1", created: 0, model: "qwen-plus", choices: [{ index: 0, message, finish_reason: "stop" }] },
    };
  };

  test("with a wrong key: that each call was refused, and what to do", async () => {
    const server = await provider(service);
    await writeFile(config, named(server.url));
    const { exit, report } = await doctor(["--config", config, "--call"], { DASHSCOPE_API_KEY: "sk-wrong" });
    expect(exit).toBe(1);
    for (const { status, detail } of report.checks.slice(2)) {
      expect(status).toBe("failed");
      expect(detail).toMatch(/answered 401 .*check the API key/);
    }
    expect(JSON.stringify(report)).not.toContain("sk-wrong");
  });

  test("with the right key: what each model gave", async () => {
    const server = await provider(service);
    await writeFile(config, named(server.url));
    const { exit, check } = await doctor(["--config", config, "--call"], { DASHSCOPE_API_KEY: "sk-right" });
    expect(exit).toBe(0);
    expect(check("embedding")).toMatchObject({ status: "ok", call: { dimensions: 1024 } });
    expect(check("model")).toMatchObject({ status: "ok", call: { characters: 5 } });
    expect(check("reranker")).toMatchObject({ status: "ok", call: { "texts scored": 2 } });
    expect(check("model").detail).toMatch(/^dashscope\/qwen-plus answered in \d+ ms, 5 characters$/);
  });

  test("names the optional package that a model needs", async () => {
    const { exit, check } = await doctor(["--model", "mistral/large"], { MISTRAL_API_KEY: "k" });
    expect(exit).toBe(1);
    expect(check("model").detail).toBe(
      "mistral/large needs the package @ai-sdk/mistral: npm install @ai-sdk/mistral@3",
    );
  });
});

describe("distill", () => {
  test("refuses what is a static embedding already, and wants a file to write", async () => {
    const { context, err } = terminal();
    expect(await main(["distill", "bundled", "-o", join(folder, "model.bin")], context)).toBe(2);
    expect(err()).toMatch(/bundled is a static embedding already/);
    const other = terminal();
    expect(await main(["distill", "dashscope/text-embedding-v3"], other.context)).toBe(2);
    expect(other.err()).toMatch(/--output/);
  });
});
