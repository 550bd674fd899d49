/** The grammar of query_string, Lucene's classic query parser: clauses with operators, fields, groups, ranges, boosts. */
import { type Clause, isBoolean, type Occur } from "../../lucene/boolean.ts";
import { askedBoostQuery } from "../../lucene/constant.ts";
import { isTerm } from "../../lucene/term.ts";
import type { Query } from "../../types.ts";
import { queryParseError } from "./errors.ts";
import { unescaped } from "./escapes.ts";
import { type QueryToken, type TokenKind, type Tokens, tokensOf } from "./tokens.ts";

export interface RangeBounds {
  /** Undefined: open. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly includeLower: boolean;
  readonly includeUpper: boolean;
}

/** What the parts of a query become. A field is undefined where the query names none; a query where nothing is left of its text. */
export interface LeafQueries {
  /** Words next to each other, as one text. */
  text(field: string | undefined, text: string): Query | undefined;
  /** @param slop undefined: the request's */
  phrase(field: string | undefined, text: string, slop: number | undefined): Query | undefined;
  prefix(field: string | undefined, prefix: string): Query | undefined;
  /** Escapes are still in the pattern. */
  wildcard(field: string | undefined, pattern: string): Query | undefined;
  regexp(field: string | undefined, pattern: string): Query | undefined;
  /** @param edits what stands behind `~` */
  fuzzy(field: string | undefined, term: string, edits: string): Query | undefined;
  range(field: string | undefined, bounds: RangeBounds): Query | undefined;
  /** Clauses as one query. */
  bool(clauses: readonly Clause[]): Query;
}

export interface GrammarOptions {
  readonly defaultOperator: "or" | "and";
  /** Field of what names none. */
  readonly field: string | undefined;
  readonly leaves: LeafQueries;
}

/** Groups within groups: deeper ones exhaust the stack of a recursive parser. */
const MAX_DEPTH = 1000;

const NOT_AFTER_WORDS: readonly TokenKind[] = ["colon", "star", "tilde", "caret", "and", "or"];

/** @returns the query; undefined when nothing is left of the text @throws QueryParseError */
export function parseQueryText(text: string, options: GrammarOptions): Query | undefined {
  const tokens = tokensOf(text);
  const query = parseClauses(tokens, options.field, options, 0);
  const last = tokens.peek(0);
  if (last.kind !== "end") throw unexpected(last);
  return query;
}

function unexpected({ kind, text, at }: QueryToken): Error {
  const shown = kind === "end" ? "<EOF>" : ` ${CLASSES[kind] ?? `"${text}"`} "${text} "`;
  return queryParseError(`Encountered "${shown}" at line 1, column ${at}.`);
}

const CLASSES: Partial<Record<TokenKind, string>> = {
  and: "<AND>",
  or: "<OR>",
  not: "<NOT>",
  term: "<TERM>",
  quoted: "<QUOTED>",
  tilde: "<FUZZY_SLOP>",
  prefix: "<PREFIXTERM>",
  wildcard: "<WILDTERM>",
  regexp: "<REGEXPTERM>",
  number: "<NUMBER>",
  rangeWord: "<RANGE_GOOP>",
  rangeQuoted: "<RANGE_QUOTED>",
};

function take(tokens: Tokens, ...kinds: readonly TokenKind[]): QueryToken | undefined {
  return kinds.includes(tokens.peek(0).kind) ? tokens.next() : undefined;
}

function expect(tokens: Tokens, ...kinds: readonly TokenKind[]): QueryToken {
  const token = take(tokens, ...kinds);
  if (!token) throw unexpected(tokens.peek(0));
  return token;
}

type Conjunction = "and" | "or" | undefined;
type Modifier = "required" | "prohibited" | undefined;

function parseClauses(
  tokens: Tokens,
  field: string | undefined,
  options: GrammarOptions,
  depth: number,
): Query | undefined {
  if (depth > MAX_DEPTH) throw queryParseError(`Groups are nested more than ${MAX_DEPTH} times.`);
  const clauses: Clause[] = [];
  let first: Query | undefined;
  for (let started = false; ; started = true) {
    const words = wordsFrom(tokens);
    if (words !== undefined) {
      const query = options.leaves.text(field, unescaped(words));
      addWords(clauses, query, options);
      if (!started) first = query;
      continue;
    }
    if (started && ["end", "close"].includes(tokens.peek(0).kind)) break;
    const conjunction = started ? readConjunction(tokens) : undefined;
    const modifier = readModifier(tokens);
    const query = parseClause(tokens, field, options, depth);
    addClause(clauses, conjunction, modifier, query, options);
    if (!started && modifier === undefined) first = query;
  }
  if (clauses.length === 1 && first) return first;
  return clauses.length === 0 ? undefined : options.leaves.bool(clauses);
}

/** Two words or more in a row, none of which belongs to an operator. */
function wordsFrom(tokens: Tokens): string | undefined {
  const follows = () => tokens.peek(0).kind === "term" && !NOT_AFTER_WORDS.includes(tokens.peek(1).kind);
  if (tokens.peek(0).kind !== "term" || tokens.peek(1).kind !== "term") return undefined;
  if (NOT_AFTER_WORDS.includes(tokens.peek(2).kind)) return undefined;
  let words = tokens.next().text;
  while (follows()) words += ` ${tokens.next().text}`;
  return words;
}

function readConjunction(tokens: Tokens): Conjunction {
  return take(tokens, "and", "or")?.kind as Conjunction;
}

function readModifier(tokens: Tokens): Modifier {
  const kind = take(tokens, "plus", "minus", "not")?.kind;
  return kind === undefined ? undefined : kind === "plus" ? "required" : "prohibited";
}

/** The terms of words are clauses of their own; any other query is one clause (QueryParserBase.addMultiTermClauses). */
function addWords(clauses: Clause[], query: Query | undefined, { defaultOperator }: GrammarOptions): void {
  if (!query) return;
  if (isBoolean(query) && query.clauses.every((clause) => isTerm(clause.query))) clauses.push(...query.clauses);
  else clauses.push({ occur: defaultOperator === "or" ? "should" : "must", query });
}

/** QueryParserBase.addClause: what an operator says of the clause before it and of the one behind it. */
function addClause(
  clauses: Clause[],
  conjunction: Conjunction,
  modifier: Modifier,
  query: Query | undefined,
  { defaultOperator }: GrammarOptions,
): void {
  const before = clauses.at(-1);
  const changed: Occur | undefined =
    conjunction === "and" ? "must" : conjunction === "or" && defaultOperator === "and" ? "should" : undefined;
  if (before && changed && before.occur !== "must_not") clauses[clauses.length - 1] = { ...before, occur: changed };
  if (!query) return;
  const required = defaultOperator === "or" ? modifier === "required" || conjunction === "and" : conjunction !== "or";
  const occur: Occur = modifier === "prohibited" ? "must_not" : required ? "must" : "should";
  clauses.push({ occur, query });
}

function parseClause(
  tokens: Tokens,
  outer: string | undefined,
  options: GrammarOptions,
  depth: number,
): Query | undefined {
  let field = outer;
  if (tokens.peek(1).kind === "colon" && ["term", "star"].includes(tokens.peek(0).kind)) {
    const { kind, text } = tokens.next();
    tokens.next();
    field = kind === "star" ? "*" : unescaped(text);
  }
  if (!take(tokens, "open")) return parseLeaf(tokens, field, options);
  const query = parseClauses(tokens, field, options, depth + 1);
  expect(tokens, "close");
  return boostedBy(query, take(tokens, "caret") && expect(tokens, "number"));
}

function boostedBy(query: Query | undefined, boost: QueryToken | undefined): Query | undefined {
  return query && boost ? askedBoostQuery(query, Number(boost.text)) : query;
}

/** `^2`, `~1`, in either order. */
function readSuffix(tokens: Tokens): { boost?: QueryToken; tilde?: QueryToken } {
  const caret = () => (take(tokens, "caret") ? expect(tokens, "number") : undefined);
  const boost = caret();
  const tilde = take(tokens, "tilde");
  return { boost: boost ?? (tilde && caret()), tilde };
}

function parseLeaf(tokens: Tokens, field: string | undefined, options: GrammarOptions): Query | undefined {
  const { leaves } = options;
  if (tokens.peek(0).kind === "rangeOpen") return parseRange(tokens, field, leaves);
  const token = expect(
    tokens,
    ...(["term", "star", "prefix", "wildcard", "regexp", "number", "bareOperator", "quoted"] as const),
  );
  const { boost, tilde } = readSuffix(tokens);
  const { kind, text } = token;
  const leaf = (): Query | undefined => {
    if (kind === "quoted") {
      const slop = tilde && Number.parseFloat(tilde.text.slice(1));
      return leaves.phrase(
        field,
        unescaped(text.slice(1, -1)),
        Number.isNaN(slop) ? undefined : slop && Math.trunc(slop),
      );
    }
    const image = kind === "bareOperator" ? text[0] : text;
    if (kind === "star" || kind === "wildcard") return leaves.wildcard(field, text);
    if (kind === "prefix") return leaves.prefix(field, unescaped(text.slice(0, -1)));
    if (kind === "regexp") return leaves.regexp(field, text.slice(1, -1));
    if (tilde) return leaves.fuzzy(field, unescaped(image), tilde.text.slice(1));
    return leaves.text(field, unescaped(image));
  };
  return boostedBy(leaf(), boost);
}

function parseRange(tokens: Tokens, field: string | undefined, leaves: LeafQueries): Query | undefined {
  const includeLower = tokens.next().text === "[";
  const low = expect(tokens, "rangeWord", "rangeQuoted", "rangeTo");
  expect(tokens, "rangeTo");
  const high = expect(tokens, "rangeWord", "rangeQuoted", "rangeTo");
  const includeUpper = expect(tokens, "rangeClose").text === "]";
  const boost = take(tokens, "caret") && expect(tokens, "number");
  const bound = ({ kind, text }: QueryToken) => {
    if (kind === "rangeQuoted") return unescaped(text.slice(1, -1));
    return text === "*" ? undefined : unescaped(text);
  };
  return boostedBy(leaves.range(field, { from: bound(low), to: bound(high), includeLower, includeUpper }), boost);
}
