/** All indices of one storage. */
import type { AnalysisResources } from "../analysis/types.ts";
import { illegalArgument } from "../errors.ts";
import { createSlices } from "../slices.ts";
import type { Storage, StorageWrite } from "../storage/types.ts";
import { type Definition, defineIndex } from "./definition.ts";
import { readDocSort } from "./doc-sort.ts";
import { checkIndexName, indexExists, indexNotFound } from "./names.ts";
import { randomUuid } from "./random-ids.ts";
import { openReaderIndex, type ReaderIndex } from "./reader.ts";
import {
  decodeIndexRecord,
  decodeText,
  droppedKey,
  EMPTY,
  encodeJson,
  type IndexRecord,
  indexKey,
  KINDS,
  mappingKey,
  type StateRecord,
  segmentPrefix,
  stateKey,
} from "./records.ts";
import { serialQueue } from "./serial.ts";
import { indexSettings } from "./settings.ts";
import type { Index, IndexChange, IndexRegistry } from "./types.ts";
import { verifyStorage } from "./verify.ts";
import { openWriter } from "./writer.ts";
import type { WriterIndex, WriterOptions } from "./writer-index.ts";

/** Records removed in one transaction when an index is deleted. */
const REMOVED_AT_ONCE = 2_000;

/**
 * Opens the indices of a storage. In the process that writes, operations that no segment holds yet are indexed again, and what a crash left
 * unnamed is removed. The storage stays the caller's: `close()` of the registry refreshes and lets go of it, and does not close it.
 *
 * @param resources what analyzers need
 * @throws corrupt() naming what is damaged
 */
export function openIndexRegistry(
  storage: Storage,
  resources: AnalysisResources,
  options: WriterOptions = {},
): Promise<IndexRegistry> {
  return storage.readOnly
    ? Promise.resolve(readerRegistry(storage, resources))
    : writerRegistry(storage, resources, options);
}

async function writerRegistry(
  storage: Storage,
  resources: AnalysisResources,
  options: WriterOptions,
): Promise<IndexRegistry> {
  const indices = new Map<string, WriterIndex>();
  /** Names being created or deleted. */
  const busy = new Set<string>();
  const removing = new Set<Promise<void>>();
  let closed = false;
  const checkOpen = () => {
    if (closed) throw illegalArgument(`the indices of [${storage.location}] are closed`);
  };

  const uuids = new Set<string>();
  for (const { key, value } of [...storage.range(["index"])]) {
    const name = String(key[1]);
    const record = decodeIndexRecord(value, storage.location, name);
    uuids.add(record.uuid);
    indices.set(name, await openWriter(storage, defineIndex(name, record, resources), options));
  }
  for (const { key } of [...storage.range(["dropped"])]) await removeRecords(storage, String(key[1]));
  // Segments of indices whose creation or deletion a crash interrupted.
  for (const blob of storage.listBlobs(""))
    if (!uuids.has(blob.slice(0, blob.indexOf(".")))) await storage.removeBlob(blob);

  const changing = serialQueue();

  const change = (plan: () => readonly IndexChange[]) =>
    changing(async () => {
      checkOpen();
      const changes = plan();
      for (const { name } of changes) if (!indices.has(name) || busy.has(name)) throw indexNotFound(name);
      const writes: StorageWrite[] = [];
      const defined = new Map<WriterIndex, Definition>();
      const removed: WriterIndex[] = [];
      for (const { name, remove, ...parts } of changes) {
        const index = indices.get(name) as WriterIndex;
        if (remove === true) {
          removed.push(index);
          writes.push({ remove: indexKey(name) }, { put: droppedKey(index.uuid), value: EMPTY });
          continue;
        }
        const { uuid, createdAt, settings, aliases, closed: shut } = index;
        const record: IndexRecord = { uuid, createdAt, settings, aliases, closed: shut, ...parts };
        const definition = defineIndex(name, record, resources);
        // What the settings do not allow fails here, before anything is stored.
        if (parts.settings !== undefined) definition.readMapping(index.mapping.toJson());
        writes.push({ put: indexKey(name), value: encodeJson(record) });
        defined.set(index, definition);
      }
      await storage.transact(writes);
      for (const index of removed) drop(index);
      for (const [index, definition] of defined) await index.redefine(definition);
    });

  /** The rest of a deleted index goes when no search holds it any more; what is left at the end, on the next opening. */
  const drop = (index: WriterIndex) => {
    indices.delete(index.name);
    const removed = index
      .abandon()
      .then(() => (closed ? undefined : removeRecords(storage, index.uuid)))
      .catch(() => undefined)
      .finally(() => removing.delete(removed));
    removing.add(removed);
  };

  return {
    readOnly: false,
    resources,
    async create(name, request) {
      checkOpen();
      checkIndexName(name);
      const existing = indices.get(name);
      if (existing !== undefined) throw indexExists(name, existing.uuid);
      if (busy.has(name)) throw indexExists(name, "_na_");
      busy.add(name);
      try {
        const uuid = randomUuid();
        const createdAt = Date.now();
        const settings = indexSettings(request.settings ?? {}, { name, uuid, createdAt });
        const record: IndexRecord = { uuid, createdAt, settings, aliases: request.aliases ?? {} };
        const definition: Definition = defineIndex(name, record, resources);
        const mapping = definition.newMapping(request.mappings);
        readDocSort(settings, mapping);
        request.check?.({ name, uuid, settings, mapping, analysis: definition.analysis });
        const state: StateRecord = { generation: 0, checkpoint: -1, nextSegment: 0, segments: [] };
        await storage.transact([
          { put: indexKey(name), value: encodeJson(record) },
          { put: mappingKey(uuid), value: encodeJson(mapping.toJson()) },
          { put: stateKey(uuid), value: encodeJson(state) },
        ]);
        const index = await openWriter(storage, definition, options);
        indices.set(name, index);
        return index;
      } finally {
        busy.delete(name);
      }
    },
    delete: (name) => change(() => [{ name, remove: true }]),
    change,
    get: (name) => indices.get(name),
    list: () => [...indices.values()].sort(byName),
    async verify(verifyOptions) {
      checkOpen();
      return await verifyStorage(storage, verifyOptions);
    },
    async close() {
      if (closed) return;
      closed = true;
      const results = await Promise.allSettled([...indices.values()].map((index) => index.close()));
      const failed = results.find((result) => result.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    },
  };
}

const byName = (a: Index, b: Index): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Removes what a deleted index left, a part at a time: its record is gone already, and the note that it is to be removed goes last. */
async function removeRecords(storage: Storage, uuid: string): Promise<void> {
  for (const blob of storage.listBlobs(segmentPrefix(uuid))) await storage.removeBlob(blob);
  const slices = createSlices();
  for (const kind of KINDS) {
    for (;;) {
      const writes: StorageWrite[] = [];
      for (const { key } of storage.range([kind, uuid])) {
        writes.push({ remove: key });
        if (writes.length === REMOVED_AT_ONCE) break;
      }
      if (writes.length === 0) break;
      await storage.transact(writes);
      await slices.pause();
    }
  }
  await storage.transact([{ remove: droppedKey(uuid) }]);
}

function readerRegistry(storage: Storage, resources: AnalysisResources): IndexRegistry {
  const indices = new Map<string, ReaderIndex>();
  /** Records as they were last read. */
  const texts = new Map<string, string>();
  let seen: number | undefined;
  let closed = false;

  /** Takes up what the writer created and deleted since the last look. */
  const look = (): void => {
    if (closed) throw illegalArgument(`the indices of [${storage.location}] are closed`);
    if (storage.version() === seen) return;
    const records = storage.snapshot();
    try {
      const found = new Set<string>();
      for (const { key, value } of records.range(["index"])) {
        const name = String(key[1]);
        const record = decodeIndexRecord(value, storage.location, name);
        found.add(name);
        const known = indices.get(name);
        const text = decodeText(value);
        if (known?.uuid === record.uuid) {
          if (texts.get(name) !== text) known.redefine(defineIndex(name, record, resources));
        } else {
          known?.close();
          indices.set(name, openReaderIndex(storage, defineIndex(name, record, resources)));
        }
        texts.set(name, text);
      }
      for (const [name, index] of [...indices]) {
        if (found.has(name)) continue;
        index.close();
        indices.delete(name);
      }
      seen = records.version();
    } finally {
      records.close();
    }
  };
  const refuse = () =>
    illegalArgument(
      `the data folder [${storage.location}] is open read-only: create, change and delete indices in the process that writes to it`,
    );

  return {
    readOnly: true,
    resources,
    async create() {
      throw refuse();
    },
    async delete() {
      throw refuse();
    },
    async change() {
      throw refuse();
    },
    get(name) {
      look();
      return indices.get(name);
    },
    list() {
      look();
      return [...indices.values()].sort(byName);
    },
    async verify(options) {
      look();
      return await verifyStorage(storage, options);
    },
    async close() {
      closed = true;
      for (const index of indices.values()) index.close();
    },
  };
}
