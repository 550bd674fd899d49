/** `rewrite` of queries for many terms. */
import { illegalArgument } from "../../errors.ts";
import { CONSTANT_SCORE, type RewriteMethod } from "../lucene/multi-term.ts";
import { parseInteger } from "./minimum-should-match.ts";

const NAMED: Readonly<Record<string, RewriteMethod>> = {
  constant_score: CONSTANT_SCORE,
  constant_score_blended: CONSTANT_SCORE,
  constant_score_boolean: { kind: "constant_score_boolean" },
  scoring_boolean: { kind: "scoring_boolean" },
};
const SIZED: Readonly<Record<string, "top_terms" | "top_terms_boost" | "top_terms_blended_freqs">> = {
  top_terms_: "top_terms",
  top_terms_boost_: "top_terms_boost",
  top_terms_blended_freqs_: "top_terms_blended_freqs",
};

/** QueryParsers.parseRewriteMethod: a name, or one of three with a number behind it; undefined for none. */
export function parseRewriteMethod(name: string | undefined): RewriteMethod | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  const digits = name.search(/\d/);
  if (digits >= 0) {
    const size = parseInteger(name.slice(digits));
    const kind = Object.hasOwn(SIZED, name.slice(0, digits)) ? SIZED[name.slice(0, digits)] : undefined;
    if (kind) return { kind, size };
  }
  throw illegalArgument(`Failed to parse rewrite_method [${name}]`);
}
