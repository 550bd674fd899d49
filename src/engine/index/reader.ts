/**
 * An index in a process that only reads: it sees the writer's last refresh. Segments that two states share stay open. While a search holds a
 * snapshot, its records are read at that moment of the storage, which the writer's later transactions do not change.
 */
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import type { Mapping } from "../mapping/types.ts";
import type { SegmentReader } from "../segment/types.ts";
import type { Storage, StorageSnapshot } from "../storage/types.ts";
import type { Definition } from "./definition.ts";
import { indexClosed, indexNotFound } from "./names.ts";
import { decodeMapping, decodeStateRecord, mappingKey, stateKey } from "./records.ts";
import { openLiveSegment } from "./segments.ts";
import { type Generation, generationOf, snapshotOf } from "./snapshots.ts";
import { storedDocument } from "./stored-document.ts";
import type { Index } from "./types.ts";

/** A merge may remove a segment's file between reading its name and opening it: then the newer state is read. */
const ATTEMPTS = 10;

export interface ReaderIndex extends Index {
  /** Takes up a record that the writer has changed. */
  redefine(definition: Definition): void;
  close(): void;
}

/** A generation at a moment of the storage; the view is closed when the last search lets go. */
interface View {
  readonly version: number;
  readonly generation: Generation;
  readonly records: StorageSnapshot;
  uses: number;
}

export function openReaderIndex(storage: Storage, initial: Definition): ReaderIndex {
  let definition = initial;
  const { name } = definition;
  const { uuid } = definition.record;
  const location = `${storage.location}: index [${name}]`;
  let closed = false;
  let view: View | undefined;
  let generation: Generation | undefined;
  let mapping: Mapping | undefined;
  let mappingText: string | undefined;

  const refuse = () =>
    illegalArgument(
      `the data folder [${storage.location}] is open read-only: write through the process that writes to it`,
    );

  function load(): View {
    if (closed) throw indexClosed(name);
    const version = storage.version();
    if (view !== undefined && view.uses > 0 && view.version === version) return view;
    for (let attempt = 1; ; attempt++) {
      const records = storage.snapshot();
      try {
        readMapping(records);
        const bytes = records.get(stateKey(uuid));
        if (bytes === undefined) throw indexNotFound(name);
        const state = decodeStateRecord(bytes, storage.location, name);
        if (generation === undefined || generation.number !== state.generation) {
          const known = new Map<string, SegmentReader>(
            generation?.segments.map((segment) => [segment.name, segment.reader]),
          );
          generation = generationOf(
            state.generation,
            state.segments.map((entry) => openLiveSegment(storage, records, uuid, entry, known.get(entry.name))),
          );
        }
        // Read before the snapshot: at worst it looks older than it is, and is read again.
        view = { version, generation, records, uses: 0 };
        return view;
      } catch (error) {
        records.close();
        const gone =
          error instanceof EngineError && error.type === "corrupt_index_exception" && storage.version() !== version;
        if (!gone || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  function readMapping(records: StorageSnapshot): Mapping {
    const bytes = records.get(mappingKey(uuid));
    if (bytes === undefined) throw indexNotFound(name);
    const text = new TextDecoder().decode(bytes);
    if (mapping === undefined || text !== mappingText) {
      mapping = definition.readMapping(decodeMapping(bytes, storage.location, name));
      mappingText = text;
    }
    return mapping;
  }

  /** Uses the newest state for a moment. */
  function looking<T>(look: (view: View) => T): T {
    const used = load();
    used.uses++;
    try {
      return look(used);
    } finally {
      release(used);
    }
  }

  function release(used: View): void {
    used.uses--;
    if (used.uses === 0) used.records.close();
  }

  return {
    name,
    uuid,
    createdAt: definition.record.createdAt,
    get settings() {
      return definition.record.settings;
    },
    get mapping() {
      return looking(({ records }) => readMapping(records));
    },
    get aliases() {
      return definition.record.aliases;
    },
    get closed() {
      return definition.record.closed === true;
    },
    get analysis() {
      return definition.analysis;
    },
    similarity: (given) => definition.similarity(given),
    redefine(changed) {
      definition = changed;
      mappingText = undefined;
    },
    async putMapping(_update: JsonObject) {
      throw refuse();
    },
    async write() {
      throw refuse();
    },
    get: (id) => looking(({ records }) => storedDocument(records, uuid, id, readMapping(records))),
    // Only the writer refreshes; each search sees its last refresh.
    async refresh() {},
    async flush() {
      throw refuse();
    },
    async forceMerge() {
      throw refuse();
    },
    async ready() {},
    acquire() {
      const held = load();
      held.uses++;
      const { generation, records } = held;
      return snapshotOf(generation, uuid, records, { location, mapping: readMapping(records) }, () => release(held));
    },
    stats: () =>
      looking(({ generation: { segments, docCount } }) => ({
        docs: docCount,
        deleted: segments.reduce((sum, { deleted }) => sum + deleted, 0),
        segments: segments.length,
        storeBytes: segments.reduce((sum, { size }) => sum + size, 0),
        residentBytes: segments.reduce((sum, { reader }) => sum + reader.residentBytes(), 0),
      })),
    close() {
      closed = true;
    },
  };
}
