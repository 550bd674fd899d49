/** Scores in answers. */
import { JsonNumber } from "../json/types.ts";
import { javaFloat, shortestFloat } from "../mapping/java-text.ts";

/** A float as Java prints it: the shortest text that reads back as the same float. */
export function printScore(score: number): JsonNumber | number {
  const short = shortestFloat(score);
  if (short !== undefined && !Number.isInteger(short)) return short;
  const text = javaFloat(score);
  return String(score) === text ? score : new JsonNumber(text);
}
