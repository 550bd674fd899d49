/** An index: its settings and mapping, the writes to it, and the snapshots that searches run on. */
import type { AnalysisRegistry, AnalysisResources } from "../analysis/types.ts";
import type { JsonObject } from "../json/types.ts";
import type { Mapping } from "../mapping/types.ts";
import type { Similarity } from "../query/types.ts";
import type { LeafReader } from "../segment/types.ts";
import type { Slices } from "../slices.ts";

/** One moment of an index, as the last refresh left it. Searches hold one and release it. */
export interface IndexSnapshot {
  /** As it was when the snapshot was taken. */
  readonly mapping: Mapping;
  readonly leaves: readonly LeafReader[];
  /** Nested and deleted documents included. */
  readonly maxDoc: number;
  /** Root documents that are alive. */
  readonly docCount: number;
  /** The source of a root document as it was at this moment, byte for byte. */
  source(leaf: LeafReader, doc: number): Uint8Array | undefined;
  /** The same before the mapping left anything out of it: what was indexed. */
  indexed(leaf: LeafReader, doc: number): Uint8Array | undefined;
  /** The routing that a root document was written with, if any. */
  routing(leaf: LeafReader, doc: number): string | undefined;
  /** Counts a use: `release` as often as `acquire` was called. */
  release(): void;
}

/** One write. Versions follow Elasticsearch: internal by default, `ifSeqNo`/`ifPrimaryTerm` for optimistic concurrency, external versions. */
export type WriteOperation =
  | {
      readonly kind: "index" | "create";
      /** Generated when it is left out. */
      readonly id?: string;
      readonly routing?: string | undefined;
      /** The body's bytes: stored as they are. */
      readonly source: Uint8Array;
      readonly ifSeqNo?: number;
      readonly ifPrimaryTerm?: number;
      readonly version?: number;
      readonly versionType?: "internal" | "external" | "external_gte";
    }
  | {
      readonly kind: "delete";
      readonly id: string;
      readonly ifSeqNo?: number;
      readonly ifPrimaryTerm?: number;
      readonly version?: number;
      readonly versionType?: "internal" | "external" | "external_gte";
    };

export interface WriteResult {
  readonly id: string;
  readonly result: "created" | "updated" | "deleted" | "not_found";
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

export interface StoredDocument {
  readonly id: string;
  readonly routing?: string | undefined;
  /** What the mapping keeps of it; undefined: nothing. */
  readonly source: Uint8Array | undefined;
  /** What was indexed. */
  readonly indexed: Uint8Array;
  readonly version: number;
  readonly seqNo: number;
  readonly primaryTerm: number;
}

export interface IndexStats {
  readonly docs: number;
  readonly deleted: number;
  readonly segments: number;
  readonly storeBytes: number;
  readonly residentBytes: number;
}

export interface Index {
  readonly name: string;
  readonly uuid: string;
  readonly createdAt: number;
  /** Settings as get-settings prints them under `index` (flat values as strings), analysis included. */
  readonly settings: JsonObject;
  readonly mapping: Mapping;
  readonly aliases: JsonObject;
  /** Its documents can be neither read nor written until it is opened again. */
  readonly closed: boolean;
  readonly analysis: AnalysisRegistry;
  similarity(name: string | undefined): Similarity;
  /** Merges into the mapping, durably. */
  putMapping(update: JsonObject): Promise<void>;
  /**
   * Applies writes in order, in one durable transaction for all that succeed. A write that fails (version conflict, document that does not
   * fit the mapping) gives its error in its place and does not touch the others; an error of the disk rejects the whole call, and nothing of it is acknowledged.
   */
  write(operations: readonly WriteOperation[], options?: { signal?: AbortSignal }): Promise<(WriteResult | Error)[]>;
  /** The newest state, refreshed or not. */
  get(id: string): StoredDocument | undefined;
  /** Makes all acknowledged writes visible to searches. Without writes since the last one it does nothing. */
  refresh(): Promise<void>;
  /** Refreshes and writes all to segments. */
  flush(): Promise<void>;
  forceMerge(options: { maxSegments?: number; onlyExpungeDeletes?: boolean; slices?: Slices }): Promise<void>;
  /**
   * Resolves when all writes older than `index.refresh_interval` are visible, refreshing if need be. A search awaits it before `acquire`.
   */
  ready(): Promise<void>;
  acquire(): IndexSnapshot;
  stats(): IndexStats;
}

/** What changes about an index; what is left out stays. */
export interface IndexChange {
  readonly name: string;
  /** All settings, as get-settings prints them under `index`. */
  readonly settings?: JsonObject;
  readonly aliases?: JsonObject;
  readonly closed?: boolean;
  /** The index goes. */
  readonly remove?: boolean;
}

/** An index that is about to be made. */
export type NewIndex = Pick<Index, "name" | "uuid" | "settings" | "mapping" | "analysis">;

export interface CreateIndexRequest {
  /** Looks at what will be made; throws to leave it unmade. */
  readonly check?: ((index: NewIndex) => void) | undefined;
  readonly settings?: JsonObject;
  readonly mappings?: JsonObject;
  readonly aliases?: JsonObject;
}

/** All indices of one data folder (or of memory). */
export interface IndexRegistry {
  readonly readOnly: boolean;
  create(name: string, request: CreateIndexRequest): Promise<Index>;
  delete(name: string): Promise<void>;
  /** Changes indices, all of them or none; `plan` says how, when no other change is under way. */
  change(plan: () => readonly IndexChange[]): Promise<void>;
  get(name: string): Index | undefined;
  list(): readonly Index[];
  readonly resources: AnalysisResources;
  /** Checks every record and every section of every segment; names what is damaged. */
  verify(options?: {
    signal?: AbortSignal;
    onProgress?: (p: { done: number; total: number; what: string }) => void;
  }): Promise<{ damaged: readonly string[]; checked: number }>;
  close(): Promise<void>;
}
