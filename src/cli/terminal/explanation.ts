/** An explanation on a terminal: bars for what terms and lists add. */
import type { HitExplanation, ListExplanation } from "../../catalogue/index.ts";
import type { Io } from "../context.ts";
import { placeLine, scoreText } from "./place.ts";
import { type Style, terminalStyle, wantsColour } from "./style.ts";
import { oneLine, padEnd, padStart, truncateEnd, width } from "./text.ts";

const BAR = 24;
const MOST_TERMS = 15;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of `share` (0 to 1) of its width, to an eighth of a column. */
export function bar(share: number, columns = BAR): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * columns * 8);
  const full = "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!;
  return full === "" && share > 0 ? EIGHTHS[1]! : full;
}

export function explanationText(explanation: HitExplanation, io: Io): string {
  const style = terminalStyle(wantsColour(io.outIsTerminal, io.env));
  const { passage, strategy, score, why, lists, rank } = explanation;
  const head = `${style.bold(placeLine(passage))}  ${style.dim(passage.node.id)}`;
  const line = `${strategy}: ${rank === undefined ? "not found" : `#${rank}`}${score === undefined ? "" : `, score ${scoreText(score)}`}`;
  const total = lists.reduce((sum, { adds }) => sum + (adds ?? 0), 0);
  return `${[head, line, oneLine(why), ...lists.map((list) => `\n${listText(list, total, style)}`)].join("\n")}\n`;
}

function listText(list: ListExplanation, total: number, style: Style): string {
  const rank = list.rank === undefined ? "" : `  #${list.rank}`;
  const score = list.score === undefined ? "" : `  score ${scoreText(list.score)}`;
  const best = list.best === undefined ? "" : style.dim(`  (first: ${scoreText(list.best)})`);
  const lines = [`${style.bold(list.list)}${rank}${score}${best}`];
  if (list.adds !== undefined)
    lines.push(`  adds ${list.adds.toFixed(4)}  ${style.cyan(bar(total > 0 ? list.adds / total : 0))}`);
  if (list.why) lines.push(`  ${oneLine(list.why)}`);
  const terms = list.terms.slice(0, MOST_TERMS);
  const most = Math.max(0, ...terms.map(({ score: own }) => own));
  const names = terms.map(({ term }) => truncateEnd(oneLine(term), 24));
  const fields = terms.map(({ field }) => oneLine(field));
  const name = Math.max(0, ...names.map(width));
  const field = Math.max(0, ...fields.map(width));
  terms.forEach((term, i) => {
    const facts = [
      ...(term.frequency === undefined ? [] : [`${+term.frequency.toFixed(2)} times`]),
      ...(term.documents === undefined ? [] : [`in ${term.documents} passages`]),
    ].join(", ");
    const drawn = padEnd(bar(most > 0 ? term.score / most : 0), BAR);
    lines.push(
      `  ${padEnd(names[i]!, name)}  ${style.dim(padEnd(fields[i]!, field))}  ${padStart(term.score.toFixed(3), 7)}  ${style.cyan(drawn)}  ${style.dim(facts)}`.trimEnd(),
    );
  });
  if (list.terms.length > terms.length) lines.push(style.dim(`  … and ${list.terms.length - terms.length} more`));
  if (list.missing.length > 0)
    lines.push(style.dim(`  not in it: ${list.missing.slice(0, 20).map(oneLine).join(", ")}`));
  return lines.join("\n");
}

export function explanationJson({ passage, ...rest }: HitExplanation): Record<string, unknown> {
  const { node, score } = passage;
  const { file, heading } = node.metadata;
  return {
    ...rest,
    passage: {
      id: node.id,
      ...(file === undefined ? {} : { file }),
      ...(heading === undefined ? {} : { heading }),
      ...(score === undefined ? {} : { score }),
      text: node.text,
    },
  };
}
