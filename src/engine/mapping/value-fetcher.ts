/**
 * How values of the source are printed in `fields` (Elasticsearch's SourceValueFetcher): read as the type reads them, and given back as its
 * kind of value. A field gives its fetcher by `valueFetcher`.
 */
import { illegalArgument } from "../errors.ts";
import type { JsonValue } from "../json/types.ts";

/** A printed value, undefined for one that is ignored; what cannot be read throws, and is ignored too. */
export type ReadValue = (value: JsonValue) => JsonValue | undefined;

export type ValueFetcher =
  /** For each value by itself, arrays of any depth opened. */
  | { readonly kind: "values"; readonly nullValue: JsonValue | undefined; readonly read: ReadValue }
  /** For all that stands under the path, arrays included (vectors, points). */
  | {
      readonly kind: "whole";
      readonly nullValue: JsonValue | undefined;
      readonly readAll: (value: JsonValue) => readonly JsonValue[];
    };

export interface ValueFetcherOptions {
  readonly format?: string;
}

export type ValueFetcherOf = (options?: ValueFetcherOptions) => ValueFetcher;

export function refuseValueFormat(name: string, type: string | undefined, { format }: ValueFetcherOptions): void {
  if (format === undefined) return;
  throw illegalArgument(`Field [${name}]${type === undefined ? "" : ` of type [${type}]`} doesn't support formats.`);
}

/** A fetcher of single values without formats. @param type as the error of a format names it */
export function valuesBy(
  name: string,
  type: string | undefined,
  read: ReadValue,
  nullValue?: JsonValue,
): ValueFetcherOf {
  return (options = {}) => {
    refuseValueFormat(name, type, options);
    return { kind: "values", nullValue, read };
  };
}
