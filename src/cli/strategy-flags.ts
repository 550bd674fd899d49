/** A strategy's options as flags of a command: names, kinds and help come from its zod schema. */
import { type Command, InvalidArgumentError as FlagError, Option } from "commander";
import type { z } from "zod";
import { type AnyStrategy, checkedOptions, STRATEGIES, STRATEGY_NAMES, strategyNamed } from "../catalogue/index.ts";
import { parseReferences } from "../catalogue/reference-text.ts";
import { InvalidArgumentError } from "../schema/index.ts";

type Schema = z.core.$ZodType;

/** The strategy that a command line names, before it is parsed. */
export function strategyIn(args: readonly string[]): string | undefined {
  for (let i = 1; i < args.length && args[i] !== "--"; i++) {
    const arg = args[i]!;
    if (arg === "-s" || arg === "--strategy") return args[i + 1];
    const joined = /^(?:--strategy=|-s=?)(.+)$/s.exec(arg);
    if (joined) return joined[1];
  }
  return undefined;
}

/** Gives a command the flags of a strategy. */
export function addStrategyFlags(command: Command, name: string, args: readonly string[]): void {
  const strategy = strategyNamed(name);
  for (const option of optionsOf(strategy))
    if (!command.options.some(({ long }) => long === option.long)) command.addOption(option);
  refuseOthers(command, strategy, args);
}

/** The strategy's options among those that were parsed, checked before anything is opened. */
export function strategyOptions(name: string, parsed: object): Record<string, unknown> {
  const strategy = strategyNamed(name);
  const given = Object.fromEntries(
    Object.entries(parsed).filter(([key, value]) => value !== undefined && Object.hasOwn(strategy.options.shape, key)),
  );
  checkedOptions(strategy, given);
  return given;
}

/** A flag that only other strategies have is named with them. */
function refuseOthers(command: Command, strategy: AnyStrategy, args: readonly string[]): void {
  const end = args.indexOf("--");
  for (const arg of end < 0 ? args : args.slice(0, end)) {
    const flag = /^--[a-z][a-z0-9-]*/.exec(arg)?.[0];
    if (!flag || command.options.some(({ long }) => long === flag)) continue;
    const key = flag.slice(2).replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    const owners = STRATEGY_NAMES.filter((name) => Object.hasOwn(STRATEGIES[name].options.shape, key));
    if (owners.length === 0) continue;
    throw new InvalidArgumentError(
      key,
      arg,
      `${flag} is no option of the strategy ${strategy.name}: ${owners.join(", ")} ${owners.length > 1 ? "have" : "has"} it (--strategy ${owners[0]})`,
    );
  }
}

export function flagOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function optionsOf(strategy: AnyStrategy): Option[] {
  return Object.entries(strategy.options.shape).map(([key, schema]) => {
    const { inner, fallback } = unwrapped(schema);
    const shown = fallback === undefined ? "" : ` (default: ${valueText(fallback)})`;
    const text = `${strategy.name}: ${descriptionOf(schema) ?? key}${shown}`;
    const option = new Option(`${flagOf(key)} ${placeholder(inner)}`, text);
    const values = enumValues(inner);
    if (values) return option.choices(values);
    const list = listMeta(schema);
    if (list === "pairs") return option.argParser(pairs);
    if (list === "strategy") return option.argParser((value: string) => parseReferences(value)[0]);
    return option.argParser((value: string, previous: unknown) => parsed(inner, value, previous, list));
  });
}

/** What a value looks like in help and tables. */
export function valueText(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function descriptionOf(schema: Schema): string | undefined {
  const own = (schema as z.ZodType).description;
  if (own !== undefined) return own;
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return innerType && descriptionOf(innerType);
}

/** A schema without what makes it optional, and its default. */
export function unwrapped(schema: Schema): { inner: Schema; fallback?: unknown } {
  const def = schema._zod.def as { type: string; innerType?: Schema; defaultValue?: unknown };
  if (def.type === "default") return { ...unwrapped(def.innerType!), fallback: def.defaultValue };
  if (def.type === "optional") return unwrapped(def.innerType!);
  return { inner: schema };
}

/** The kind of a value in a word, for help and tables. */
export function kindOf(schema: Schema): string {
  const def = schema._zod.def as { type: string; options?: readonly Schema[]; element?: Schema };
  switch (def.type) {
    case "enum":
      return enumValues(schema)!.join(" | ");
    case "union":
      return [...new Set(def.options!.map((option) => kindOf(unwrapped(option).inner)))].join(" or ");
    case "array":
      return `list of ${kindOf(def.element!)}`;
    case "record":
      return "name=number,…";
    case "int":
      return "number";
    case "string":
      return "text";
    default:
      return def.type;
  }
}

function placeholder(schema: Schema): string {
  const { type } = schema._zod.def;
  if (type === "boolean") return "[true|false]";
  if (type === "number" || type === "int") return "<number>";
  if (type === "enum") return "<name>";
  if (type === "array") return "<list>";
  if (type === "record") return "<name=number,...>";
  if (type === "object") return "<json>";
  return "<value>";
}

function enumValues(schema: Schema): string[] | undefined {
  const def = schema._zod.def as { type: string; entries?: Record<string, string> };
  return def.type === "enum" ? Object.values(def.entries!) : undefined;
}

/** A flag's text as the value that its schema takes; the schema itself checks it later. */
function parsed(schema: Schema, text: string | boolean, previous: unknown, list?: string): unknown {
  const def = schema._zod.def as { type: string; element?: Schema; options?: readonly Schema[] };
  if (def.type === "boolean") return truth(text);
  const value = String(text);
  if (def.type === "number" || def.type === "int") return number(value);
  if (def.type === "array") {
    const before = Array.isArray(previous) ? (previous as unknown[]) : [];
    return [...before, ...listItems(list, value)];
  }
  if (def.type === "object" || /^\s*[[{]/.test(value)) return json(value);
  if (def.type === "record") return record(value);
  if (def.type === "union") {
    const types = def.options!.map((option) => option._zod.def.type);
    if (types.includes("record") || types.includes("array"))
      return types.includes("record") && value.includes("=")
        ? record(value)
        : value.split(",").map((part) => scalar(part));
    return types.includes("number") || types.includes("int") ? scalar(value) : value;
  }
  return value;
}

/** Texts of a clause may have commas in them: such a flag is repeated. Others are lists with commas. */
function listItems(list: string | undefined, text: string): unknown[] {
  if (/^\s*[[{]/.test(text)) {
    const value = json(text);
    return Array.isArray(value) ? value : [value];
  }
  if (list === "repeat") return [text];
  if (list === "strategies") return parseReferences(text);
  return text.split(",").map((part) => part.trim());
}

/** How a flag's text is a list: said at any layer of the schema. */
function listMeta(schema: Schema): string | undefined {
  const own = ((schema as z.ZodType).meta() as { list?: string } | undefined)?.list;
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return own ?? (innerType && listMeta(innerType));
}

function pairs(text: string, previous: unknown): Record<string, unknown> {
  const at = text.indexOf("=");
  if (at < 1) throw new FlagError("It must be NAME=VALUE; may be repeated.");
  const before = typeof previous === "object" && previous !== null ? previous : {};
  return { ...before, [text.slice(0, at).trim()]: scalar(text.slice(at + 1)) };
}

function truth(text: string | boolean): boolean {
  if (text === true || text === "true") return true;
  if (text === false || text === "false") return false;
  throw new FlagError("It must be true or false.");
}

function number(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value)) throw new FlagError("It must be a number.");
  return value;
}

function scalar(text: string): string | number {
  const value = text.trim();
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function record(text: string): Record<string, number> {
  return Object.fromEntries(
    text.split(",").map((part) => {
      const at = part.lastIndexOf("=");
      if (at < 1) throw new FlagError("It must be NAME=NUMBER, with commas between several.");
      return [part.slice(0, at).trim(), number(part.slice(at + 1))];
    }),
  );
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new FlagError(`It is not JSON: ${(error as Error).message}`);
  }
}
