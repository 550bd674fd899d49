/** Reads the retrievers that fuse the lists of others: `rrf`, `linear` (as of Elasticsearch 8.18), `text_similarity_reranker`. */
import { EngineError, illegalArgument } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import {
  contentError,
  inField,
  isArray,
  isObject,
  located,
  readFloat,
  readInt,
  textOf,
  wrongKind,
} from "../../../query/dsl/read.ts";
import { NORMALIZERS, type Normalizer, type WeighedList } from "../../../search/rank-fusion.ts";
import { noOptions, readInnerRetriever, readOption, unknownField } from "./parse.ts";
import type { CompoundRetriever, Fusion, Retriever } from "./types.ts";

/** RankBuilder.DEFAULT_RANK_WINDOW_SIZE */
const WINDOW = 10;
const RANK_CONSTANT = 60;

function number<T>(parser: string, json: JsonObject, key: string, read: (value: JsonValue) => T): T {
  const value = json[key];
  if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind(parser, json, key);
  return inField(parser, json, key, () => read(value));
}

/** A list of objects, or one. */
function list<T>(
  parser: string,
  json: JsonObject,
  key: string,
  read: (json: JsonObject | readonly JsonValue[], at: string | number) => T,
): T[] {
  const value = json[key];
  if (!isObject(value) && !isArray(value)) throw wrongKind(parser, json, key);
  return inField(parser, json, key, () => (isArray(value) ? value.map((_, i) => read(value, i)) : [read(json, key)]));
}

/** @param read a key of the retriever's own; false for one that it does not know */
function compound(
  parser: string,
  json: JsonObject,
  read: (key: string) => boolean,
  done: () => { fusion: Fusion; children: readonly Retriever[] },
): CompoundRetriever {
  const options = noOptions();
  let window = WINDOW;
  for (const key of Object.keys(json)) {
    if (key === "rank_window_size") window = number(parser, json, key, readInt);
    else if (!readOption(parser, json, key, options) && !read(key)) {
      throw unknownField(parser, json, key);
    }
  }
  return { ...options, kind: "compound", json, window, ...done() };
}

function required(json: JsonObject, keys: readonly string[]): void {
  const missing = keys.filter((key) => !(key in json));
  if (missing.length > 0) throw located(illegalArgument(`Required [${missing.join(", ")}]`), json, "end");
}

export function readRrf(json: JsonObject): CompoundRetriever {
  let children: readonly Retriever[] = [];
  let constant = RANK_CONSTANT;
  const read = (key: string) => {
    if (key === "retrievers")
      children = list("rrf", json, key, (container, at) => readInnerRetriever(container, at, key));
    else if (key === "rank_constant") constant = number("rrf", json, key, readInt);
    else return false;
    return true;
  };
  return compound("rrf", json, read, () => {
    required(json, ["retrievers"]);
    return { children, fusion: { type: "rrf", constant } };
  });
}

interface WeighedRetriever extends WeighedList {
  readonly retriever: Retriever;
}

export function readLinear(json: JsonObject): CompoundRetriever {
  let parts: readonly WeighedRetriever[] = [];
  const read = (key: string) => {
    if (key !== "retrievers") return false;
    parts = list("linear", json, key, readPart);
    return true;
  };
  return compound("linear", json, read, () => {
    required(json, ["retrievers"]);
    return { children: parts.map(({ retriever }) => retriever), fusion: { type: "linear", lists: parts } };
  });
}

const PART = "retriever-component";

function readPart(container: JsonObject | readonly JsonValue[], at: string | number): WeighedRetriever {
  const json = (container as { readonly [at: string]: JsonValue })[at];
  if (!isObject(json)) throw contentError(container, { value: at as string }, `[${PART}] Expected START_OBJECT`);
  let retriever: Retriever | undefined;
  let weight = 1;
  let normalizer: Normalizer = "none";
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (key === "retriever") {
      if (!isObject(value)) throw wrongKind(PART, json, key);
      retriever = onlyRetriever(PART, json, key);
    } else if (key === "weight") weight = number(PART, json, key, (value) => readFloat(value, json, key));
    else if (key === "normalizer") {
      if (typeof value !== "string") throw wrongKind(PART, json, key);
      normalizer = inField(PART, json, key, () => normalizerOf(value));
    } else throw unknownField(PART, json, key);
  }
  required(json, ["retriever"]);
  if (weight < 0) {
    const reason = `Failed to build [${PART}] after last required field arrived`;
    const cause = illegalArgument("[weight] must be non-negative");
    throw located(new EngineError("x_content_parse_exception", reason, { cause }), json, "end");
  }
  return { retriever: retriever!, weight, normalizer };
}

function normalizerOf(text: string): Normalizer {
  const known = NORMALIZERS.find((name) => name === text.toLowerCase());
  if (known === undefined) throw illegalArgument(`Unknown normalizer [${text}]`);
  return known;
}

/** An object with one key, the retriever's name (AbstractObjectParser.declareNamedObject). */
function onlyRetriever(parser: string, json: JsonObject, key: string): Retriever {
  const read = () => inField(key, json, key, () => readInnerRetriever(json, key, key));
  const retriever = inField(parser, json, key, read);
  const [, second] = Object.keys(json[key] as JsonObject);
  if (second === undefined) return retriever;
  const reason = `parser for [${key}] did not end on END_OBJECT`;
  throw located(new EngineError("illegal_state_exception", reason), json[key] as JsonObject, { key: second });
}

export function readReranker(json: JsonObject): CompoundRetriever {
  const parser = "text_similarity_reranker";
  const texts = new Map<string, string>();
  let child: Retriever | undefined;
  const read = (key: string) => {
    const value = json[key];
    if (key === "retriever") {
      if (!isObject(value)) throw wrongKind(parser, json, key);
      child = onlyRetriever(parser, json, key);
    } else if (["inference_id", "inference_text", "field"].includes(key)) {
      if (typeof value === "boolean" || textOf(value) === undefined) throw wrongKind(parser, json, key);
      texts.set(key, textOf(value)!);
    } else return false;
    return true;
  };
  return compound(parser, json, read, () => {
    required(json, ["retriever", "inference_id", "inference_text", "field"]);
    const [inferenceId, text, field] = ["inference_id", "inference_text", "field"].map((key) => texts.get(key)!);
    return { children: [child!], fusion: { type: parser, inferenceId, text, field } };
  });
}
