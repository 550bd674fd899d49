/** The `_analyze` request: what an analyzer, or parts put together in the request, make of a text. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { type AnalyzeBody, parseAnalyzeBody } from "./analyze-body.ts";
import {
  applyCharFilters,
  type ChainAnalyzer,
  type CharFilter,
  runChain,
  type TokenFilter,
  type Tokenizer,
} from "./chain.ts";
import { type Builders, CHAR_FILTERS, type FilterDefinition, TOKEN_FILTERS, TOKENIZERS } from "./components.ts";
import {
  builtIn,
  type ComponentRegistry,
  componentsOf,
  createComponentRegistry,
  inChain,
  type Kind,
} from "./registry.ts";
import { componentSettings, isObject, scalar } from "./settings.ts";
import { keywordTokenizer } from "./tokenizers/simple.ts";
import type { AnalysisRegistry, AnalysisResources, Analyzer, Normalizer } from "./types.ts";

/** What `_analyze` asks of a field of the mapping. */
export interface AnalyzedField {
  readonly family: string;
  readonly indexAnalyzer?: Analyzer;
  readonly normalizer?: Normalizer;
}

export interface AnalyzeContext {
  /** The index of the request; none for `/_analyze` without one. */
  readonly index?: {
    readonly analysis: AnalysisRegistry;
    field(name: string): AnalyzedField | undefined;
    /** `index.analyze.max_token_count`. Default 10000. */
    readonly maxTokenCount?: number;
  };
  readonly resources: AnalysisResources;
  /** What is said behind a name that is not known, of those that are. */
  readonly suggestion?: (name: string, known: readonly string[]) => string;
}

/** A chain that is shown as one analyzer, or part by part where it was put together from named parts. */
interface Source {
  readonly name: string;
  readonly charFilters: readonly CharFilter[];
  readonly tokenizer: Tokenizer;
  readonly filters: readonly TokenFilter[];
  readonly custom: boolean;
  readonly gap: number;
}

const MAX_TOKENS = 10_000;

/** Name of what a request puts together. */
const CUSTOM = "__custom__";

function validate(request: AnalyzeBody, hasIndex: boolean): void {
  const problems: string[] = [];
  const parts = request.tokenizer !== undefined || request.filters.length > 0 || request.charFilters.length > 0;
  const { analyzer, normalizer, field, tokenizer, texts } = request;
  if (texts.length === 0) problems.push("text is missing");
  if (normalizer !== undefined && !hasIndex) problems.push("index is required if normalizer is specified");
  if (normalizer !== undefined && (tokenizer !== undefined || analyzer !== undefined)) {
    problems.push("tokenizer/analyze should be null if normalizer is specified");
  }
  if (analyzer !== undefined && parts) problems.push("cannot define extra components on a named analyzer");
  if (normalizer !== undefined && parts) problems.push("cannot define extra components on a named normalizer");
  if (field !== undefined && parts) problems.push("cannot define extra components on a field-specific analyzer");
  if (problems.length === 0) return;
  const list = problems.map((problem, i) => `${i + 1}: ${problem};`).join("");
  throw new EngineError("action_request_validation_exception", `Validation Failed: ${list}`);
}

// ---- what the request asks for

const chainSource = (chain: ChainAnalyzer, gap = chain.positionIncrementGap): Source => ({ ...chain, gap });

function normalizerSource(
  name: string,
  charFilters: readonly CharFilter[],
  filters: readonly TokenFilter[],
  custom: boolean,
  gap: number,
): Source {
  return { name, charFilters, tokenizer: keywordTokenizer(), filters, custom, gap };
}

/** A part by its name, or made from an inline definition. */
function part<T>(
  kind: Kind,
  builders: Builders<T>,
  value: string | JsonObject,
  lookup: (name: string) => T | undefined,
  registry: ComponentRegistry,
  hasIndex: boolean,
): T {
  let found: T | undefined;
  let name = value as string;
  if (typeof value === "string") found = lookup(value);
  else {
    const settings = componentSettings(value);
    const type = settings.string("type");
    if (type === undefined)
      throw illegalArgument(`Missing [type] setting for anonymous ${kind}: ${JSON.stringify(asSettings(value))}`);
    name = type;
    found = builtIn(kind, builders, type, `__anonymous__${type}`, settings, registry.context);
  }
  // What is defined in place is made of the node's own parts, whatever the index.
  const global = hasIndex && typeof value === "string" ? "" : "global ";
  if (found === undefined) throw illegalArgument(`failed to find ${global}${kind} under [${name}]`);
  return found;
}

/** A definition as settings are shown: flat, and all of it text. */
function asSettings(value: JsonObject): { [name: string]: string | string[] | null } {
  const flat: { [name: string]: string | string[] | null } = {};
  const add = (name: string, inner: JsonValue): void => {
    if (inner === null) flat[name] = null;
    else if (Array.isArray(inner)) flat[name] = inner.map(scalar);
    else if (isObject(inner)) for (const [key, each] of Object.entries(inner)) add(`${name}.${key}`, each);
    else flat[name] = scalar(inner);
  };
  for (const [name, inner] of Object.entries(value)) add(name, inner);
  return Object.fromEntries(Object.entries(flat).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function customSource(request: AnalyzeBody, registry: ComponentRegistry, hasIndex: boolean): Source {
  const tokenizer =
    request.tokenizer === undefined
      ? undefined
      : part("tokenizer", TOKENIZERS, request.tokenizer, registry.tokenizer, registry, hasIndex);
  const charFilters = request.charFilters.map((value) =>
    part("char_filter", CHAR_FILTERS, value, registry.charFilter, registry, hasIndex),
  );
  const definitions = request.filters.map((value) => {
    const filter = part<FilterDefinition>("filter", TOKEN_FILTERS, value, registry.filter, registry, hasIndex);
    if (tokenizer === undefined && !("normalize" in filter)) {
      throw illegalArgument(`Custom normalizer may not use filter [${filter.name}]`);
    }
    return filter;
  });
  if (tokenizer === undefined) {
    return normalizerSource(CUSTOM, charFilters, definitions as readonly TokenFilter[], true, 100);
  }
  return {
    name: CUSTOM,
    charFilters,
    tokenizer,
    filters: inChain(charFilters, tokenizer, definitions),
    custom: true,
    gap: 100,
  };
}

/** Analyzers of the mapping are chains too, perhaps under another gap. */
function fieldSource(name: string, context: AnalyzeContext): Source | undefined {
  if (context.index === undefined) throw illegalArgument("analysis based on a specific field requires an index");
  const field = context.index.field(name);
  if (field === undefined) return undefined;
  if (field.family === "text" && field.indexAnalyzer !== undefined) {
    return chainSource(field.indexAnalyzer as ChainAnalyzer, field.indexAnalyzer.positionIncrementGap);
  }
  if (field.family !== "keyword") {
    throw illegalArgument(`Can't process field [${name}], Analysis requests are only supported on tokenized fields`);
  }
  if (field.normalizer === undefined) return normalizerSource("_keyword", [], [], false, 0);
  const parts = componentsOf(context.index.analysis).normalizerParts(field.normalizer.name);
  if (parts === undefined) throw illegalArgument(`failed to find normalizer under [${field.normalizer.name}]`);
  return normalizerSource(parts.name, parts.charFilters, parts.filters, parts.custom, 0);
}

function sourceOf(request: AnalyzeBody, context: AnalyzeContext): Source {
  const hasIndex = context.index !== undefined;
  const registry =
    context.index === undefined ? createComponentRegistry({}, context.resources) : componentsOf(context.index.analysis);
  if (request.tokenizer !== undefined || request.filters.length > 0 || request.charFilters.length > 0) {
    return customSource(request, registry, hasIndex);
  }
  // Without an index, built-in analyzers leave no gap between the values of a list.
  const gapOf = (chain: ChainAnalyzer) => (hasIndex ? chain.positionIncrementGap : 0);
  if (request.analyzer !== undefined) {
    const analyzer = registry.get(request.analyzer);
    if (analyzer === undefined)
      throw illegalArgument(`failed to find ${hasIndex ? "" : "global "}analyzer [${request.analyzer}]`);
    return chainSource(analyzer, gapOf(analyzer));
  }
  if (request.normalizer !== undefined) {
    const parts = registry.normalizerParts(request.normalizer);
    if (parts === undefined) throw illegalArgument(`failed to find normalizer under [${request.normalizer}]`);
    return normalizerSource(parts.name, parts.charFilters, parts.filters, parts.custom, 0);
  }
  const field = request.field === undefined ? undefined : fieldSource(request.field, context);
  if (field !== undefined) return field;
  return { ...chainSource(registry.default, gapOf(registry.default)), name: hasIndex ? "default" : "standard" };
}

// ---- the answer

const utf8 = new TextEncoder();
const bytesOf = (term: string) => `[${Array.from(utf8.encode(term), (byte) => byte.toString(16)).join(" ")}]`;

type Detail = (
  keywordMarks: boolean,
  term: string,
  keyword: boolean,
  positionLength: number,
) => Record<string, JsonValue>;

/** All tokens of all values, as the answer shows them. */
function tokensOf(
  source: Source,
  texts: readonly string[],
  filterCount: number,
  maxTokens: number,
  count: { tokens: number },
  detail?: Detail,
): JsonObject[] {
  const filters = source.filters.slice(0, filterCount);
  const keywordMarks = filters.some((filter) => filter.marksKeywords === true);
  const tokens: JsonObject[] = [];
  let position = -1;
  let offset = 0;
  for (const text of texts) {
    const end = runChain(
      source.charFilters,
      source.tokenizer,
      filters,
      text,
      (term, start, stop, increment, length, type, keyword) => {
        if (++count.tokens > maxTokens) {
          throw new EngineError(
            "status_exception",
            `The number of tokens produced by calling _analyze has exceeded the allowed maximum of [${maxTokens}]. ` +
              "This limit can be set by changing the [index.analyze.max_token_count] index level setting.",
          );
        }
        position += increment;
        tokens.push({
          token: term,
          start_offset: start + offset,
          end_offset: stop + offset,
          type,
          position,
          ...(detail === undefined
            ? length > 1
              ? { positionLength: length }
              : {}
            : detail(keywordMarks, term, keyword, length)),
        });
      },
    );
    position += end.increment + source.gap;
    offset += end.offset + 1;
  }
  return tokens;
}

function explained(source: Source, request: AnalyzeBody, maxTokens: number): JsonObject {
  const { texts, attributes } = request;
  const shown = (name: string) => attributes.size === 0 || attributes.has(name);
  const detail: Detail = (keywordMarks, term, keyword, positionLength) => ({
    ...(shown("bytes") ? { bytes: bytesOf(term) } : {}),
    ...(keywordMarks && shown("keyword") ? { keyword } : {}),
    ...(shown("positionlength") ? { positionLength } : positionLength > 1 ? { positionLength } : {}),
    ...(shown("termfrequency") ? { termFrequency: 1 } : {}),
  });
  // The limit is for each stage, as each is run anew.
  // Parts that the request puts together leave no gap between values when they are shown one by one.
  const parts = source.name === CUSTOM ? { ...source, gap: 0 } : source;
  const upTo = (filterCount: number) => tokensOf(parts, texts, filterCount, maxTokens, { tokens: 0 }, detail);
  if (!source.custom) {
    return { custom_analyzer: false, analyzer: { name: source.name, tokens: upTo(source.filters.length) } };
  }
  return {
    custom_analyzer: true,
    charfilters: source.charFilters.map(({ name }, i) => ({
      name,
      filtered_text: texts.map((text) => applyCharFilters(source.charFilters.slice(0, i + 1), text).text),
    })),
    tokenizer: { name: source.tokenizer.name, tokens: upTo(0) },
    tokenfilters: source.filters.map(({ name }, i) => ({ name, tokens: upTo(i + 1) })),
  };
}

/**
 * Answers an `_analyze` request.
 *
 * @param body the request's body (parameters of the URL merged into it)
 * @returns `{ tokens }`, or `{ detail }` with `explain`
 * @throws EngineError with Elasticsearch's type and reason: unknown keys, missing text, unknown components, more tokens than allowed
 */
export function analyzeRequest(body: JsonValue, context: AnalyzeContext): JsonObject {
  const request = parseAnalyzeBody(body, context.suggestion);
  validate(request, context.index !== undefined);
  const source = sourceOf(request, context);
  const maxTokens = context.index?.maxTokenCount ?? MAX_TOKENS;
  if (request.explain) return { detail: explained(source, request, maxTokens) };
  return { tokens: tokensOf(source, request.texts, source.filters.length, maxTokens, { tokens: 0 }) };
}
