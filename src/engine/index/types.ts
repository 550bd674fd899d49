/** An index: its settings and mapping, the writes to it, and the snapshots that searches run on. */
import type { LeafReader } from "../segment/types.ts";

/** One moment of an index, as the last refresh left it. Searches hold one and release it. */
export interface IndexSnapshot {
  readonly leaves: readonly LeafReader[];
  /** Nested and deleted documents included. */
  readonly maxDoc: number;
  /** Root documents that are alive. */
  readonly docCount: number;
  /** The source of a root document as it was at this moment, byte for byte. */
  source(leaf: LeafReader, doc: number): Uint8Array | undefined;
  release(): void;
}
