/**
 * An index in the process that writes to it.
 *
 * A write is planned (versions, parsing, analysis), stored in one transaction, and only then added to the buffer and acknowledged. A refresh
 * cuts the buffer off, builds a segment of it, and names it in one transaction that also applies deletions and trims the log. Two queues keep
 * order: `writing` for what changes the buffer, `changing` for what changes the list of segments.
 */
import type { JsonObject } from "../json/types.ts";
import type { Mapping } from "../mapping/types.ts";
import { createSlices } from "../slices.ts";
import type { Storage } from "../storage/types.ts";
import { autoRefresh } from "./auto-refresh.ts";
import { commitOf } from "./commit.ts";
import type { Definition } from "./definition.ts";
import { readDocSort } from "./doc-sort.ts";
import { createMerger } from "./merging.ts";
import { indexClosed } from "./names.ts";
import { openParts, type Part, writePart } from "./parts.ts";
import { idGenerator } from "./random-ids.ts";
import {
  decodeDocState,
  decodeMapping,
  decodeStateRecord,
  encodeJson,
  idKey,
  mappingKey,
  segmentName,
  segmentPrefix,
  stateKey,
} from "./records.ts";
import { finishTidying, loggedOperations } from "./recovery.ts";
import { applyDeletions, asTheyAre, type Deletion, type LiveSegment, openLiveSegment } from "./segments.ts";
import { serialQueue } from "./serial.ts";
import { timeSetting } from "./settings.ts";
import { type Generation, generationOf, snapshotOf } from "./snapshots.ts";
import { storedDocument } from "./stored-document.ts";
import { createTidier, type Replaced } from "./tidying.ts";
import { createTombstones } from "./tombstones.ts";
import type { WriteResult } from "./types.ts";
import type { DocState } from "./versions.ts";
import { writeBuffer } from "./write-buffer.ts";
import { type PlannedOperation, type PlanState, planOperations } from "./write-plan.ts";
import type { WriteCall, WriterIndex, WriterOptions } from "./writer-index.ts";

/** Operations that go together in one transaction, at most (one call is never split). */
const GROUP_OPERATIONS = 2_000;
/** Buffers that wait to be written before writes wait for them. */
const WAITING_BUFFERS = 2;

export async function openWriter(
  storage: Storage,
  initial: Definition,
  options: WriterOptions = {},
): Promise<WriterIndex> {
  let definition = initial;
  const { name } = definition;
  const { uuid } = definition.record;
  const settings = () => definition.record.settings;
  const location = `${storage.location}: index [${name}]`;
  const bufferBytes = options.bufferBytes ?? 48 << 20;
  const tombstones = createTombstones(storage, uuid, () => timeSetting(settings(), "index.gc_deletes", 60_000));
  const writing = serialQueue();
  const changing = serialQueue();
  /** Building and writing buffers as segments; waits for nothing of the other two. */
  const building = serialQueue();
  const calls: WriteCall[] = [];
  const generateId = idGenerator();

  const state = decodeStateRecord(storage.get(stateKey(uuid)), storage.location, name);
  let mapping = definition.readMapping(decodeMapping(storage.get(mappingKey(uuid)), storage.location, name));
  // Neither the setting nor the fields' types ever change.
  const sort = readDocSort(definition.record.settings, mapping);
  let checkpoint = state.checkpoint;
  let nextSegment = state.nextSegment;
  let generation = generationOf(
    state.generation,
    state.segments.map((entry) => openLiveSegment(storage, storage, uuid, entry)),
  );
  const tidier = createTidier(storage, uuid, checkpoint);
  tidier.acquire(generation.number);
  let closed = false;
  /** A fault after a commit: memory is behind the disk, so nothing is done any more until the index is opened again. */
  let broken: unknown;

  // What was written since the last refresh.
  let buffer = writeBuffer();
  let parts: Part[] = [];
  let deletions: Deletion[] = [];
  let replaced: Replaced[] = [];
  let lastSeqNo = checkpoint;

  const checkOpen = () => {
    if (broken !== undefined) throw broken;
    if (closed) throw indexClosed(name);
  };
  const newName = () => segmentName(uuid, nextSegment++);

  const readState = (id: string): DocState | undefined => {
    const bytes = storage.get(idKey(uuid, id));
    const known = bytes === undefined ? undefined : decodeDocState(bytes);
    return known !== undefined && tombstones.isForgotten(known) ? undefined : known;
  };

  function apply({ id, seqNo, block, replaced: previous }: PlannedOperation): void {
    if (previous >= 0) {
      if (!buffer.delete(id, previous)) deletions.push({ id, seqNo: previous });
      replaced.push({ by: seqNo, seqNo: previous });
    }
    if (block !== undefined) buffer.add(block);
    lastSeqNo = seqNo;
  }

  async function applyAll(operations: Iterable<PlannedOperation>): Promise<void> {
    const slices = createSlices();
    for (const operation of operations) {
      if (slices.due()) await slices.pause();
      apply(operation);
      if (buffer.roots > 0 && buffer.builder.ramBytes >= bufferBytes) {
        parts.push({ buffer });
        buffer = writeBuffer();
      }
    }
  }

  /** Writes the buffers that are full, as segments that no record names yet. */
  async function writeParts(): Promise<void> {
    for (const part of [...parts]) await writePart(storage, part, newName, sort);
  }

  /** Takes the calls that have gathered, and stores them in one transaction. */
  async function writeGroup(): Promise<void> {
    const group: WriteCall[] = [];
    let count = 0;
    while (calls.length > 0 && (count === 0 || count + calls[0].operations.length <= GROUP_OPERATIONS)) {
      const call = calls.shift() as WriteCall;
      count += call.operations.length;
      group.push(call);
    }
    if (group.length === 0) return;
    const answers: { call: WriteCall; results: (WriteResult | Error)[] }[] = [];
    try {
      checkOpen();
      if (parts.filter(({ segment }) => segment === undefined).length >= WAITING_BUFFERS) await building(writeParts);
      const plan: PlanState = {
        nextSeqNo: lastSeqNo + 1,
        mapping,
        states: new Map(),
        writes: tombstones.sweep(),
        operations: [],
      };
      const context = { index: { name, uuid }, readState, generateId, now: Date.now };
      for (const call of group) {
        try {
          answers.push({
            call,
            results: await planOperations(context, plan, call.operations, createSlices({ signal: call.signal })),
          });
        } catch (error) {
          call.reject(error);
        }
      }
      if (plan.mapping !== mapping)
        plan.writes.push({ put: mappingKey(uuid), value: encodeJson(plan.mapping.toJson()) });
      if (plan.writes.length > 0) await storage.transact(plan.writes);
      mapping = plan.mapping;
      try {
        await applyAll(plan.operations);
      } catch (error) {
        broken = error;
        throw error;
      }
      if (plan.operations.length > 0) refreshing.written();
    } catch (error) {
      for (const call of group) call.reject(error);
      return;
    }
    for (const { call, results } of answers) call.resolve(results);
    if (parts.some(({ segment }) => segment === undefined)) building(writeParts).catch(() => undefined);
  }

  const visible = () =>
    checkpoint === lastSeqNo &&
    parts.length === 0 &&
    deletions.length === 0 &&
    replaced.length === 0 &&
    buffer.roots === 0;

  async function refreshNow(): Promise<void> {
    checkOpen();
    // Between groups of writes: what was acknowledged before is in the buffer, wholly.
    const cut = await writing(() => {
      if (visible()) return undefined;
      if (buffer.roots > 0) {
        parts.push({ buffer });
        buffer = writeBuffer();
      }
      const taken = { parts: [...parts], deletions, replaced, lastSeqNo };
      deletions = [];
      replaced = [];
      refreshing.cut();
      return taken;
    });
    if (cut === undefined) return;
    try {
      await building(writeParts);
      const { added, empty } = openParts(storage, cut.parts);
      const withAdded = [...generation.segments, ...added];
      const { segments, changed } = await applyDeletions(withAdded, cut.deletions, location);
      for (const segment of added) if (segment.deleted > 0) changed.add(segment.name);
      await commit(
        segments.filter(({ roots, deleted }) => roots > deleted),
        { changed, checkpoint: cut.lastSeqNo, replaced: cut.replaced, unnamed: empty },
      );
    } catch (error) {
      // Nothing of it is lost: the next refresh takes it up again.
      deletions = [...cut.deletions, ...deletions];
      replaced = [...cut.replaced, ...replaced];
      refreshing.ended(false);
      throw error;
    }
    parts = parts.filter((part) => !cut.parts.includes(part));
    refreshing.ended(true);
    merger.start();
  }

  /** Names a new list of segments in one transaction, and makes it the one that searches see. */
  async function commit(
    segments: readonly LiveSegment[],
    change: {
      /** Segments whose live documents are to be stored. */
      changed: ReadonlySet<string>;
      checkpoint?: number;
      replaced?: readonly Replaced[];
      /** Blobs that were written and are not needed. */
      unnamed?: readonly string[];
    },
  ): Promise<void> {
    const state = {
      generation: generation.number + 1,
      checkpoint: change.checkpoint ?? checkpoint,
      nextSegment,
    };
    const { next, writes, dropped } = commitOf(uuid, generation.segments, segments, state, change.changed);
    await storage.transact(writes);
    checkpoint = next.checkpoint;
    const before = generation;
    generation = generationOf(next.generation, segments);
    tidier.acquire(generation.number);
    tidier.leave({
      generation: generation.number,
      checkpoint,
      replaced: change.replaced ?? [],
      blobs: [...dropped, ...(change.unnamed ?? [])],
    });
    release(before);
  }

  function release(used: Generation): void {
    tidier.release(used.number);
    if (abandoned !== undefined && tidier.idle()) abandoned();
  }
  let abandoned: (() => void) | undefined;

  const refresh = () => changing(refreshNow);
  const refreshing = autoRefresh(settings, refresh);
  const merger = createMerger({
    storage,
    sort,
    segments: () => generation.segments,
    newName,
    replace: (merged, build) =>
      changing(async () => {
        const names = new Set(merged.map((segment) => segment.name));
        const start = generation.segments.findIndex((segment) => names.has(segment.name));
        const made = build(asTheyAre(merged, generation.segments));
        // Deletions may have emptied the merged segment meanwhile.
        const kept = made !== undefined && made.roots > made.deleted ? [made] : [];
        const segments = generation.segments.filter((segment) => !names.has(segment.name));
        segments.splice(Math.max(0, start), 0, ...kept);
        await commit(segments, {
          changed: new Set(kept.map((segment) => segment.name)),
          unnamed: made !== undefined && kept.length === 0 ? [made.name] : [],
        });
      }),
  });

  async function recover(): Promise<void> {
    const named = new Set(generation.segments.map((segment) => segment.name));
    for (const blob of storage.listBlobs(segmentPrefix(uuid))) if (!named.has(blob)) await storage.removeBlob(blob);
    await finishTidying(storage, uuid, checkpoint);
    await applyAll(loggedOperations(storage, uuid, checkpoint, mapping));
    if (!visible()) {
      refreshing.written();
      if (parts.length > 0) await refresh();
    }
  }

  const index: WriterIndex = {
    name,
    uuid,
    createdAt: definition.record.createdAt,
    get settings() {
      return settings();
    },
    get mapping() {
      return mapping;
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
    redefine: (changed) =>
      writing(() => {
        // Analyzers and limits are the settings'.
        if (changed.record.settings !== definition.record.settings) mapping = changed.readMapping(mapping.toJson());
        definition = changed;
        refreshing.reconfigure();
      }),
    putMapping: (update: JsonObject) =>
      writing(async () => {
        checkOpen();
        const merged: Mapping = mapping.merge(update);
        if (merged === mapping) return;
        await storage.transact([{ put: mappingKey(uuid), value: encodeJson(merged.toJson()) }]);
        mapping = merged;
      }),
    write(operations, writeOptions = {}) {
      checkOpen();
      return new Promise((resolve, reject) => {
        calls.push({ operations, signal: writeOptions.signal, resolve, reject });
        void writing(writeGroup);
      });
    },
    get(id) {
      checkOpen();
      return storedDocument(storage, uuid, id, mapping);
    },
    refresh,
    flush: refresh,
    async ready() {
      checkOpen();
      await refreshing.due();
    },
    async forceMerge(mergeOptions) {
      await refresh();
      await merger.force(mergeOptions);
    },
    acquire() {
      checkOpen();
      refreshing.searched();
      const held = generation;
      tidier.acquire(held.number);
      return snapshotOf(held, uuid, storage, { location, mapping }, () => release(held));
    },
    stats() {
      const { segments, docCount } = generation;
      return {
        docs: docCount,
        deleted: segments.reduce((sum, { deleted }) => sum + deleted, 0),
        segments: segments.length,
        storeBytes: segments.reduce((sum, { size }) => sum + size, 0),
        residentBytes: segments.reduce((sum, { reader }) => sum + reader.residentBytes(), buffer.builder.ramBytes),
      };
    },
    async close() {
      if (closed) return;
      refreshing.stop();
      await merger.stop();
      try {
        if (broken === undefined) await refresh();
        await tidier.done();
      } finally {
        closed = true;
        tidier.stop();
        await writing(() => undefined);
      }
    },
    async abandon() {
      closed = true;
      tidier.stop();
      refreshing.stop();
      await merger.stop();
      await writing(() => undefined);
      await changing(() => undefined);
      await new Promise<void>((resolve) => {
        abandoned = resolve;
        release(generation);
      });
    },
  };
  await recover();
  return index;
}
