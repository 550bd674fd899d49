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
import { decodeMapping, decodeStateRecord, decodeText, mappingKey, type StateRecord, stateKey } from "./records.ts";
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

/** What the records of one version say. */
interface State {
  readonly version: number;
  readonly generation: Generation;
  readonly mapping: Mapping;
  /** The mapping as it is stored. */
  readonly mappingText: string | undefined;
}

/** A state at a moment of the storage; it is closed when the last search lets go. */
interface View extends State {
  readonly records: StorageSnapshot;
  uses: number;
}

export function openReaderIndex(storage: Storage, initial: Definition): ReaderIndex {
  let definition = initial;
  const { name } = definition;
  const { uuid } = definition.record;
  const location = `${storage.location}: index [${name}]`;
  let closed = false;
  /** As it was last read. */
  let state: State | undefined;
  let view: View | undefined;

  const refuse = () =>
    illegalArgument(
      `the data folder [${storage.location}] is open read-only: write through the process that writes to it`,
    );

  function load(): View {
    if (closed) throw indexClosed(name);
    if (view !== undefined && view.uses > 0 && view.version === storage.version()) return view;
    for (let attempt = 1; ; attempt++) {
      const records = storage.snapshot();
      try {
        const version = records.version();
        if (state?.version !== version) state = readState(records, version);
        view = { ...state, records, uses: 0 };
        return view;
      } catch (error) {
        const read = records.version();
        records.close();
        const gone =
          error instanceof EngineError && error.type === "corrupt_index_exception" && storage.version() !== read;
        if (!gone || attempt >= ATTEMPTS) throw error;
      }
    }
  }

  function readState(records: StorageSnapshot, version: number): State {
    const bytes = records.get(stateKey(uuid));
    if (bytes === undefined) throw indexNotFound(name);
    return {
      version,
      generation: readGeneration(records, decodeStateRecord(bytes, storage.location, name)),
      ...readMapping(records),
    };
  }

  function readGeneration(records: StorageSnapshot, { generation, segments }: StateRecord): Generation {
    if (state?.generation.number === generation) return state.generation;
    const known = new Map<string, SegmentReader>(
      state?.generation.segments.map((segment) => [segment.name, segment.reader]),
    );
    return generationOf(
      generation,
      segments.map((entry) => openLiveSegment(storage, records, uuid, entry, known.get(entry.name))),
    );
  }

  function readMapping(records: StorageSnapshot): Pick<State, "mapping" | "mappingText"> {
    const bytes = records.get(mappingKey(uuid));
    if (bytes === undefined) throw indexNotFound(name);
    const mappingText = decodeText(bytes);
    if (state !== undefined && mappingText === state.mappingText) return { mapping: state.mapping, mappingText };
    return { mapping: definition.readMapping(decodeMapping(bytes, storage.location, name)), mappingText };
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
      return looking(({ mapping }) => mapping);
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
      // The segments stay open; what the definition says of fields is read again.
      state = state && { ...state, version: -1, mappingText: undefined };
      view = undefined;
    },
    async putMapping(_update: JsonObject) {
      throw refuse();
    },
    async write() {
      throw refuse();
    },
    get: (id) => looking(({ records, mapping }) => storedDocument(records, uuid, id, mapping)),
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
      const { generation, records, mapping } = held;
      return snapshotOf(generation, uuid, records, { location, mapping }, () => release(held));
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
