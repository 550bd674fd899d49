/** huiliu explain: why a passage ranks where it does. */
import { type AnySearch, explainHit } from "../../catalogue/index.ts";
import type { MetadataFilter } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, openForQuestions, rerankerOf } from "../context.ts";
import { jsonLine } from "../json.ts";
import { modelOption } from "../model.ts";
import { strategyOptions } from "../strategy-flags.ts";
import { explanationJson, explanationText } from "../terminal/explanation.ts";

export interface ExplainCommandOptions extends CommonOptions {
  topK: number;
  strategy: string;
  passage: string;
  filter?: MetadataFilter[];
}

export async function explain(context: Context, words: string[], options: ExplainCommandOptions): Promise<number> {
  const { io, signal } = context;
  const question = words.join(" ");
  const own = strategyOptions(options.strategy, options);
  const collection = await openForQuestions(context, options);
  try {
    const search: AnySearch = {
      ...own,
      strategy: options.strategy,
      topK: options.topK,
      signal,
      ...(options.filter ? { filters: { filters: options.filter } } : {}),
      ...(await modelOption(context, options)),
      ...(await rerankerOf(context, options)),
      onWarning: ({ message }: { message: string }) => io.err(`${message}\n`),
    };
    const explanation = await explainHit(collection, question, options.passage, search);
    io.out(options.json ? jsonLine(explanationJson(explanation)) : explanationText(explanation, io));
    return EXIT.ok;
  } finally {
    await collection.close();
  }
}
