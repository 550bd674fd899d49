/** What the `completion` suggester is asked for. */
import type { JsonObject } from "../../json/types.ts";
import type { CommonOptions } from "../types.ts";

export interface FuzzyOptions {
  readonly maxEdits: number;
  readonly transpositions: boolean;
  /** Shorter texts are taken as they are. */
  readonly minLength: number;
  /** What must be the same at the beginning. */
  readonly prefixLength: number;
  /** Lengths and edits are counted in characters instead of bytes. */
  readonly unicodeAware: boolean;
}

export interface RegexOptions {
  /** Bits of REGEXP_FLAGS. */
  readonly flags: number;
  /** `max_determinized_states` */
  readonly limit: number;
}

export interface CompletionOptions extends CommonOptions {
  readonly fuzzy?: FuzzyOptions;
  readonly regex?: RegexOptions;
  readonly skipDuplicates: boolean;
  /** As they were given: only the field knows what they mean. */
  readonly contexts?: JsonObject;
}
