/** A strategy's options checked: unknown ones are refused, and the near ones named. */
import type { z } from "zod";
import { InvalidArgumentError } from "../schema/index.ts";
import { type AnyStrategy, isStrategyName, STRATEGIES, STRATEGY_NAMES } from "./registry.ts";

/** @throws InvalidArgumentError for a name that is none */
/** The strategy of a name. Throws an InvalidArgumentError that lists the names there are. */
export function strategyNamed(name: string): AnyStrategy {
  if (isStrategyName(name)) return STRATEGIES[name] as unknown as AnyStrategy;
  throw new InvalidArgumentError(
    "strategy",
    name,
    `unknown strategy "${cut(name)}"${suggestion(name, STRATEGY_NAMES)}: known are ${STRATEGY_NAMES.join(", ")}`,
  );
}

/** @throws InvalidArgumentError that names the option and, where one was mistyped, what may have been meant */
/** A strategy's options with their defaults. Throws an InvalidArgumentError that names unknown ones and those near them. */
export function checkedOptions(
  strategy: AnyStrategy,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = Object.keys(strategy.options.shape);
  const defined = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  for (const name of Object.keys(defined)) {
    if (!Object.hasOwn(strategy.options.shape, name)) throw unknownOption(strategy.name, name, defined[name], known);
  }
  const parsed = strategy.options.safeParse(defined);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const place = issue.path.map(String).join(".") || "options";
  throw new InvalidArgumentError(
    place,
    issue.path.length > 0 ? defined[String(issue.path[0])] : given,
    `the option "${place}" of the strategy ${strategy.name}: ${issueText(issue)}`,
  );
}

function unknownOption(strategy: string, name: string, value: unknown, known: readonly string[]) {
  const elsewhere = STRATEGY_NAMES.filter((other) => Object.hasOwn(STRATEGIES[other].options.shape, name));
  const where = elsewhere.length > 0 ? `; ${elsewhere.join(", ")} ${elsewhere.length > 1 ? "have" : "has"} it` : "";
  const has = known.length > 0 ? `it has ${known.join(", ")}` : "it has none";
  return new InvalidArgumentError(
    name,
    value,
    `the strategy ${strategy} has no option "${cut(name)}"${suggestion(name, known)}: ${has}${where}`,
  );
}

/** What zod found, with the innermost reason of a union. */
function issueText(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_union" && issue.message === "Invalid input") {
    const inner = issue.errors.flat().find(({ code }) => code !== "invalid_type") ?? issue.errors.flat()[0];
    if (inner) return issueText(inner);
  }
  return issue.message;
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearNames(name, known);
  return near.length > 0 ? ` (did you mean ${near.join(" or ")}?)` : "";
}

/** Names within two edits, or that begin alike. */
export function nearNames(name: string, known: readonly string[]): string[] {
  const short = name.slice(0, 60).toLowerCase();
  const scored = known
    .map((other) => ({ other, far: distance(short, other.toLowerCase()) }))
    .filter(
      ({ other, far }) => far <= Math.max(1, Math.min(2, Math.floor(other.length / 3))) || startsAlike(short, other),
    );
  return scored
    .sort((a, b) => a.far - b.far)
    .map(({ other }) => other)
    .slice(0, 3);
}

function startsAlike(name: string, other: string): boolean {
  const lower = other.toLowerCase();
  return name.length >= 3 && (lower.startsWith(name) || (name.startsWith(lower) && lower.length >= 3));
}

/** Edits from one name to another; two letters that change places are one. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, rows[i - 2]![j - 2]! + 1);
      row.push(edits);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

function cut(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
