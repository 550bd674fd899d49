/** `direct_generator` of the `phrase` suggester (DirectCandidateGeneratorBuilder): what its words say is looked at in an index only. */
import { type FieldReader, field, int, readObject, text } from "../../aggregations/support/object-parser.ts";
import { illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { readFloat } from "../../query/dsl/read.ts";
import { SPELL_DEFAULTS, type SpellSettings, type SuggestMode } from "../spell/spell-checker.ts";
import { distanceOf, sortOf } from "../spell/spell-words.ts";
import type { GeneratorOptions } from "./options.ts";

const float: FieldReader<number> = field(["number", "string"], (value, json, key) => readFloat(value, json, key));

const checked = (problem: (value: number) => string | false): FieldReader<number> =>
  field(["number", "string"], (value, json, key) => {
    const number = Math.trunc(readFloat(value, json, key));
    const reason = problem(number);
    if (reason !== false) throw illegalArgument(reason);
    return number;
  });

interface Body {
  field: string;
  pre_filter: string;
  post_filter: string;
  suggest_mode: string;
  min_doc_freq: number;
  accuracy: number;
  size: number;
  sort: string;
  string_distance: string;
  max_inspections: number;
  max_term_freq: number;
  max_edits: number;
  min_word_length: number;
  prefix_length: number;
}

const FIELDS: { readonly [K in keyof Body]: FieldReader<Body[K]> } = {
  field: text,
  pre_filter: text,
  post_filter: text,
  suggest_mode: text,
  min_doc_freq: float,
  accuracy: float,
  size: checked((value) => value <= 0 && "Size must be positive"),
  sort: text,
  string_distance: text,
  max_inspections: int,
  max_term_freq: float,
  max_edits: checked((value) => (value < 1 || value > 2) && `Illegal max_edits value ${value}`),
  min_word_length: int,
  prefix_length: int,
};

export const DEFAULT_CANDIDATES = 5;

export function parseGenerator(json: JsonObject): GeneratorOptions {
  const body = readObject<Body>("direct_generator", json, FIELDS);
  if (body.field === undefined) throw illegalArgument("Required [field]");
  return {
    field: body.field,
    size: body.size ?? DEFAULT_CANDIDATES,
    ...(body.pre_filter === undefined ? {} : { preFilter: body.pre_filter }),
    ...(body.post_filter === undefined ? {} : { postFilter: body.post_filter }),
    settings: () => settingsOf(body),
  };
}

const MODES: readonly SuggestMode[] = ["missing", "popular", "always"];

function modeOf(value: string): SuggestMode {
  const mode = MODES.find((each) => each === value.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Illegal suggest mode ${value.toLowerCase()}`);
  return mode;
}

function settingsOf(body: Partial<Body>): SpellSettings {
  const { suggest_mode: mode, sort, string_distance: distance } = body;
  return {
    suggestMode: mode === undefined ? SPELL_DEFAULTS.suggestMode : modeOf(mode),
    sort: sort === undefined ? SPELL_DEFAULTS.sort : sortOf(sort),
    distance: distance === undefined ? undefined : distanceOf(distance.toLowerCase(), distance.toLowerCase()),
    accuracy: body.accuracy ?? SPELL_DEFAULTS.accuracy,
    maxEdits: body.max_edits ?? SPELL_DEFAULTS.maxEdits,
    maxInspections: body.max_inspections ?? SPELL_DEFAULTS.maxInspections,
    maxTermFreq: body.max_term_freq ?? SPELL_DEFAULTS.maxTermFreq,
    prefixLength: body.prefix_length ?? SPELL_DEFAULTS.prefixLength,
    minWordLength: body.min_word_length ?? SPELL_DEFAULTS.minWordLength,
    minDocFreq: body.min_doc_freq ?? SPELL_DEFAULTS.minDocFreq,
  };
}
