/**
 * Where an index keeps its bytes: an ordered map of small records, written in transactions, and immutable blobs.
 * Two implementations: LMDB with files beside it, and memory. Nothing else in the engine knows of disks.
 */

/** A key is a list of parts and sorts part by part: strings by UTF-8 bytes, numbers by value, strings before numbers. */
export type StorageKey = readonly (string | number)[];

export type StorageWrite = { readonly put: StorageKey; readonly value: Uint8Array } | { readonly remove: StorageKey };

/** A view of the records at one moment. Later transactions do not change it. */
export interface StorageSnapshot {
  get(key: StorageKey): Uint8Array | undefined;
  /** Records whose key begins with `prefix`, in key order, optionally from `start` on. */
  range(prefix: StorageKey, start?: StorageKey): Iterable<{ key: StorageKey; value: Uint8Array }>;
  /** Differs from that of every other moment after which something was committed. */
  version(): number;
  close(): void;
}

export interface Storage {
  readonly readOnly: boolean;
  /** Where the data lies, for error messages. */
  readonly location: string;
  get(key: StorageKey): Uint8Array | undefined;
  range(prefix: StorageKey, start?: StorageKey): Iterable<{ key: StorageKey; value: Uint8Array }>;
  snapshot(): StorageSnapshot;
  /** Applies all writes or none. Resolves when they are on disk (synced), rejects with the disk's error otherwise. */
  transact(writes: readonly StorageWrite[]): Promise<void>;
  /** Writes an immutable blob, synced before it resolves; a blob cut short by an error or a crash is removed, at the latest on the next opening. */
  writeBlob(name: string, chunks: readonly Uint8Array[]): Promise<void>;
  /** Size in bytes, or undefined when there is none of this name. */
  blobSize(name: string): number | undefined;
  /** Reads a part of a blob into memory of its own, aligned to 8 bytes. Synchronous: columns are read when a query first needs them. */
  readBlob(name: string, offset: number, length: number): Uint8Array;
  removeBlob(name: string): Promise<void>;
  listBlobs(prefix: string): string[];
  /** What a snapshot that is taken now has as its version; a reader polls it. */
  version(): number;
  /** CRC-32 of some bytes (natively where there is one), the checksum of segment sections. */
  crc32(bytes: Uint8Array): number;
  /** Checks the storage's own structure and the checksum of every record (blobs aside); names what is damaged, in `damaged`. */
  verify(options?: { pause?: () => Promise<void> }): Promise<{ damaged: readonly string[]; checked: number }>;
  close(): Promise<void>;
}
