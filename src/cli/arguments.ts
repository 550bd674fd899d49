/** Values of options, from text to what the library takes. Each throws commander's error, which names the option. */
import { InvalidArgumentError } from "commander";
import type { FilterOperator, FilterScalar, MetadataFilter } from "../schema/index.ts";

/** A whole number within bounds. */
export function wholeNumber(low: number, high: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < low || number > high)
      throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
    return number;
  };
}

const FILTER = /^([^=<>!]+)(>=|<=|!=|==|=|>|<)(.*)$/s;

/**
 * `level=员工`, `year>=2024`: a metadata key, an operator and a value. Numbers and true/false are meant as such; in double quotes they are
 * strings. Each use of the option adds a condition; all must hold.
 */
export function filterCondition(text: string, previous: MetadataFilter[] = []): MetadataFilter[] {
  const match = FILTER.exec(text);
  const key = match?.[1]?.trim();
  if (!match || !key) {
    throw new InvalidArgumentError(
      "It must be KEY=VALUE with one of = != > >= < <=, in quotes for the shell: --filter 'effective>=2024-01-01'.",
    );
  }
  const operator = (match[2] === "=" ? "==" : match[2]) as FilterOperator;
  const value = filterValue(match[3]!.trim());
  if (typeof value === "boolean" && operator !== "==" && operator !== "!=")
    throw new InvalidArgumentError(`${operator} compares numbers and text, not true or false.`);
  return [...previous, { key, operator, value }];
}

function filterValue(text: string): Exclude<FilterScalar, null> {
  if (text === "true" || text === "false") return text === "true";
  // Digits that are no plain number (007, 1e400) are names.
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && Number.isFinite(Number(text))) return Number(text);
  return /^".*"$/s.test(text) && text.length >= 2 ? text.slice(1, -1) : text;
}

/** `a,b,c`. */
export function nameList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError("It must be names with commas between: bm25,hybrid.");
  return names;
}
