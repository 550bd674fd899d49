/** Snapshots that searches hold, and what may be removed once they let go. */
import { corrupt } from "../errors.ts";
import type { Mapping } from "../mapping/types.ts";
import type { LeafReader } from "../segment/types.ts";
import type { StorageSnapshot } from "../storage/types.ts";
import { decodeRouting, routingKey, sourceKey } from "./records.ts";
import { countDocs, type LiveSegment, leavesOf } from "./segments.ts";
import type { IndexSnapshot } from "./types.ts";

/** The segments of one generation, shared by all snapshots of it. */
export interface Generation {
  readonly number: number;
  readonly segments: readonly LiveSegment[];
  readonly leaves: readonly LeafReader[];
  readonly docCount: number;
  readonly maxDoc: number;
}

export function generationOf(number: number, segments: readonly LiveSegment[]): Generation {
  return {
    number,
    segments,
    leaves: leavesOf(segments),
    docCount: countDocs(segments),
    maxDoc: segments.reduce((sum, { reader }) => sum + reader.maxDoc, 0),
  };
}

/** @param records where the sources of this moment are; @param released called once, at the first release */
export function snapshotOf(
  generation: Generation,
  uuid: string,
  records: Pick<StorageSnapshot, "get">,
  { location, mapping }: { readonly location: string; readonly mapping: Mapping },
  released: () => void,
): IndexSnapshot {
  let open = true;
  const snapshot: IndexSnapshot = {
    mapping,
    leaves: generation.leaves,
    maxDoc: generation.maxDoc,
    docCount: generation.docCount,
    source(leaf, doc) {
      const indexed = snapshot.indexed(leaf, doc);
      return indexed && mapping.keptSource(indexed);
    },
    indexed(leaf, doc) {
      const roots = leaf.segment.roots();
      if (doc < 0 || doc >= leaf.segment.maxDoc || (roots !== undefined && !roots.get(doc))) return undefined;
      const seqNo = leaf.segment.seqNo(doc);
      const source = records.get(sourceKey(uuid, seqNo));
      if (source === undefined && open) throw corrupt(location, `the source of operation ${seqNo} is missing`);
      return source;
    },
    routing(leaf, doc) {
      // Most segments have no document with one.
      if (leaf.segment.terms("_routing") === undefined) return undefined;
      const roots = leaf.segment.roots();
      if (roots !== undefined && !roots.get(doc)) return undefined;
      return decodeRouting(records.get(routingKey(uuid, leaf.segment.seqNo(doc))));
    },
    release() {
      if (!open) return;
      open = false;
      released();
    },
  };
  return snapshot;
}

/** Counts uses of generations; remembers what becomes garbage when the older ones are let go. */
export function generationUses<Garbage>() {
  const uses = new Map<number, number>();
  const waiting: { readonly below: number; readonly garbage: Garbage }[] = [];
  return {
    acquire(generation: number): void {
      uses.set(generation, (uses.get(generation) ?? 0) + 1);
    },
    release(generation: number): void {
      const left = (uses.get(generation) ?? 0) - 1;
      if (left > 0) uses.set(generation, left);
      else uses.delete(generation);
    },
    idle: (): boolean => uses.size === 0,
    /** What snapshots older than `below` may still need. */
    discard(below: number, garbage: Garbage): void {
      waiting.push({ below, garbage });
    },
    /** Takes out what no snapshot needs any more. */
    collect(): Garbage[] {
      const oldest = Math.min(Number.POSITIVE_INFINITY, ...uses.keys());
      const free: Garbage[] = [];
      while (waiting.length > 0 && waiting[0].below <= oldest) free.push(waiting.shift()!.garbage);
      return free;
    },
  };
}
