/** Queries on a field for all terms that match a prefix, a pattern, an expression or a word with edits: those of MappedFieldType. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { TooComplexError } from "../automaton/operations.ts";
import type { RegexpOptions } from "../automaton/regexp-automaton.ts";
import { constantScoreQuery, matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import {
  CONSTANT_SCORE,
  type MultiTermQuery,
  multiOrdinalQuery,
  multiTermQuery,
  type RewriteMethod,
  type TermMatcher,
} from "../lucene/multi-term.ts";
import {
  fuzzyMatcher,
  prefixMatcher,
  prefixOfValuesMatcher,
  regexpMatcher,
  wildcardMatcher,
} from "../lucene/term-matchers.ts";
import type { Query } from "../types.ts";
import { beginningQuery } from "./beginnings.ts";
import { type QueryContext, queryShardError } from "./builder.ts";
import { MAX_CLAUSES } from "./compound.ts";
import { type Fuzziness, maxEdits } from "./fuzziness.ts";
import { hasTermsOnly, isNowhere, matchesIndexName } from "./metadata-fields.ts";
import { textOf } from "./read.ts";
import { runtimePatternQuery } from "./runtime-fields.ts";
import { checkSearchable } from "./term-level.ts";

type Kind = "prefix" | "wildcard" | "regexp" | "fuzzy";

const isText = ({ family }: MappedField) => ["text", "keyword", "wildcard", "flattened"].includes(family);

/** @throws for a key of a flattened field, of which only prefixes are looked for */
function refuseKeyed({ family }: MappedField, kind: Kind): void {
  if (family !== "flattened") return;
  const reason = `[${kind}] queries are not currently supported on keyed [flattened] fields.`;
  throw new EngineError("unsupported_operation_exception", reason);
}

function wrongType({ info: { name }, type, runtime }: MappedField, kind: Kind): string {
  const fields = kind === "prefix" || kind === "wildcard" ? "keyword, text and wildcard" : "keyword and text";
  return `Can only use ${kind} queries on ${fields} fields - not on [${name}] which is ${runtime ? "a runtime field " : ""}of type [${type}]`;
}

/** The query on a field with terms or sorted doc values; undefined for fields whose type has no such query. */
function termsQuery(
  field: MappedField,
  matcher: () => TermMatcher,
  rewrite: RewriteMethod | undefined,
): Query | undefined {
  const { name } = field;
  if (isNowhere(name)) return matchNoneQuery(`no document has [${name}]`);
  if (!isText(field) && !hasTermsOnly(name)) return undefined;
  checkSearchable(field);
  if (!field.indexed) return multiOrdinalQuery(field.info.name, compiled(matcher));
  // Fields of type wildcard have one score for all, whatever the rewrite.
  return multiTermOf(field, compiled(matcher), field.family === "wildcard" ? undefined : rewrite);
}

export function multiTermOf(field: MappedField, matcher: TermMatcher, rewrite?: RewriteMethod): MultiTermQuery {
  return multiTermQuery(field.info.name, matcher, rewrite ?? CONSTANT_SCORE, MAX_CLAUSES);
}

/** What is made of a pattern, with Elasticsearch's error for one that is too complex. */
export function compiled<T>(make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof TooComplexError ? tooComplex(error) : error;
  }
}

/** Lucene's TooComplexToDeterminizeException is a plain Java exception. */
function tooComplex({ message, cause }: TooComplexError): EngineError {
  return new EngineError("too_complex_to_determinize_exception", message, {
    status: 500,
    ...(cause instanceof TooComplexError ? { cause: tooComplex(cause) } : {}),
  });
}

/** The form in which the field's terms are compared: a keyword's is normalised. */
export function indexedText(field: MappedField, value: JsonValue, { now }: QueryContext): string {
  const term = field.termValue(value, { now });
  return typeof term === "string" ? term : (textOf(value) ?? "");
}

export interface PatternOptions {
  readonly ignoreCase?: boolean;
  readonly rewrite?: RewriteMethod | undefined;
}

/** The query on a runtime field; its text names the pattern as it was given. */
function runtimeQueryOf(field: MappedField, kind: Kind, matcher: () => TermMatcher, shown: string): Query | undefined {
  if (!field.runtime) return undefined;
  if (field.family !== "keyword") throw illegalArgument(wrongType(field, kind));
  return runtimePatternQuery(field, `${kind[0].toUpperCase()}${kind.slice(1)}`, compiled(matcher), shown);
}

export function fieldPrefixQuery(
  field: MappedField,
  value: string,
  { ignoreCase = false, rewrite }: PatternOptions,
  context: QueryContext,
): Query {
  if (field.name === "_index") return indexPatternQuery(`${value}*`, ignoreCase, context);
  const matcher = () => {
    const prefix = indexedText(field, value, context);
    return ignoreCase && !field.indexed
      ? prefixOfValuesMatcher(prefix)
      : prefixMatcher(prefix, ignoreCase, !field.indexed);
  };
  const query =
    runtimeQueryOf(field, "prefix", matcher, `${value}*`) ??
    beginningQuery(field, value, { ignoreCase, rewrite }) ??
    termsQuery(field, matcher, rewrite);
  if (query) return query;
  throw queryShardError(context, wrongType(field, "prefix"));
}

export function fieldWildcardQuery(
  field: MappedField,
  value: string,
  { ignoreCase = false, rewrite }: PatternOptions,
  context: QueryContext,
): Query {
  if (field.name === "_index") return indexPatternQuery(value, ignoreCase, context);
  refuseKeyed(field, "wildcard");
  const pattern = field.normalizer ? normalizedPattern(value, (part) => field.normalizer!.normalize(part)) : value;
  const matcher = () => wildcardMatcher(pattern, ignoreCase, !field.indexed);
  const query = runtimeQueryOf(field, "wildcard", matcher, value) ?? termsQuery(field, matcher, rewrite);
  if (query) return query;
  throw queryShardError(context, wrongType(field, "wildcard"));
}

/** A pattern whose parts between the wildcards are normalised (StringFieldType.normalizeWildcardPattern). */
export function normalizedPattern(pattern: string, normalize: (part: string) => string): string {
  return pattern
    .split(/(\\.|[?*]+)/)
    .map((part, i) => (i % 2 === 1 || part === "" ? part : normalize(part)))
    .join("");
}

export function fieldRegexpQuery(
  field: MappedField,
  value: string,
  { flags, ignoreCase, limit, rewrite }: RegexpOptions & { readonly rewrite?: RewriteMethod | undefined },
  context: QueryContext,
): Query {
  refuseKeyed(field, "regexp");
  const matcher = () => regexpMatcher(indexedText(field, value, context), { flags, ignoreCase, limit }, !field.indexed);
  const onValues = () => {
    // Elasticsearch hands Lucene the flag for the case of letters in the wrong place.
    if (ignoreCase) throw illegalArgument("Match flags not yet implemented [256]");
    return matcher();
  };
  const query =
    runtimeQueryOf(field, "regexp", onValues, `/${value}/`) ??
    termsQuery(field, field.indexed ? matcher : onValues, rewrite);
  if (query) return query;
  throw queryShardError(context, wrongType(field, "regexp"));
}

/** Of a field that is not mapped: no index has terms of it. */
export function unmappedRegexpQuery(
  name: string,
  value: string,
  { rewrite = CONSTANT_SCORE, ...options }: RegexpOptions & { readonly rewrite?: RewriteMethod | undefined },
): Query {
  return multiTermQuery(
    name,
    compiled(() => regexpMatcher(value, options, false)),
    rewrite,
    MAX_CLAUSES,
  );
}

export interface FuzzyOptions {
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
  readonly rewrite?: RewriteMethod | undefined;
}

export function fieldFuzzyQuery(
  field: MappedField,
  value: JsonValue,
  { fuzziness, prefixLength, maxExpansions, transpositions, rewrite }: FuzzyOptions,
  context: QueryContext,
): Query {
  refuseKeyed(field, "fuzzy");
  const matcher = () => {
    if (maxExpansions <= 0) throw illegalArgument("maxExpansions must be positive.");
    if (prefixLength < 0) throw illegalArgument("prefixLength cannot be negative.");
    const term = indexedText(field, value, context);
    // Measured by the shorter length, nothing is near the empty term.
    const edits = term === "" && field.indexed ? 0 : maxEdits(fuzziness, textOf(value) ?? "");
    return fuzzyMatcher(term, { maxEdits: edits, prefixLength, transpositions });
  };
  const onRuntimeField = () => {
    const term = textOf(value) ?? "";
    return fuzzyMatcher(term, { maxEdits: maxEdits(fuzziness, term), prefixLength, transpositions });
  };
  const shown = () => `${textOf(value) ?? ""}~${maxEdits(fuzziness, textOf(value) ?? "")}`;
  const onRuntime = field.runtime ? runtimeQueryOf(field, "fuzzy", onRuntimeField, shown()) : undefined;
  if (onRuntime) return onRuntime;
  const query = termsQuery(field, matcher, rewrite ?? { kind: "top_terms_blended_freqs", size: maxExpansions });
  if (query) return query;
  throw illegalArgument(wrongType(field, "fuzzy"));
}

/** A pattern of the index's name: all documents or none. */
function indexPatternQuery(pattern: string, ignoreCase: boolean, context: QueryContext): Query {
  const matches = ignoreCase
    ? matchesIndexName(pattern.toLowerCase(), { ...context, indexName: context.indexName.toLowerCase() })
    : matchesIndexName(pattern, context);
  return matches ? constantScoreQuery(matchAllQuery()) : matchNoneQuery("another index");
}
