/** huiliu analyze: a text as several analyzers cut it. */
import { openEngine } from "../../elasticsearch/engine.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT } from "../context.ts";
import { jsonLine } from "../json.ts";
import { terminalStyle, wantsColour } from "../terminal/style.ts";
import { oneLine, padEnd, width } from "../terminal/text.ts";
import { wrapSpans } from "../terminal/wrap.ts";

export interface AnalyzeCommandOptions extends Omit<CommonOptions, "collection"> {
  analyzers: string;
  tokens: number;
}

export async function analyze(
  { io, signal }: Context,
  words: string[],
  options: AnalyzeCommandOptions,
): Promise<number> {
  const text = words.join(" ");
  const analyzers = options.analyzers.split(",").map((name) => name.trim());
  if (analyzers.includes(""))
    throw new InvalidArgumentError("analyzers", options.analyzers, "--analyzers takes names with commas between");
  const engine = await openEngine();
  try {
    const client = engine.client();
    const results = [];
    for (const analyzer of analyzers) {
      const { tokens = [] } = await client.indices.analyze({ analyzer, text }, { signal });
      results.push({ analyzer, tokens });
    }
    if (options.json) {
      io.out(jsonLine({ text, analyzers: results }));
      return EXIT.ok;
    }
    const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
    const name = Math.max(...analyzers.map(width));
    const columns = Math.max(20, (io.outIsTerminal ? io.columns - 1 : 100) - name - 2);
    for (const { analyzer, tokens } of results) {
      const shown = tokens.slice(0, options.tokens).map(({ token }) => oneLine(token));
      const more = tokens.length > shown.length ? ` … ${tokens.length} tokens` : "";
      const line = shown.length === 0 ? "(no tokens)" : `${shown.join(" | ")}${more}`;
      wrapSpans(line, columns).forEach(({ start, end }, i) => {
        io.out(`${i === 0 ? style.bold(padEnd(analyzer, name)) : " ".repeat(name)}  ${line.slice(start, end)}\n`);
      });
    }
    return EXIT.ok;
  } finally {
    await engine.close();
  }
}
