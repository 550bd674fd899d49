/**
 * The records of an index in the storage, by its uuid. A crash at any moment leaves the state of the last transaction:
 *
 *     ["index", name]             uuid, creation time, settings, aliases
 *     ["mapping", uuid]           the mapping
 *     ["state", uuid]             which segments make the index, and up to which operation they hold it (the checkpoint)
 *     ["live", uuid, segment]     documents of a segment that are not deleted, where some are
 *     ["id", uuid, id]            newest sequence number and version of an id
 *     ["source", uuid, seqNo]     source of a document as that operation left it: a search sees the one of its moment
 *     ["routing", uuid, seqNo]    the routing that it was written with, where there was one
 *     ["log", uuid, seqNo]        operations that no named segment holds yet; replayed on opening
 *     ["old", uuid, seqNo]        sources that newer ones replaced; removed when no search needs them any more
 *     ["tombstone", uuid, seqNo]  deletions whose version is still remembered
 *     ["dropped", uuid]           a deleted index whose records are still being removed
 */
import { corrupt } from "../errors.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject } from "../json/types.ts";
import { writeJson } from "../json/write.ts";
import type { StorageKey } from "../storage/types.ts";
import type { DocState } from "./versions.ts";

export const indexKey = (name: string): StorageKey => ["index", name];
export const mappingKey = (uuid: string): StorageKey => ["mapping", uuid];
export const stateKey = (uuid: string): StorageKey => ["state", uuid];
export const liveKey = (uuid: string, segment: string): StorageKey => ["live", uuid, segment];
export const idKey = (uuid: string, id: string): StorageKey => ["id", uuid, id];
export const sourceKey = (uuid: string, seqNo: number): StorageKey => ["source", uuid, seqNo];
export const routingKey = (uuid: string, seqNo: number): StorageKey => ["routing", uuid, seqNo];
export const logKey = (uuid: string, seqNo: number): StorageKey => ["log", uuid, seqNo];
export const oldKey = (uuid: string, seqNo: number): StorageKey => ["old", uuid, seqNo];
export const tombstoneKey = (uuid: string, seqNo: number): StorageKey => ["tombstone", uuid, seqNo];
export const droppedKey = (uuid: string): StorageKey => ["dropped", uuid];
/** All kinds of records that a deleted index leaves behind. */
export const KINDS = ["mapping", "state", "live", "id", "source", "routing", "log", "old", "tombstone"] as const;

export const EMPTY = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const encodeText = (text: string): Uint8Array => encoder.encode(text);
export const decodeText = (bytes: Uint8Array): string => decoder.decode(bytes);

export const decodeRouting = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : decodeText(bytes);

/** Name of a segment's blob. All blobs of an index begin with its uuid. */
export const segmentName = (uuid: string, number: number): string => `${uuid}.${number.toString(36)}`;
export const segmentPrefix = (uuid: string): string => `${uuid}.`;

export interface IndexRecord {
  readonly uuid: string;
  readonly createdAt: number;
  readonly settings: JsonObject;
  readonly aliases: JsonObject;
  /** No reads and writes until it is opened again. */
  readonly closed?: boolean;
}

export interface SegmentEntry {
  readonly name: string;
  /** Bytes of the blob. */
  readonly size: number;
  /** Root documents, deleted ones included. */
  readonly roots: number;
  /** Root documents that are deleted; when there are some, there is a live-docs record. */
  readonly deleted: number;
}

export interface StateRecord {
  /** Grows with every refresh that changed something and every merge. */
  readonly generation: number;
  /** All operations up to this sequence number are in the segments; -1 at the beginning. */
  readonly checkpoint: number;
  /** Number of the next segment's name. */
  readonly nextSegment: number;
  readonly segments: readonly SegmentEntry[];
}

export const encodeJson = (value: object): Uint8Array => encodeText(writeJson(value as JsonObject));

function readObject(bytes: Uint8Array, location: string, what: string): JsonObject {
  try {
    return parseJson(bytes) as JsonObject;
  } catch (error) {
    throw corrupt(location, `${what} cannot be read (${(error as Error).message})`);
  }
}

export function decodeIndexRecord(bytes: Uint8Array, location: string, name: string): IndexRecord {
  return readObject(bytes, location, `the record of the index [${name}]`) as unknown as IndexRecord;
}

export function decodeStateRecord(bytes: Uint8Array | undefined, location: string, name: string): StateRecord {
  if (bytes === undefined) throw corrupt(location, `the state of the index [${name}] is missing`);
  return readObject(bytes, location, `the state of the index [${name}]`) as unknown as StateRecord;
}

export function decodeMapping(bytes: Uint8Array | undefined, location: string, name: string): JsonObject {
  if (bytes === undefined) throw corrupt(location, `the mapping of the index [${name}] is missing`);
  return readObject(bytes, location, `the mapping of the index [${name}]`);
}

export function encodeDocState(state: DocState): Uint8Array {
  const bytes = new Uint8Array(24);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, state.seqNo);
  view.setFloat64(8, state.version);
  view.setFloat64(16, state.deletedAt);
  return bytes;
}

export function decodeDocState(bytes: Uint8Array): DocState {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { seqNo: view.getFloat64(0), version: view.getFloat64(8), deletedAt: view.getFloat64(16) };
}

/** An operation in the log. Its source is the record of its sequence number. */
export interface LogEntry {
  readonly id: string;
  readonly version: number;
  readonly deletes: boolean;
  /** Sequence number of the live document that it replaced or deleted, -1 when there was none. */
  readonly replaced: number;
}

export function encodeLogEntry(entry: LogEntry): Uint8Array {
  const id = encodeText(entry.id);
  const bytes = new Uint8Array(17 + id.length);
  const view = new DataView(bytes.buffer);
  view.setFloat64(0, entry.version);
  view.setFloat64(8, entry.replaced);
  bytes[16] = entry.deletes ? 1 : 0;
  bytes.set(id, 17);
  return bytes;
}

export function decodeLogEntry(bytes: Uint8Array): LogEntry {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    version: view.getFloat64(0),
    replaced: view.getFloat64(8),
    deletes: bytes[16] === 1,
    id: decodeText(bytes.subarray(17)),
  };
}
