/** The tokens of query_string's language, as Lucene's classic query parser cuts them: the longest wins, then the first in its list. */
import { QueryParseError } from "./errors.ts";

export type TokenKind =
  | "and"
  | "or"
  | "not"
  | "plus"
  | "minus"
  | "bareOperator"
  | "open"
  | "close"
  | "colon"
  | "star"
  | "caret"
  | "quoted"
  | "term"
  | "tilde"
  | "prefix"
  | "wildcard"
  | "regexp"
  | "rangeOpen"
  | "number"
  | "rangeTo"
  | "rangeClose"
  | "rangeQuoted"
  | "rangeWord"
  | "end";

export interface QueryToken {
  readonly kind: TokenKind;
  readonly text: string;
  /** Place of the first UTF-16 unit. */
  readonly at: number;
}

const SPACE = " \\t\\n\\r\\u3000";
const ESCAPED = "\\\\[\\s\\S]";
const START = `(?:[^${SPACE}+\\-!():^[\\]"{}~*?\\\\/]|${ESCAPED})`;
const INNER = `(?:[^${SPACE}!():^[\\]"{}~*?\\\\/]|${ESCAPED})`;

type Rule = readonly [kind: TokenKind, pattern: RegExp];
const rule = (kind: TokenKind, source: string): Rule => [kind, new RegExp(source, "y")];

const DEFAULT: readonly Rule[] = [
  rule("and", "AND|&&"),
  rule("or", "OR|\\|\\|"),
  rule("not", "NOT|!"),
  rule("plus", "\\+"),
  rule("minus", "-"),
  rule("bareOperator", `[+\\-!][${SPACE}]`),
  rule("open", "\\("),
  rule("close", "\\)"),
  rule("colon", ":"),
  rule("star", "\\*"),
  rule("caret", "\\^"),
  rule("quoted", `"(?:[^"\\\\]|${ESCAPED})*"`),
  rule("term", `${START}${INNER}*`),
  rule("tilde", `~${INNER}*`),
  rule("prefix", `\\*|${START}${INNER}*\\*`),
  rule("wildcard", `(?:${START}|[*?])(?:${INNER}|[*?])*`),
  rule("regexp", "/(?:\\\\/|[^/])*/"),
  rule("rangeOpen", "[[{]"),
];
const BOOST: readonly Rule[] = [rule("number", "\\d+(?:\\.\\d+)?")];
const RANGE: readonly Rule[] = [
  rule("rangeTo", "TO"),
  rule("rangeClose", "[\\]}]"),
  rule("rangeQuoted", '"(?:\\\\"|[^"])+"'),
  rule("rangeWord", "[^ \\]}]+"),
];
const SKIPPED = new RegExp(`[${SPACE}]*`, "y");

/** Cuts a query; what cannot be cut becomes an error only when the parser gets there. */
export interface Tokens {
  /** The token that is `ahead` places in front; tokens are cut when they are asked for. */
  peek(ahead: number): QueryToken;
  next(): QueryToken;
}

export function tokensOf(query: string): Tokens {
  const waiting: QueryToken[] = [];
  let at = 0;
  let rules = DEFAULT;
  const cut = (): QueryToken => {
    if (rules !== BOOST) {
      SKIPPED.lastIndex = at;
      at += SKIPPED.exec(query)![0].length;
    }
    if (at >= query.length) return { kind: "end", text: "", at: query.length };
    let best: QueryToken | undefined;
    for (const [kind, pattern] of rules) {
      pattern.lastIndex = at;
      const text = pattern.exec(query)?.[0];
      if (text && text.length > (best?.text.length ?? 0)) best = { kind, text, at };
    }
    if (!best) throw lexicalError(query, at, rules === BOOST);
    at += best.text.length;
    if (best.kind === "caret") rules = BOOST;
    else if (best.kind === "rangeOpen") rules = RANGE;
    else if (rules === BOOST || best.kind === "rangeClose") rules = DEFAULT;
    return best;
  };
  const peek = (ahead: number): QueryToken => {
    while (waiting.length <= ahead) waiting.push(cut());
    return waiting[ahead];
  };
  return {
    peek,
    next() {
      const token = peek(0);
      if (token.kind !== "end") waiting.shift();
      return token;
    },
  };
}

/** Where JavaCC's token manager gives up: in a boost at once, elsewhere at the end, with what it has read. */
function lexicalError(query: string, at: number, inBoost: boolean) {
  const rest = query.slice(at);
  const code = rest.charCodeAt(0);
  const where = inBoost && rest.length > 1 ? at + 1 : query.length + 1;
  const found = inBoost && rest.length > 1 ? `'${code}' (${code}),` : "<EOF>";
  const after = rest.length > 1 && !inBoost ? ` after prefix ${JSON.stringify(rest)}` : "";
  const state = inBoost ? "" : " (in lexical state 2)";
  const reason = `Lexical error at line 1, column ${where}.  Encountered: ${found}${after}${state}`;
  return new QueryParseError(reason, "token_mgr_error");
}
