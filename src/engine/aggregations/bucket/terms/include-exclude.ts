/** `include` and `exclude` of terms: lists, patterns, or one part of all terms (IncludeExclude). */
import { EngineError, illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import { byteAutomaton, compiledAutomaton } from "../../../query/automaton/byte-automaton.ts";
import { TooComplexError, withoutDeadStates } from "../../../query/automaton/operations.ts";
import { REGEXP_FLAGS } from "../../../query/automaton/regexp.ts";
import { regexpAutomaton } from "../../../query/automaton/regexp-automaton.ts";
import { DEFAULT_LIMIT } from "../../../query/automaton/wildcard.ts";
import type { QueryContext } from "../../../query/dsl/index.ts";
import { isArray, isObject, located, readInt, textOf } from "../../../query/dsl/read.ts";
import { type FieldReader, field } from "../../support/object-parser.ts";
import type { ValuesSource } from "../../support/values-source.ts";
import { partitionOfBytes, partitionOfLong } from "./partition.ts";

/** One of the two. A pattern is checked when it is read. */
export type TermList =
  | { readonly kind: "list"; readonly values: readonly string[] }
  | { readonly kind: "pattern"; readonly text: string; readonly accepts: (term: string) => boolean }
  | { readonly kind: "partition"; readonly partition: number; readonly partitions: number };

export interface IncludeExclude {
  readonly include?: TermList;
  readonly exclude?: TermList;
}

export const include: FieldReader<TermList> = field(["string", "array", "object"], (value, json, key) => {
  const list = isObject(value) ? partitionOf(value, json, key) : listOf(value);
  if (list.kind === "partition" && Object.keys(json).indexOf("exclude") < Object.keys(json).indexOf(key))
    checkTogether(json, key);
  return list;
});

export const exclude: FieldReader<TermList> = field(["string", "array"], (value, json, key) => {
  const list = listOf(value);
  if (isObject(json["include"]) && Object.keys(json).indexOf("include") < Object.keys(json).indexOf(key))
    checkTogether(json, key);
  return list;
});

function checkTogether(json: JsonObject, key: string): void {
  if (json["exclude"] === undefined) return;
  const error = illegalArgument("Cannot specify any excludes when using a partition-based include");
  throw located(error, json[key], "end");
}

function listOf(value: JsonValue): TermList {
  if (!isArray(value)) {
    const text = value as string;
    return { kind: "pattern", text, accepts: patternMatcher(text) };
  }
  const values = value.map((item, at) => {
    const text = textOf(item);
    if (text !== undefined) return text;
    const error = new EngineError(
      "parse_exception",
      "Array elements in include/exclude clauses should be string values",
    );
    throw located(error, value, { value: at });
  });
  return { kind: "list", values };
}

function partitionOf(value: JsonObject, json: JsonObject, key: string): TermList {
  let partition: number | undefined;
  let partitions: number | undefined;
  for (const name of Object.keys(value)) {
    if (name === "partition") partition = readInt(value[name], value, name);
    else if (name === "num_partitions") partitions = readInt(value[name], value, name);
    else
      throw located(new EngineError("parse_exception", `Unknown parameter in Include/Exclude clause: ${name}`), value, {
        value: name,
      });
  }
  const fail = (reason: string) => located(illegalArgument(reason), json[key], "end");
  if (partition === undefined) throw fail("Missing [partition] parameter for partition-based include");
  if (partitions === undefined) throw fail("Missing [num_partitions] parameter for partition-based include");
  if (partition < 0 || partition >= partitions)
    throw fail(`Partition must be >=0 and < numPartition which is ${partitions}`);
  return { kind: "partition", partition, partitions };
}

const utf8 = new TextEncoder();

/** A pattern of Lucene's; all of its operators are on. */
function patternMatcher(text: string): (term: string) => boolean {
  const flags = REGEXP_FLAGS.ALL;
  try {
    const dfa = compiledAutomaton(
      regexpAutomaton(text, { flags, ignoreCase: false, limit: DEFAULT_LIMIT }),
      DEFAULT_LIMIT,
    );
    const live = withoutDeadStates(dfa);
    if (live.stateCount === 0) return () => false;
    const { start, step, accepts } = byteAutomaton(live);
    return (term) => {
      let state = start;
      for (const byte of utf8.encode(term)) {
        state = step(state, byte);
        if (state < 0) return false;
      }
      return accepts(state);
    };
  } catch (error) {
    throw error instanceof TooComplexError ? unsupported("a pattern of terms that is too complex") : error;
  }
}

type Accept<T> = ((value: T) => boolean) | undefined;

/** Which terms count; undefined: all. */
export function termFilter(
  { include: wanted, exclude: unwanted }: IncludeExclude,
  source: Pick<ValuesSource, "kind" | "format" | "parse">,
  own: { readonly name: string; readonly context: QueryContext },
): Accept<string> {
  if (source.kind === "ip") {
    checkNoPattern([wanted, unwanted], own.name, "Use an array of values for include/exclude clauses");
  }
  // An address is hashed as its sixteen bytes, which are kept as hexadecimal digits.
  const bytesOf = (term: string) =>
    source.kind === "ip"
      ? Uint8Array.from(term.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
      : utf8.encode(term);
  const checks: ((term: string) => boolean)[] = [];
  for (const [list, inside] of [
    [wanted, true],
    [unwanted, false],
  ] as const) {
    if (!list) continue;
    if (list.kind === "pattern") {
      checkLength(list.text, own.context);
      checks.push((term) => list.accepts(term) === inside);
    } else if (list.kind === "list") {
      const terms = new Set(list.values.map((value) => source.parse(value) as string));
      checks.push((term) => terms.has(term) === inside);
    } else checks.push((term) => partitionOfBytes(bytesOf(term), list.partitions) === list.partition);
  }
  return both(checks);
}

/** Of numbers. @param exact longs beyond 2^53 are told apart */
export function numberFilter(
  { include: wanted, exclude: unwanted }: IncludeExclude,
  source: ValuesSource,
  name: string,
): Accept<number | bigint> {
  checkNoPattern(
    [wanted, unwanted],
    name,
    "Use an array of numeric values for include/exclude clauses used to filter numeric fields",
  );
  const checks: ((value: number | bigint) => boolean)[] = [];
  for (const [list, inside] of [
    [wanted, true],
    [unwanted, false],
  ] as const) {
    if (list?.kind === "list") {
      const numbers = new Set(list.values.map((value) => numberText(wholePart(source.parse(value), source.floating))));
      checks.push((value) => numbers.has(numberText(value)) === inside);
    } else if (list?.kind === "partition") {
      checks.push((value) => partitionOfLong(value, source.floating, list.partitions) === list.partition);
    }
  }
  return both(checks);
}

/** Whole numbers are read as such: a fraction is cut off downwards. */
function wholePart(value: number | bigint | string, floating: boolean): number | bigint {
  return floating || typeof value !== "number" ? (value as number | bigint) : Math.floor(value);
}

/** −0 is another number than 0. */
const numberText = (value: number | bigint): string => (Object.is(value, -0) ? "-0" : String(value));

function both<T>(checks: readonly ((value: T) => boolean)[]): Accept<T> {
  if (checks.length <= 1) return checks[0];
  return (value) => checks.every((check) => check(value));
}

function checkNoPattern(lists: readonly (TermList | undefined)[], name: string, remedy: string): void {
  if (!lists.some((list) => list?.kind === "pattern")) return;
  throw illegalArgument(
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. ${remedy}`,
  );
}

function checkLength(pattern: string, { maxRegexLength, indexName }: QueryContext): void {
  if (pattern.length <= maxRegexLength) return;
  void indexName;
  throw illegalArgument(
    `The length of regex [${pattern.length}] used in the request has exceeded the allowed maximum of [${maxRegexLength}]. This maximum can be ` +
      "set by changing the [index.max_regex_length] index level setting.",
  );
}
