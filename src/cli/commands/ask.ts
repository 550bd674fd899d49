/** huiliu ask: an answer as it is written, then its sources. */
import { sourceJson } from "../../collection/json.ts";
import type { AskOptions, Notice } from "../../collection/types.ts";
import type { MetadataFilter, Response, Source } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, type Io, openForQuestions, rerankerOf } from "../context.ts";
import { sayWhyNothing } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { configuredModel } from "../model.ts";
import { strategyOptions } from "../strategy-flags.ts";
import { placeLine, scoreText } from "../terminal/place.ts";
import { type Style, terminalStyle, wantsColour } from "../terminal/style.ts";
import { harmless, truncateStart } from "../terminal/text.ts";
import { streamWrapper } from "../terminal/wrap.ts";

export interface AskCommandOptions extends CommonOptions {
  topK: number;
  strategy: string;
  filter?: MetadataFilter[];
  baseUrl?: string;
}

const EXTRACT_NOTE =
  "An extract: sentences of the sources, word for word. With --model provider/name a language model writes the answer.";

export async function ask(context: Context, words: string[], options: AskCommandOptions): Promise<number> {
  const { io } = context;
  const question = words.join(" ");
  const own = strategyOptions(options.strategy, options);
  const signal = AbortSignal.any([context.signal, context.outputClosed]);
  const model = await configuredModel(context, options);
  const collection = await openForQuestions(context, options);
  try {
    const notices: Notice[] = [];
    const answer = await collection.ask(question, {
      ...own,
      strategy: options.strategy,
      topK: options.topK,
      signal,
      ...(options.filter ? { filters: { filters: options.filter } } : {}),
      ...(model ? { model } : {}),
      ...(await rerankerOf(context, options)),
      onNotice: (notice: Notice) => notices.push(notice),
    } as AskOptions);
    if (options.json) {
      io.out(jsonLine({ question, kind: answer.kind, answer: await answer.text, ...details(answer) }));
      return EXIT.ok;
    }
    for (const { message } of notices) io.err(`${message}\n`);
    if (answer.kind === "empty") {
      io.out(`${harmless(await answer.text)}\n`);
      await sayWhyNothing(io, collection, options.filter !== undefined);
      return EXIT.ok;
    }
    await writeText(answer, io);
    const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
    if (answer.kind === "extract") io.out(`\n${style.dim(EXTRACT_NOTE)}\n`);
    io.out(`\n${sourcesText(answer, io, style)}`);
    const unknown = numbers(answer.metadata["unknownCitations"]);
    if (unknown.length > 0)
      io.err(`The answer cites sources that do not exist: ${unknown.map((n) => `[${n}]`).join(" ")}\n`);
    return EXIT.ok;
  } finally {
    await collection.close();
  }
}

/** Writes the text as it comes; on a terminal in lines that fit. What came before an error stays, on a line of its own. */
async function writeText(answer: Response, io: Io): Promise<void> {
  const { push, end } = io.outIsTerminal ? streamWrapper(io.columns - 1, io.out) : { push: io.out, end: () => {} };
  let last = "\n";
  try {
    // A piece may end in the middle of a surrogate pair or of a line break.
    let held = "";
    for await (const piece of answer.textStream) {
      const text = held + piece;
      held = /[\ud800-\udbff\r]$/.test(text) ? text.slice(-1) : "";
      const whole = harmless(text.slice(0, text.length - held.length));
      if (whole === "") continue;
      push(whole);
      last = whole;
    }
    if (held !== "") push(harmless(held));
  } finally {
    end();
    if (!last.endsWith("\n")) io.out("\n");
  }
}

function sourcesText(answer: Response, io: Io, style: Style): string {
  const cited = new Set(numbers(answer.metadata["cited"]));
  const columns = io.outIsTerminal ? io.columns - 1 : Number.POSITIVE_INFINITY;
  const line = (source: Source) => {
    const mark = `[${source.n}]`;
    const score = source.score === undefined ? "" : ` (${scoreText(source.score)})`;
    const place = truncateStart(placeLine(source), columns - mark.length - score.length - 1);
    return cited.size === 0 || cited.has(source.n)
      ? `${style.bold(mark)} ${place}${style.dim(score)}\n`
      : style.dim(`${mark} ${place}${score}\n`);
  };
  return answer.sources.map(line).join("");
}

function details(answer: Response): Record<string, unknown> {
  return {
    sources: answer.sources.map(sourceJson),
    ...answer.metadata,
  };
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
}
