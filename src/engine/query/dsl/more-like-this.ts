/** more_like_this: documents that resemble texts, documents of the index, or documents that come with the query. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { IndexMapping } from "../../mapping/index.ts";
import type { MappedField, Mapping } from "../../mapping/types.ts";
import { termsOfTokens } from "../../segment/tokens.ts";
import { booleanQuery, type Clause } from "../lucene/boolean.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { moreLikeThisQuery, type TermCounts } from "../lucene/more-like-this.ts";
import { compareUtf8 } from "../lucene/utf8-order.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext, whileRewriting } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { documentsById, metadataNames } from "./metadata-fields.ts";
import { applyMinimumShouldMatch } from "./minimum-should-match.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, isArray, isObject, located, readBoolean, readFloat, readInt, readText, textOf } from "./read.ts";

/** A document: of the index, or given with the query. */
interface Item {
  readonly index?: string;
  readonly id?: string;
  readonly doc?: JsonValue;
  readonly fields?: readonly string[];
}

interface Like {
  readonly texts: string[];
  readonly items: Item[];
}

interface Options {
  boost?: number;
  queryName?: string;
  fields?: string[];
  readonly like: Like;
  readonly unlike: Like;
  max_query_terms: number;
  min_term_freq: number;
  min_doc_freq: number;
  max_doc_freq: number;
  min_word_length: number;
  max_word_length: number;
  stopWords: ReadonlySet<string>;
  analyzer?: string;
  minimumShouldMatch: string;
  boostTerms: number;
  include: boolean;
  failOnUnsupportedField: boolean;
}

const NUMBERS = [
  "max_query_terms",
  "min_term_freq",
  "min_doc_freq",
  "max_doc_freq",
  "min_word_length",
  "max_word_length",
] as const;

function itemError(reason: string): EngineError {
  return new EngineError("parse_exception", `failed to parse More Like This item. ${reason}`);
}

function readItem(json: JsonObject): Item {
  const item: { -readonly [K in keyof Item]: Item[K] } = {};
  for (const [key, value] of Object.entries(json)) {
    if (key === "_index") item.index = readText(json, key);
    else if (key === "_id") item.id = readText(json, key);
    else if (key === "routing") readText(json, key);
    else if (key === "doc") item.doc = value;
    else if (key === "fields") {
      if (!isArray(value)) throw located(itemError("field [fields] must be an array"), json, { value: key });
      item.fields = readTexts(value);
    } else if (["per_field_analyzer", "version", "version_type"].includes(key))
      throw unsupported(`more_like_this.like.${key}`);
    else throw located(itemError(`unknown field [${key}]`), json, { value: key });
  }
  if (item.id !== undefined && item.doc !== undefined)
    throw located(itemError("either [id] or [doc] can be specified, but not both!"), json, "end");
  if (item.id === undefined && item.doc === undefined)
    throw located(itemError("neither [id] nor [doc] is specified!"), json, "end");
  return item;
}

function readLike(value: JsonValue, like: Like): void {
  for (const each of isArray(value) ? value : [value]) {
    const text = textOf(each);
    if (isObject(each)) like.items.push(readItem(each));
    else if (text !== undefined) like.texts.push(text);
    else if (isArray(value))
      throw illegalArgument("Content of 'like' parameter should either be a string or an object");
  }
}

function readTexts(list: readonly JsonValue[]): string[] {
  return list.map((_, at) => readText(list, at));
}

function readOption(json: JsonObject, key: string, options: Options): boolean {
  const value = json[key];
  if (key === "like" || key === "unlike") {
    readLike(value, options[key]);
    return true;
  }
  if (isArray(value)) {
    if (key === "fields") options.fields = readTexts(value);
    else if (key === "stop_words") options.stopWords = new Set(readTexts(value));
    else return false;
    return true;
  }
  // Elasticsearch steps over what is null.
  if (value === null) return true;
  if (isObject(value)) return false;
  const number = NUMBERS.find((name) => name === key);
  if (number) options[number] = readInt(value, json, key);
  else if (key === "analyzer") options.analyzer = textOf(value);
  else if (key === "minimum_should_match") options.minimumShouldMatch = readText(json, key);
  else if (key === "boost_terms") options.boostTerms = readFloat(value, json, key);
  else if (key === "include") options.include = readBoolean(value);
  else if (key === "fail_on_unsupported_field") options.failOnUnsupportedField = readBoolean(value);
  else return readCommon(json, key, options);
  return true;
}

export const parseMoreLikeThis: QueryParser = (json) => {
  const options: Options = {
    like: { texts: [], items: [] },
    unlike: { texts: [], items: [] },
    max_query_terms: 25,
    min_term_freq: 2,
    min_doc_freq: 5,
    max_doc_freq: 2 ** 31 - 1,
    min_word_length: 0,
    max_word_length: 0,
    stopWords: new Set(),
    minimumShouldMatch: "30%",
    boostTerms: 0,
    include: false,
    failOnUnsupportedField: true,
  };
  for (const key of Object.keys(json)) {
    if (!readOption(json, key, options)) throw errorAt(json, { value: key }, `[mlt] query does not support [${key}]`);
  }
  const { texts, items } = options.like;
  if (texts.length === 0 && items.length === 0) {
    throw errorAt(json, "end", "more_like_this requires 'like' to be specified");
  }
  if (options.fields?.length === 0) throw errorAt(json, "end", "more_like_this requires 'fields' to be non-empty");
  if (options.max_query_terms <= 0) throw illegalArgument("requires 'maxQueryTerms' to be greater than 0");
  return makeBuilder("more_like_this", options, (context) => build(options, context));
};

function build(options: Options, context: QueryContext): Query {
  const { like, unlike } = options;
  const fields = likeFields(options, context);
  if (fields.length === 0) return matchNoneQuery("No query left after rewrite.");
  const skipped = new Set<string>();
  const count = (counts: Map<string, number>, field: string, term: string) => {
    if (isNoise(term, options) || skipped.has(`${field}\0${term}`)) return;
    counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  const [first] = fields;
  const failure = missingAnalyzer(first, options, context);
  if (!failure)
    for (const text of unlike.texts)
      for (const term of textTerms(text, first, options, context)) skipped.add(`${first}\0${term}`);
  if (like.items.length > 0) {
    for (const item of unlike.items) {
      for (const [field, terms] of itemTerms(item, fields, options, context)) {
        for (const term of terms) skipped.add(`${field}\0${term}`);
      }
    }
  }
  let documents: Map<string, Map<string, number>> | undefined;
  for (const item of like.items) {
    documents ??= new Map();
    for (const [field, terms] of itemTerms(item, fields, options, context)) {
      const counts = documents.get(field) ?? new Map<string, number>();
      documents.set(field, counts);
      for (const term of terms) count(counts, field, term);
    }
  }
  let texts: { counts: TermCounts; fields: readonly string[] } | undefined;
  if (like.texts.length > 0) {
    const counts = new Map<string, number>();
    for (const text of failure ? [] : like.texts)
      for (const term of textTerms(text, first, options, context)) count(counts, first, term);
    texts = { counts, fields };
  }
  const query = moreLikeThisQuery({
    maxQueryTerms: options.max_query_terms,
    minTermFreq: options.min_term_freq,
    minDocFreq: options.min_doc_freq,
    maxDocFreq: options.max_doc_freq,
    boostTerms: options.boostTerms,
    failure,
    ...(documents ? { documents } : {}),
    ...(texts ? { texts } : {}),
    description: `like:${like.texts.length > 0 ? `[${like.texts.join(", ")}]` : "null"}`,
    key: JSON.stringify([
      options,
      fields,
      [...skipped],
      [...(documents ?? [])].map(([field, counts]) => [field, [...counts]]),
    ]),
    atLeast: (inner) => whileRewriting(() => applyMinimumShouldMatch(inner, options.minimumShouldMatch)),
  });
  if (like.items.length === 0) return query;
  const ids = like.items.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const clauses: Clause[] = [{ occur: "should", query }];
  if (!options.include && ids.length > 0) clauses.push({ occur: "must_not", query: documentsById(ids, context) });
  return booleanQuery(clauses);
}

/** Names of the fields in the index whose terms are compared. */
function likeFields({ fields, like, unlike, failOnUnsupportedField }: Options, context: QueryContext): string[] {
  if (!fields) {
    const { defaultFields } = context;
    if (defaultFields.length === 1 && defaultFields[0] === "*" && like.texts.length + unlike.texts.length > 0) {
      throw illegalArgument(
        "[more_like_this] query cannot infer the field to analyze the free text, you should update the [index.query.default_field] index " +
          "setting to a field that exists in the mapping or set the [fields] option in the query.",
      );
    }
    return [...defaultFields];
  }
  return fields.flatMap((name) => {
    const field = context.mapping.field(name);
    if (!field || isString(field)) return [field?.info.name ?? name];
    if (failOnUnsupportedField) throw illegalArgument(`more_like_this only supports text/keyword fields: [${name}]`);
    return [];
  });
}

const isString = ({ family, type, runtime }: MappedField) =>
  runtime === undefined && (family === "text" || (family === "keyword" && type === "keyword"));

function isNoise(term: string, { min_word_length: least, max_word_length: most, stopWords }: Options): boolean {
  return (least > 0 && term.length < least) || (most > 0 && term.length > most) || stopWords.has(term);
}

/** As many tokens of a text are looked at (MoreLikeThis.DEFAULT_MAX_NUM_TOKENS_PARSED). */
const MAX_TOKENS = 5000;

function analyzerOf(name: string, { analyzer }: Options, { analysis, mapping }: QueryContext) {
  const named = analyzer === undefined ? undefined : analysis.get(analyzer);
  return named ?? mapping.field(name)?.indexAnalyzer;
}

/** What is wrong where there are texts, and nothing that makes terms of them. */
function missingAnalyzer(name: string, options: Options, context: QueryContext): EngineError | undefined {
  const asked = options.like.texts.length + options.unlike.texts.length > 0;
  if (!asked || analyzerOf(name, options, context) || context.mapping.field(name)?.family === "keyword")
    return undefined;
  return new EngineError("unsupported_operation_exception", `No analyzer configured for field ${name}`, {
    status: 500,
    metadata: { phase: "shard" },
  });
}

function textTerms(text: string, name: string, options: Options, context: QueryContext): string[] {
  const analyzer = analyzerOf(name, options, context);
  if (!analyzer) {
    const normalizer = context.mapping.field(name)?.normalizer;
    return [normalizer ? normalizer.normalize(text) : text];
  }
  const terms: string[] = [];
  analyzer.analyze(text, (term) => {
    if (terms.length < MAX_TOKENS) terms.push(term);
  });
  return terms;
}

/** A document as it would be indexed; undefined where the index would not take it: Elasticsearch leaves such a one out. */
function blockOf(source: JsonValue, id: string, { mapping }: QueryContext) {
  if (!isObject(source)) return undefined;
  try {
    return mapping.parse({ id, source, seqNo: 0, version: 1 }).block;
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    return undefined;
  }
}

/** The terms of a document by field, those that it would be indexed under. */
function itemTerms(
  item: Item,
  fields: readonly string[],
  options: Options,
  context: QueryContext,
): [string, string[]][] {
  const { indexName, mapping } = context;
  if (item.index !== undefined && item.index !== indexName)
    throw unsupported("more_like_this with documents of another index");
  const known = item.doc === undefined ? context.document(item.id!) : undefined;
  if (item.doc === undefined && known === undefined) return [];
  const wanted =
    item.fields && item.fields.length > 0
      ? item.fields
      : item.doc !== undefined
        ? ["*"]
        : options.fields
          ? fields
          : ["*"];
  const names = new Set(
    wanted
      .flatMap((pattern) => mapping.matchingFields(pattern))
      .filter(isString)
      .map(({ info }) => info.name),
  );
  // The names of the fields with ignored values are terms as well.
  if (wanted.some((pattern) => metadataNames(pattern).includes("_ignored"))) names.add("_ignored");
  const found = new Map<string, string[]>();
  const add = (source: JsonValue | undefined, from: (name: string) => boolean) => {
    const block = source === undefined ? undefined : blockOf(source, item.id ?? "", context);
    if (!block) return;
    // Of a document of the index the texts of its nested objects are analysed too, but where the mapping keeps term vectors: they lie elsewhere.
    const root = block.docs.at(-1)!;
    const elsewhere = known ? block.docs.slice(0, -1).flatMap(({ fields: nested }) => nested) : [];
    const analysed = elsewhere.filter(({ field }) => !keepsTermVectors(mapping, field.name));
    for (const field of [...root.fields, ...analysed]) {
      const { name } = field.field;
      if ((field.kind !== "terms" && field.kind !== "tokens") || !names.has(name) || !from(name)) continue;
      const terms = found.get(name) ?? [];
      for (const term of field.kind === "terms" ? field.terms : termsOfTokens(field.tokens)) terms.push(term);
      found.set(name, terms);
    }
  };
  if (known === undefined) add(item.doc, () => true);
  else if (known.kept === known.indexed) add(known.indexed, () => true);
  else {
    // Term vectors and stored values are kept beside the source, whatever is left out of that.
    const beside = (name: string) => keepsTermVectors(mapping, name) || isStored(mapping, name);
    add(known.indexed, beside);
    add(known.kept, (name) => !beside(name));
  }
  // Term vectors are sorted: of terms that tell as much as others the first ones count.
  return [...found].map(([field, terms]) => [field, terms.sort(compareUtf8)]);
}

const parameterOf = (mapping: Mapping, name: string, parameter: string) =>
  (mapping as IndexMapping).leaf(name)?.values.get(parameter);

const isStored = (mapping: Mapping, name: string) => parameterOf(mapping, name, "store") === true;

function keepsTermVectors(mapping: Mapping, name: string): boolean {
  const kept = parameterOf(mapping, name, "term_vector");
  return kept !== undefined && kept !== "no";
}
