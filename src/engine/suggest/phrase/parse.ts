/** The `phrase` suggester's options (PhraseSuggestionBuilder). */
import { illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { errorAt, isArray, isObject, readBoolean, readFloat, readInt, textOf } from "../../query/dsl/read.ts";
import { type CommonDraft, commonOptions, readCommon } from "../common-options.ts";
import type { Suggester } from "../types.ts";
import { PHRASE_DEFAULTS, type PhraseOptions, STUPID_BACKOFF } from "./options.ts";
import { parseGenerator } from "./parse-generator.ts";
import { parseSmoothing } from "./parse-smoothing.ts";
import { phraseSuggester } from "./phrase.ts";

type Draft = CommonDraft & { -readonly [K in Exclude<keyof PhraseOptions, keyof CommonDraft>]?: PhraseOptions[K] };
type Reader = (draft: Draft, json: JsonObject, key: string) => void;

function checked(value: number, wrong: boolean, reason: string): number {
  if (wrong) throw illegalArgument(reason);
  return value;
}

const float = (json: JsonObject, key: string) => readFloat(json[key], json, key);
const int = (json: JsonObject, key: string) => readInt(json[key], json, key);

const SCALARS: { readonly [key: string]: Reader } = {
  real_word_error_likelihood(draft, json, key) {
    const value = float(json, key);
    draft.realWordErrorLikelihood = checked(value, value <= 0, `${key} must be > 0.0`);
  },
  confidence(draft, json, key) {
    const value = float(json, key);
    draft.confidence = checked(value, value < 0, "confidence must be >= 0.0");
  },
  separator(draft, json, key) {
    draft.separator = textOf(json[key]);
  },
  max_errors(draft, json, key) {
    const value = float(json, key);
    draft.maxErrors = checked(value, value <= 0, "max_error must be > 0.0");
  },
  gram_size(draft, json, key) {
    const value = int(json, key);
    draft.gramSize = checked(value, value < 1, "gramSize must be >= 1");
  },
  force_unigrams(draft, json, key) {
    draft.forceUnigrams = readBoolean(json[key]);
  },
  token_limit(draft, json, key) {
    const value = int(json, key);
    draft.tokenLimit = checked(value, value <= 0, "token_limit must be >= 1");
  },
};

const OBJECTS: { readonly [key: string]: (draft: Draft, json: JsonObject) => void } = {
  smoothing(draft, json) {
    draft.smoothing = parseSmoothing(json) ?? STUPID_BACKOFF;
  },
  highlight(draft, json) {
    draft.tags = parseTags(json);
  },
  collate: (_, json) => checkCollate(json),
};

const isScalar = (value: JsonValue) => value !== null && !isArray(value) && !isObject(value);

/** Its reader steps over brackets and nulls. */
function parseTags(json: JsonObject): PhraseOptions["tags"] {
  const tags = new Map<string, string>();
  const read = (container: JsonObject, key: string, name: string): void => {
    const value = container[key];
    if (isArray(value)) {
      for (const at of value.keys()) read(value as unknown as JsonObject, String(at), name);
    } else if (isObject(value)) throw unsupported("an object in the highlight of a phrase suggester");
    else if (value !== null) {
      if (name !== "pre_tag" && name !== "post_tag") {
        const reason = `suggester[phrase][highlight] doesn't support field [${name}]`;
        throw errorAt(container, { value: key }, reason);
      }
      tags.set(name, textOf(value) ?? "");
    }
  };
  for (const key of Object.keys(json)) read(json, key, key);
  const pre = tags.get("pre_tag");
  const post = tags.get("post_tag");
  if ((pre === undefined) !== (post === undefined)) {
    throw illegalArgument("Pre and post tag must both be null or both not be null.");
  }
  return pre === undefined || post === undefined ? undefined : { pre, post };
}

/** Without a query nothing is collated; queries here are templates of scripts. */
function checkCollate(json: JsonObject): void {
  for (const key of Object.keys(json)) {
    if (key === "query") throw unsupported("suggest phrase collate", "search for the suggestions one by one");
    if (key === "prune" && typeof json[key] !== "boolean") {
      throw errorAt(json, { value: key }, "suggester[phrase][collate] prune must be either 'true' or 'false'");
    }
    if (key !== "prune" && key !== "params") {
      throw errorAt(json, { value: key }, `suggester[phrase][collate] doesn't support field [${key}]`);
    }
  }
}

export function parsePhraseSuggester(json: JsonObject): Suggester {
  const draft: Draft = {};
  for (const key of Object.keys(json)) readKey(draft, json, key);
  return phraseSuggester({ ...PHRASE_DEFAULTS, ...draft, ...commonOptions(draft) });
}

function readKey(draft: Draft, json: JsonObject, key: string): void {
  const value = json[key];
  if (isArray(value)) {
    if (key !== "direct_generator") {
      throw errorAt(json, { value: key }, `suggester[phrase]  doesn't support array field [${key}]`);
    }
    draft.generators = [...(draft.generators ?? []), ...parseGenerators(value)];
  } else if (isObject(value)) {
    if (!Object.hasOwn(OBJECTS, key)) {
      throw errorAt(json, { value: key }, `suggester[phrase]  doesn't support array field [${key}]`);
    }
    OBJECTS[key](draft, value);
  } else if (!isScalar(value) || !(readCommon(draft, json, key) || Object.hasOwn(SCALARS, key))) {
    throw errorAt(json, { value: key }, `suggester[phrase] doesn't support field [${key}]`);
  } else if (Object.hasOwn(SCALARS, key)) SCALARS[key](draft, json, key);
}

/** The first item that is no object ends the list, and what comes behind it is not understood. */
function parseGenerators(list: readonly JsonValue[]) {
  return list.map((item, at) => {
    if (isObject(item)) return parseGenerator(item);
    const next = at + 1 < list.length ? { value: at + 1 } : "end";
    throw errorAt(list as unknown as JsonValue, next, "suggester[phrase] doesn't support field [direct_generator]");
  });
}
