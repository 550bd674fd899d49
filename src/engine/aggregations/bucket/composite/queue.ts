/** The first keys of an order, of all that come: a heap whose top is the last of them (CompositeValuesCollectorQueue). */
import { type CompositeSource, compareKeys, type Part } from "./internal-composite.ts";

export interface CompositeQueue {
  /** The bucket of a key, or −1 where it is none of the first. */
  add(key: readonly Part[]): number;
  /** In order. */
  entries(): readonly { readonly key: readonly Part[]; readonly ord: number }[];
}

/** A key as text that no other has. */
function textOf(key: readonly Part[]): string {
  let text = "";
  for (const part of key) {
    if (part === null) text += "-;";
    else if (typeof part === "string") text += `s${part.length}:${part}`;
    else text += Object.is(part, -0) ? "n-0;" : `n${part};`;
  }
  return text;
}

/** @param after keys up to this one are left out @param take is told of the memory of a new key */
export function compositeQueue(
  sources: readonly CompositeSource[],
  size: number,
  after: readonly Part[] | undefined,
  take: (bytes: number) => void,
): CompositeQueue {
  const ords = new Map<string, number>();
  const heap: { key: readonly Part[]; text: string; ord: number }[] = [];
  let next = 0;
  const compare = (a: number, b: number) => compareKeys(sources, heap[a].key, heap[b].key);
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  const up = (from: number) => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (compare(at, parent) <= 0) return;
      swap(at, parent);
      at = parent;
    }
  };
  const down = () => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && compare(left + 1, left) > 0 ? left + 1 : left;
      if (compare(child, at) <= 0) return;
      swap(child, at);
      at = child;
    }
  };
  return {
    add(key) {
      const full = heap.length >= size;
      if (full && compareKeys(sources, key, heap[0].key) > 0) return -1;
      const text = textOf(key);
      const known = ords.get(text);
      if (known !== undefined) return known;
      if (after && compareKeys(sources, key, after) <= 0) return -1;
      take(64 + text.length * 2);
      const ord = next++;
      const entry = { key: [...key], text, ord };
      ords.set(text, ord);
      if (full) {
        ords.delete(heap[0].text);
        heap[0] = entry;
        down();
      } else {
        heap.push(entry);
        up(heap.length - 1);
      }
      return ord;
    },
    entries: () => [...heap].sort((a, b) => compareKeys(sources, a.key, b.key)),
  };
}
