/** huiliu search: the passages that fit a question, best first. */
import { type Aggregations, explainHit, type HitExplanation } from "../../catalogue/index.ts";
import { hitJson } from "../../collection/json.ts";
import type { Notice, SearchOptions } from "../../collection/types.ts";
import type { MetadataFilter, NodeWithScore } from "../../schema/index.ts";
import { type CommonOptions, type Context, EXIT, type Io, openForQuestions, rerankerOf } from "../context.ts";
import { sayWhyNothing } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { modelOption } from "../model.ts";
import { strategyOptions } from "../strategy-flags.ts";
import { aggregationsText } from "../terminal/aggregations.ts";
import { explanationText } from "../terminal/explanation.ts";
import { type FragmentTags, fragmentsText, fragmentTags } from "../terminal/fragments.ts";
import { marked, matchSpans, matchTerms, snippetSpan } from "../terminal/matches.ts";
import { placeLine, placeOf, scoreText } from "../terminal/place.ts";
import { type Style, terminalStyle, wantsColour } from "../terminal/style.ts";
import { oneLine, padStart, truncateStart, width } from "../terminal/text.ts";
import { wrapSpans } from "../terminal/wrap.ts";

export interface SearchCommandOptions extends CommonOptions {
  topK: number;
  strategy: string;
  filter?: MetadataFilter[];
  highlight?: boolean;
  explain?: boolean;
}

/** Lines of a snippet, and the widest it gets: longer lines are hard to read. */
const SNIPPET_LINES = 3;
const WIDEST = 100;

export async function search(context: Context, words: string[], options: SearchCommandOptions): Promise<number> {
  const { io, signal } = context;
  const query = words.join(" ");
  const own = strategyOptions(options.strategy, options);
  const collection = await openForQuestions(context, options);
  try {
    const { topK, strategy, filter, highlight } = options;
    const notices: Notice[] = [];
    const tags = fragmentTags(options.json ?? false);
    const search = {
      ...own,
      topK,
      strategy,
      signal,
      ...(filter ? { filters: { filters: filter } } : {}),
      ...(highlight ? { highlight: tags } : {}),
      ...(await modelOption(context, options)),
      ...(await rerankerOf(context, options)),
    };
    const counted: { aggregations?: Aggregations; total?: number } = {};
    const hits = await collection.search(query, {
      ...search,
      onNotice: (notice: Notice) => notices.push(notice),
      onAggregations: (aggregations: Aggregations, total: number) => Object.assign(counted, { aggregations, total }),
    } as SearchOptions);
    const explanations: HitExplanation[] = [];
    if (options.explain)
      for (const { node } of hits) explanations.push(await explainHit(collection, query, node.id, search));
    if (options.json)
      io.out(
        jsonLine({
          query,
          strategy,
          hits: hits.map((hit, i) => ({ ...hitJson(hit, i), ...whyJson(explanations[i]) })),
          ...counted,
          ...(notices.length > 0 ? { notices } : {}),
        }),
      );
    else if (counted.aggregations && Object.keys(counted.aggregations).length > 0)
      io.out(
        `${aggregationsText(counted.aggregations, counted.total ?? 0, io)}${hits.length > 0 ? `\n${hitsText(query, hits, io)}` : ""}`,
      );
    else if (options.explain && hits.length > 0)
      io.out(explanations.map((explanation) => explanationText(explanation, io)).join("\n"));
    else if (hits.length === 0) await sayWhyNothing(io, collection, filter !== undefined);
    else io.out(hitsText(query, hits, io, highlight ? tags : undefined));
    if (!options.json) for (const { message } of notices) io.err(`${message}\n`);
    return EXIT.ok;
  } finally {
    await collection.close();
  }
}

function whyJson(explanation?: HitExplanation): Record<string, unknown> {
  return explanation === undefined ? {} : { why: explanation.why, lists: explanation.lists };
}

/** The hits as they are shown: rank, score, place and ranks in the lists; below it the part of the text that matches. */
export function hitsText(query: string, hits: readonly NodeWithScore[], io: Io, tags?: FragmentTags): string {
  const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
  const terms = matchTerms(query);
  const scores = hits.map((hit) => scoreText(hit.score));
  const scoreWidth = Math.max(...scores.map(width));
  const rankWidth = String(hits.length).length;
  return hits
    .map((hit, i) => {
      const rank = padStart(String(i + 1), rankWidth);
      const head = `${style.bold(rank)}  ${style.cyan(padStart(scores[i]!, scoreWidth))}  `;
      const indent = " ".repeat(rankWidth + 2);
      const left = io.outIsTerminal ? io.columns - rankWidth - scoreWidth - 4 : Number.POSITIVE_INFINITY;
      return `${head}${placeText(hit, left, indent, style)}\n${
        fragmentsText(hit, tags, indent, io, style) ?? snippet(passageText(hit), terms, indent, io, style)
      }\n`;
    })
    .join("\n");
}

function placeText(hit: NodeWithScore, columns: number, indent: string, style: Style): string {
  const place = truncateStart(placeLine(hit), columns);
  const ranks = (hit.ranks ?? []).map(({ list, rank }) => `${oneLine(list)} #${rank}`).join(", ");
  const { file } = placeOf(hit);
  const shown = place.startsWith(file) ? style.bold(file) + place.slice(file.length) : style.bold(place);
  if (ranks === "") return shown;
  const fits = width(place) + width(ranks) + 4 <= columns;
  return `${shown}${fits ? "  " : `\n${indent}`}${style.dim(`(${ranks})`)}`;
}

/** The text without the Markdown heading that begins it, where the line above shows that already. */
function passageText({ node }: NodeWithScore): string {
  const { heading } = node.metadata;
  const first = /^\s*#{1,6}[ \t]+(.*?)[ \t]*(?:\n|$)/.exec(node.text);
  if (!first || first[1] !== heading) return node.text;
  const rest = node.text.slice(first[0].length);
  return rest.trim() === "" ? node.text : rest;
}

function snippet(text: string, terms: ReadonlySet<string>, indent: string, io: Io, style: Style): string {
  const shown = oneLine(text);
  const columns = Math.max(20, Math.min(io.columns - 1, WIDEST) - indent.length);
  const spans = matchSpans(shown, terms);
  // A line holds at most one character a column; Chinese text takes half as many.
  const window = snippetSpan(shown, spans, columns * SNIPPET_LINES);
  const part = shown.slice(window.start, window.end);
  const before = window.start > 0 ? "…" : "";
  const lines = wrapSpans(before + part, columns);
  const kept = lines.slice(0, SNIPPET_LINES);
  const cut = lines.length > SNIPPET_LINES || window.end < shown.length;
  const offset = window.start - before.length;
  return kept
    .map(({ start, end }, i) => {
      const lead = start === 0 ? before : "";
      const line = marked(shown, { start: start + offset + lead.length, end: end + offset }, spans, style.match);
      return `${indent}${lead}${line}${cut && i === kept.length - 1 ? "…" : ""}`;
    })
    .join("\n");
}
