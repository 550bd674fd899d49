/**
 * Suggestions: corrections of words (`term`), of phrases (`phrase`), and texts that begin with what was typed (`completion`).
 *
 *   parse.ts ─▶ Suggestion ──prepare──▶ Prepared ──suggest──▶ entries of a shard ──reduce──▶ entries of the answer
 */
import type { Analyzer } from "../analysis/types.ts";
import type { MappedField } from "../mapping/types.ts";
import type { QueryContext } from "../query/dsl/index.ts";
import type { IndexSearcher } from "../query/types.ts";
import type { Slices } from "../slices.ts";

/** What a suggester knows of the shard that it looks into. */
export interface SuggestShard {
  readonly context: QueryContext;
  readonly searcher: IndexSearcher;
  /** Documents that are alive. */
  readonly docCount: number;
}

/** A part of the text, with what may stand in its place. */
export interface Entry<O extends Option = Option> {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
  readonly options: readonly O[];
}

export interface Option {
  readonly text: string;
  /** With what was changed marked. */
  readonly highlighted?: string;
  readonly score: number;
  /** Documents with the word. */
  readonly freq?: number;
  /** Of a completion: the document that has it, in the order of its shard's snapshot. */
  readonly doc?: number;
  /** Of a completion in contexts: those that it was found in, by name. */
  readonly contexts?: { readonly [name: string]: readonly string[] };
}

/** Options of an entry that are shown where the request does not say. */
export const DEFAULT_SIZE = 5;

/** Keys that every suggester takes. */
export interface CommonOptions {
  readonly field: string;
  readonly analyzer?: string;
  readonly size?: number;
  readonly shardSize?: number;
}

/** What is written beside the suggester. */
export interface SuggestText {
  readonly text?: string;
  readonly prefix?: string;
  readonly regex?: string;
}

/** What a suggester looks for on one shard. */
export interface Target extends SuggestText {
  /** Where only `prefix` or `regex` is given, that. */
  readonly text: string;
  readonly field: MappedField;
  readonly analyzer: Analyzer;
  readonly size: number;
  readonly shardSize: number;
}

export type SuggesterName = "term" | "phrase" | "completion";

/** A suggester as a request asks for it. */
export interface Suggester<E extends Entry = Entry> {
  readonly type: SuggesterName;
  readonly options: CommonOptions;
  /** Looks at what it needs in an index. @throws what is wrong there */
  prepare(target: Target, shard: SuggestShard): (slices: Slices) => Promise<readonly E[]>;
  /** Of the entries of one or several shards those of the answer. */
  reduce(shards: readonly (readonly E[])[]): readonly E[];
  /** The options of the answer are documents, which are shown with them. */
  readonly ofDocuments?: true;
}

/** A suggester with its name and its text. */
export interface Suggestion extends SuggestText {
  readonly name: string;
  readonly suggester: Suggester;
}

/** `suggest` of a request. */
export interface SuggestRequest {
  /** The text of all that have none. */
  readonly text?: string;
  readonly suggestions: readonly Suggestion[];
}
