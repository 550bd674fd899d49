/** `_source`, whole or filtered. */
import type { ResponseValue } from "../../response-value.ts";
import { sourceOf } from "../../source-filter.ts";
import type { FetchSubPhase } from "./types.ts";

export const source: FetchSubPhase = ({ options }) =>
  options.source.fetch
    ? (hit) => {
        const stored = hit.source();
        return stored === undefined ? {} : { _source: sourceOf(stored, options.source) as ResponseValue };
      }
    : undefined;
