/** What the `phrase` suggester is asked for. */
import type { SpellSettings } from "../spell/spell-checker.ts";
import type { CommonOptions } from "../types.ts";

/** How the likelihood of a word behind others is estimated where the index has seldom or never seen them together. */
export type Smoothing =
  | { readonly kind: "stupid_backoff"; readonly discount: number }
  | { readonly kind: "laplace"; readonly alpha: number }
  | { readonly kind: "linear"; readonly trigram: number; readonly bigram: number; readonly unigram: number };

export const STUPID_BACKOFF: Smoothing = { kind: "stupid_backoff", discount: 0.4 };

/** `direct_generator`: where candidates for the words of the phrase come from. What is wrong in it shows in an index. */
export interface GeneratorOptions {
  readonly field: string;
  readonly size: number;
  /** Names of analyzers for words before they are corrected, and for corrections. */
  readonly preFilter?: string;
  readonly postFilter?: string;
  /** @throws for a mode, an order or a distance that nobody knows */
  settings(): SpellSettings;
}

export interface PhraseOptions extends CommonOptions {
  readonly realWordErrorLikelihood: number;
  readonly confidence: number;
  readonly maxErrors: number;
  readonly separator: string;
  readonly gramSize?: number;
  readonly forceUnigrams: boolean;
  readonly tokenLimit: number;
  readonly tags?: { readonly pre: string; readonly post: string };
  readonly smoothing: Smoothing;
  readonly generators: readonly GeneratorOptions[];
}

export const PHRASE_DEFAULTS = {
  realWordErrorLikelihood: Math.fround(0.95),
  confidence: 1,
  maxErrors: 0.5,
  separator: " ",
  forceUnigrams: true,
  tokenLimit: 10,
  smoothing: STUPID_BACKOFF,
  generators: [],
} as const;
