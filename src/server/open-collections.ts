/**
 * Collections that stay open between requests: opening one reads its mapping, which costs as much as a light search. Whoever opens one
 * closes it as ever; what that ends is the use of it.
 */
import type { Collection } from "../collection/types.ts";
import { currentCaller } from "./access/caller.ts";
import type { OpenCollection, OpenHow } from "./product/collections.ts";

/** Collections that are kept, of each caller and way of opening. */
const MOST = 32;

export interface OpenCollections {
  open: OpenCollection;
  /** What is kept is not given out again: a collection may have been removed, or made anew. */
  forget(): void;
  close(): Promise<void>;
}

interface Kept {
  readonly collection: Promise<Collection>;
  uses: number;
  dropped: boolean;
}

/** @param open opens a collection for good; whatever it makes is not kept but opened again for the next one */
export function openCollections(open: OpenCollection, most = MOST): OpenCollections {
  /** The one that was used last stands last. */
  const kept = new Map<string, Kept>();
  const closing = new Set<Promise<void>>();

  function closeIdle(entry: Kept): void {
    if (!entry.dropped || entry.uses > 0) return;
    const closed = entry.collection
      .then((collection) => collection.close())
      .catch(() => {})
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  function drop(key: string, entry: Kept): void {
    if (kept.get(key) === entry) kept.delete(key);
    entry.dropped = true;
    closeIdle(entry);
  }

  async function lease(name: string, how: OpenHow): Promise<Collection> {
    const key = JSON.stringify([currentCaller().view?.owner ?? "", how.write === true, name]);
    const entry = kept.get(key) ?? { collection: open(name, how), uses: 0, dropped: false };
    kept.delete(key);
    kept.set(key, entry);
    entry.uses++;
    if (kept.size > most) drop(...kept.entries().next().value!);
    let inUse = true;
    const release = async () => {
      if (!inUse) return;
      inUse = false;
      entry.uses--;
      closeIdle(entry);
    };
    try {
      return { ...(await entry.collection), close: release, [Symbol.asyncDispose]: release };
    } catch (error) {
      await release();
      drop(key, entry);
      throw error;
    }
  }

  const forget = () => {
    for (const [key, entry] of [...kept]) drop(key, entry);
  };
  return {
    open: (name, how = {}) => (how.create || how.analysis ? open(name, how) : lease(name, how)),
    forget,
    async close() {
      forget();
      await Promise.all(closing);
    },
  };
}
