/** The `term` suggester's options (TermSuggestionBuilder). */
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { errorAt, isArray, isObject, readFloat, readInt, textOf } from "../../query/dsl/read.ts";
import { type CommonDraft, commonOptions, positiveSize, readCommon } from "../common-options.ts";
import { SPELL_DEFAULTS, type SpellSettings, type SuggestMode } from "../spell/spell-checker.ts";
import { distanceOf, noConstant, sortOf } from "../spell/spell-words.ts";
import type { Suggester } from "../types.ts";
import { termSuggester } from "./term.ts";

type Draft = { -readonly [K in keyof SpellSettings]?: SpellSettings[K] };
type Reader = (draft: Draft, json: JsonObject, key: string) => void;

/** A number that is checked as it is read. */
function number(
  name: "accuracy" | "maxEdits" | "maxInspections" | "maxTermFreq" | "prefixLength" | "minWordLength" | "minDocFreq",
  read: (json: JsonObject, key: string) => number,
  problem: (value: number) => string | false,
): Reader {
  return (draft, json, key) => {
    const value = read(json, key);
    const reason = problem(value);
    if (reason !== false) throw illegalArgument(reason);
    draft[name] = value;
  };
}

const int = (json: JsonObject, key: string) => readInt(json[key], json, key);
const float = (json: JsonObject, key: string) => readFloat(json[key], json, key);
const text = (json: JsonObject, key: string) => textOf(json[key]) ?? "";

/** A share below one, a whole number above. */
const share = (name: string) => (value: number) =>
  value < 0
    ? `${name} must be positive`
    : value > 1 && value !== Math.floor(value) && `if ${name} is greater than 1, it must not be a fraction`;

const READERS: { readonly [key: string]: Reader } = {
  suggest_mode(draft, json, key) {
    draft.suggestMode = suggestModeOf(text(json, key));
  },
  accuracy: number("accuracy", float, (value) => (value < 0 || value > 1) && "accuracy must be between 0 and 1"),
  sort(draft, json, key) {
    draft.sort = sortOf(text(json, key));
  },
  string_distance(draft, json, key) {
    draft.distance = distanceOf(text(json, key).toLowerCase(), text(json, key));
  },
  max_edits: number("maxEdits", int, (value) => (value < 1 || value > 2) && "maxEdits must be between 1 and 2"),
  max_inspections: number("maxInspections", int, (value) => value < 0 && "maxInspections must be positive"),
  max_term_freq: number("maxTermFreq", float, share("maxTermFreq")),
  prefix_length: number("prefixLength", int, (value) => value < 0 && "prefixLength must be positive"),
  min_word_length: number("minWordLength", int, (value) => value < 1 && "minWordLength must be greater or equal to 1"),
  min_doc_freq: number("minDocFreq", float, share("minDocFreq")),
};

function suggestModeOf(value: string): SuggestMode {
  const upper = value.toUpperCase();
  if (upper === "MISSING") return "missing";
  if (upper === "POPULAR") return "popular";
  if (upper === "ALWAYS") return "always";
  throw noConstant("term.TermSuggestionBuilder.SuggestMode", upper);
}

export function parseTermSuggester(json: JsonObject): Suggester {
  const common: CommonDraft = {};
  const draft: Draft = {};
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (value === null || isArray(value) || isObject(value)) {
      throw errorAt(json, { value: key }, `suggester[term] parsing failed on [${key}]`);
    }
    if (readCommon(common, json, key)) continue;
    if (!Object.hasOwn(READERS, key)) {
      throw errorAt(json, { value: key }, `suggester[term] doesn't support field [${key}]`);
    }
    READERS[key](draft, json, key);
  }
  return termSuggester(commonOptions(common), { ...SPELL_DEFAULTS, ...draft });
}

/** The suggester that the URL asks for. @param mode asked for when the size is known to be right */
export function termSuggesterOf(field: string, options: { size?: number; mode(): string }): Suggester {
  const { size } = options;
  const common = commonOptions({ field, ...(size === undefined ? {} : { size: positiveSize(size) }) });
  return termSuggester(common, { ...SPELL_DEFAULTS, suggestMode: suggestModeOf(options.mode()) });
}
