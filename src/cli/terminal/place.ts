/** Where a passage stands, for people: file › heading. */
import type { NodeWithScore } from "../../schema/index.ts";
import { nameLine, oneLine } from "./text.ts";

/** File (or title, or id) and heading of a passage, as they may be shown. */
export function placeOf({ node }: NodeWithScore): { file: string; heading?: string } {
  const { file, heading, title } = node.metadata;
  const name = [file, title].find((value) => typeof value === "string" && value !== "");
  return {
    file: nameLine(typeof name === "string" ? name : (node.relationships.source?.id ?? node.id)),
    ...(typeof heading === "string" && heading !== "" ? { heading: oneLine(heading) } : {}),
  };
}

export function placeLine(item: NodeWithScore): string {
  const { file, heading } = placeOf(item);
  return heading === undefined ? file : `${file} › ${heading}`;
}

/** A score with as many digits as tell hits apart. */
export function scoreText(score: number | undefined): string {
  if (score === undefined) return "–";
  return Math.abs(score) >= 10 ? score.toFixed(2) : score.toFixed(3);
}
