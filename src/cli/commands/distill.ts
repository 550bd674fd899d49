/** huiliu distill: a static embedding's file out of any embedding model. */
import { rename, writeFile } from "node:fs/promises";
import { configuredEmbedding } from "../../config/index.ts";
import { distill as distilled } from "../../models/index.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT } from "../context.ts";
import { jsonLine } from "../json.ts";
import { fileSize } from "../terminal/table.ts";
import { nameLine } from "../terminal/text.ts";

export interface DistillCommandOptions extends CommonOptions {
  output: string;
  dimensions?: number;
}

/** Told so often, in texts. */
const STEP = 4096;

export async function distill(context: Context, name: string, options: DistillCommandOptions): Promise<number> {
  const { io, signal } = context;
  const { config } = options.settings;
  const same = typeof config.embedding === "object" && "name" in config.embedding && config.embedding.name === name;
  // What the model has embedded is kept: the same command goes on where it was stopped.
  const embedding = await configuredEmbedding({ embedding: same ? config.embedding : name }, io.env, {
    data: options.data,
  });
  if (!embedding || embedding.model.contextFree)
    throw new InvalidArgumentError("model", name, `${name} is a static embedding already`);
  try {
    const file = await distilled({
      model: embedding.model,
      signal,
      ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
      onProgress({ done, total }) {
        if (done % STEP === 0 || done === total) io.err(`${done} of ${total} words embedded\n`);
      },
    });
    // Whole, or not at all.
    await writeFile(`${options.output}.new`, file);
    await rename(`${options.output}.new`, options.output);
    const summary = { model: embedding.model.name, output: options.output, bytes: file.length };
    io.out(
      options.json
        ? jsonLine(summary)
        : `${nameLine(options.output)}: ${fileSize(file.length)}; use it with --embedding ${nameLine(`static/${options.output}`)}\n`,
    );
    return EXIT.ok;
  } finally {
    await embedding.close();
  }
}
