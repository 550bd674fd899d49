/** `_ignored`: fields of the document whose values were ignored. It is a stored field, and left out where none is shown. */
import { ordinalsOf } from "../fields/doc-values.ts";
import type { FetchSubPhase } from "./types.ts";

export const ignored: FetchSubPhase = ({ options }) =>
  options.storedFields
    ? ({ leaf, local }) => {
        const names = ordinalsOf(leaf, "_ignored", local);
        return names.length > 0 ? { _ignored: names } : {};
      }
    : undefined;
