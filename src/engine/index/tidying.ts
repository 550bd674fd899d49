/**
 * Tidying up behind the commits, in small transactions that hold nobody up: log entries that segments hold now, sources that newer ones
 * replaced, files of merged segments. What a crash leaves undone is done on the next opening (`recovery.ts`).
 */
import type { Storage, StorageWrite } from "../storage/types.ts";
import { EMPTY, logKey, oldKey } from "./records.ts";
import { forgetSource } from "./recovery.ts";
import { serialQueue } from "./serial.ts";
import { generationUses } from "./snapshots.ts";

const RECORDS_AT_ONCE = 1_000;

/** A source that an operation replaced. */
export interface Replaced {
  /** Sequence number of the operation. */
  readonly by: number;
  /** Sequence number of the source. */
  readonly seqNo: number;
}

/** What a commit leaves behind. */
export interface Leftover {
  /** The generation that it made: snapshots of older ones may still need the rest. */
  readonly generation: number;
  /** The last operation that segments hold now. */
  readonly checkpoint: number;
  /** In the order of the operations. */
  readonly replaced: readonly Replaced[];
  readonly blobs: readonly string[];
}

export interface Tidier {
  acquire(generation: number): void;
  release(generation: number): void;
  /** True when no snapshot is held. */
  idle(): boolean;
  leave(leftover: Leftover): void;
  /** Resolves when everything is tidy that can be. */
  done(): Promise<void>;
  /** Leaves the rest for the next opening. */
  stop(): void;
}

/** @param checkpoint operations up to it have no log entries any more */
export function createTidier(storage: Storage, uuid: string, checkpoint: number): Tidier {
  const queue = serialQueue();
  const uses = generationUses<Leftover>();
  const leftovers: Leftover[] = [];
  let trimmed = checkpoint;
  let forgotten: number[] = [];
  let stopped = false;

  /** Removes log entries; a source that one of them replaced is noted in its stead. */
  async function trimLog({ checkpoint: end, replaced }: Leftover): Promise<void> {
    let next = replaced.findIndex(({ by }) => by > trimmed);
    while (trimmed < end) {
      const upTo = Math.min(end, trimmed + RECORDS_AT_ONCE);
      const writes: StorageWrite[] = [];
      for (let seqNo = trimmed + 1; seqNo <= upTo; seqNo++) writes.push({ remove: logKey(uuid, seqNo) });
      for (; next >= 0 && next < replaced.length && replaced[next].by <= upTo; next++) {
        writes.push({ put: oldKey(uuid, replaced[next].seqNo), value: EMPTY });
      }
      await storage.transact(writes);
      trimmed = upTo;
    }
  }

  async function tidy(): Promise<void> {
    while (leftovers.length > 0 && !stopped) {
      await trimLog(leftovers[0]);
      const leftover = leftovers.shift() as Leftover;
      uses.discard(leftover.generation, leftover);
    }
    for (const { replaced, blobs } of uses.collect()) {
      for (const { seqNo } of replaced) forgotten.push(seqNo);
      // A file that cannot be removed now is removed on the next opening.
      for (const blob of blobs) await storage.removeBlob(blob).catch(() => undefined);
    }
    while (forgotten.length > 0 && !stopped) {
      const now = forgotten.slice(0, RECORDS_AT_ONCE);
      await storage.transact(now.flatMap((seqNo) => forgetSource(uuid, seqNo)));
      forgotten = forgotten.slice(now.length);
    }
  }
  // Without room on the disk it is tried again after the next commit.
  const start = () => {
    if (!stopped) queue(tidy).catch(() => undefined);
  };

  return {
    acquire: (generation) => uses.acquire(generation),
    release(generation) {
      uses.release(generation);
      start();
    },
    idle: () => uses.idle(),
    leave(leftover) {
      leftovers.push(leftover);
      start();
    },
    done: () => queue(tidy),
    stop() {
      stopped = true;
    },
  };
}
