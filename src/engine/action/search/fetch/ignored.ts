/** `_ignored`: fields of the document whose values were ignored. */
import type { FetchSubPhase } from "./types.ts";

export const ignored: FetchSubPhase =
  () =>
  ({ leaf, local }) => {
    const column = leaf.segment.ordinals("_ignored");
    if (!column?.has(local)) return {};
    const names: string[] = [];
    for (let i = column.start(local); i < column.end(local); i++) names.push(column.term(column.ord(i)));
    return { _ignored: names };
  };
