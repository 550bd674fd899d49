/** huiliu compare: several strategies side by side. */
import {
  type ComparedHit,
  compareStrategies,
  parseReferences,
  type StrategyComparison,
} from "../../catalogue/index.ts";
import type { MetadataFilter } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, type Io, openForQuestions, rerankerOf } from "../context.ts";
import { sayWhyNothing } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { modelOption } from "../model.ts";
import { placeLine, placeOf, scoreText } from "../terminal/place.ts";
import { terminalStyle, wantsColour } from "../terminal/style.ts";
import { oneLine, padEnd, truncateEnd, truncateStart, width } from "../terminal/text.ts";

export interface CompareCommandOptions extends CommonOptions {
  topK: number;
  strategies: string;
  filter?: MetadataFilter[];
}

/** Columns narrower than this go below each other. */
const NARROWEST = 24;
const WIDEST = 48;

export async function compare(context: Context, words: string[], options: CompareCommandOptions): Promise<number> {
  const { io, signal } = context;
  const question = words.join(" ");
  const references = parseReferences(options.strategies);
  const collection = await openForQuestions(context, options);
  try {
    const result = await compareStrategies(collection, question, {
      strategies: references,
      topK: options.topK,
      signal,
      ...(options.filter ? { filters: { filters: options.filter } } : {}),
      ...(await modelOption(context, options)),
      ...(await rerankerOf(context, options)),
    });
    if (options.json) io.out(jsonLine(comparisonJson(result)));
    else if (result.strategies.every(({ hits, error }) => hits.length === 0 && !error))
      await sayWhyNothing(io, collection, options.filter !== undefined);
    else io.out(comparisonText(result, io));
    if (!options.json)
      for (const { name, warnings } of result.strategies)
        for (const { message } of warnings) io.err(`${name}: ${message}\n`);
    return EXIT.ok;
  } finally {
    await collection.close();
  }
}

function comparisonJson({ question, topK, strategies }: StrategyComparison): Record<string, unknown> {
  return {
    question,
    topK,
    strategies: strategies.map(({ hits, ...strategy }) => ({
      ...strategy,
      hits: hits.map(({ node, rank, before, score }) => ({
        rank,
        ...(before === undefined ? {} : { before }),
        ...(score === undefined ? {} : { score }),
        id: node.id,
        file: node.metadata["file"],
        heading: node.metadata["heading"],
        text: node.text,
      })),
    })),
  };
}

/** Columns beside each other where they fit, each passage with its movement against the first column. */
function comparisonText({ strategies }: StrategyComparison, io: Io): string {
  const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
  const room = io.outIsTerminal ? io.columns - 1 : 160;
  const each = Math.min(WIDEST, Math.floor((room - 4) / strategies.length) - 2);
  const blocks = strategies.map(({ name, hits, error }, column) => ({
    title: name,
    lines: error ? [oneLine(error)] : hits.length === 0 ? ["nothing found"] : hits.map((hit) => cell(hit, column > 0)),
  }));
  if (each < NARROWEST) {
    return blocks
      .map(
        ({ title, lines }) =>
          `${style.bold(title)}\n${lines.map((line, i) => `${i + 1}  ${truncateEnd(line, room - 4)}\n`).join("")}`,
      )
      .join("\n");
  }
  const rows = Math.max(...blocks.map(({ lines }) => lines.length));
  const number = String(rows).length;
  let out =
    `${" ".repeat(number)}  ${blocks.map(({ title }) => style.bold(padEnd(truncateEnd(title, each), each))).join("  ")}`.trimEnd();
  for (let row = 0; row < rows; row++) {
    const cells = blocks.map(({ lines }) => padEnd(truncateEnd(lines[row] ?? "", each), each));
    out += `\n${padEnd(String(row + 1), number)}  ${cells.join("  ")}`.trimEnd();
  }
  return `${out}\n`;
}

/** `↑2` means two places better than in the first column, `new` that it is not there. */
function cell(hit: ComparedHit, moved: boolean): string {
  const move = moved ? `${movement(hit)} ` : "";
  const { file, heading } = placeOf(hit);
  const place =
    heading === undefined || width(placeLine(hit)) <= 40 ? placeLine(hit) : `${truncateStart(file, 18)} › ${heading}`;
  return `${move}${scoreText(hit.score)} ${place}`;
}

export function movement({ rank, before }: Pick<ComparedHit, "rank" | "before">): string {
  if (before === undefined) return "new";
  const by = before - rank;
  return by === 0 ? "=" : by > 0 ? `↑${by}` : `↓${-by}`;
}
