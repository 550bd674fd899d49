/** Entries of several shards as one answer (Suggest.Suggestion.reduce): what is suggested by more than one comes once. */
import { EngineError } from "../errors.ts";
import type { Entry, Option } from "./types.ts";

interface HowToMerge<E extends Entry> {
  /** Two options with the same text as one. */
  merge(a: E["options"][number], b: E["options"][number]): E["options"][number];
  compare(a: E["options"][number], b: E["options"][number]): number;
  /** The entry of all, with its options already merged. */
  finish?(entries: readonly E[], options: E["options"]): E["options"];
}

const illegalState = (reason: string) => new EngineError("illegal_state_exception", reason, { status: 500 });

/** @param size options of an entry that are shown */
export function mergeEntries<E extends Entry<Option>>(
  shards: readonly (readonly E[])[],
  size: number,
  { merge, compare, finish = (_, options) => options }: HowToMerge<E>,
): readonly E[] {
  const [leader = []] = shards;
  if (shards.length < 2) return leader.map((entry) => ({ ...entry, options: entry.options.slice(0, size) }));
  return leader.map((entry, i) => {
    const same = shards.map((entries) => sameEntry(entries, i, leader));
    const options = new Map<string, Option>();
    for (const { options: own } of same) {
      for (const option of own) {
        const known = options.get(option.text);
        options.set(option.text, known ? merge(known, option) : option);
      }
    }
    const merged = finish(same, [...options.values()]);
    return { ...entry, options: [...merged].sort(compare).slice(0, size) };
  });
}

/** @throws illegal_state_exception where indices analyse the text in different ways */
function sameEntry<E extends Entry>(entries: readonly E[], i: number, leader: readonly E[]): E {
  const why = "might be caused by suggest calls across multiple indices with different analysis chains.";
  if (entries.length !== leader.length) {
    throw illegalState(
      `Can't merge suggest result, this ${why} Suggest entries have different sizes actual [${entries.length}] expected [${leader.length}]`,
    );
  }
  if (entries[i].text !== leader[i].text) {
    throw illegalState(
      `Can't merge suggest entries, this ${why} Suggest entries have different text actual [${entries[i].text}] expected [${leader[i].text}]`,
    );
  }
  return entries[i];
}
