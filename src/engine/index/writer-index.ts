/** An index as the registry of a writing process holds it. */
import type { Definition } from "./definition.ts";
import type { Index, WriteOperation, WriteResult } from "./types.ts";

export interface WriterOptions {
  /** Bytes of memory from which a buffer is written as a segment that the next refresh names. Default 48 MB. */
  readonly bufferBytes?: number;
}

export interface WriterIndex extends Index {
  /** Takes up a record that was stored. */
  redefine(definition: Definition): Promise<void>;
  /** Refreshes, stops merging, and lets go of the storage. */
  close(): Promise<void>;
  /** Ends all use after the index's record was removed. Resolves when no snapshot is held any more. */
  abandon(): Promise<void>;
}

/** Operations that wait for their turn. */
export interface WriteCall {
  readonly operations: readonly WriteOperation[];
  readonly signal: AbortSignal | undefined;
  readonly resolve: (results: (WriteResult | Error)[]) => void;
  readonly reject: (error: unknown) => void;
}
