/** Buffers that are full: written as segments, before a refresh names them. */
import { type DocSort, FixedBitSet, mergeSegments, openSegment, sortedDocs } from "../segment/index.ts";
import { createSlices } from "../slices.ts";
import type { Storage } from "../storage/types.ts";
import { type LiveSegment, openReader } from "./segments.ts";
import type { WriteBuffer } from "./write-buffer.ts";

/** A buffer that takes no more documents; its segment, once that is written. */
export interface Part {
  readonly buffer: WriteBuffer;
  /** Built and not written: the disk was full. */
  chunks?: Uint8Array[];
  /** In a sorted index: where the buffer's documents stand in the segment. */
  docMap?: Uint32Array;
  segment?: { readonly name: string; readonly size: number };
}

/** Builds and writes a part's segment, unless that is done. After an error it can be called again. */
export async function writePart(
  storage: Storage,
  part: Part,
  newName: () => string,
  sort: DocSort | undefined,
): Promise<void> {
  if (part.segment !== undefined) return;
  if (part.chunks === undefined) {
    const built = await part.buffer.builder.build(createSlices());
    part.chunks = sort === undefined ? built : await inOrder(built, sort, part, storage);
  }
  const segment = { name: newName(), size: part.chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
  await storage.writeBlob(segment.name, part.chunks);
  part.segment = segment;
  part.chunks = undefined;
}

/** The same documents in the order of a sorted index; deleted ones stay among them. */
async function inOrder(chunks: readonly Uint8Array[], sort: DocSort, part: Part, storage: Storage) {
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  const segment = openSegment("unsorted", {
    size: bytes.length,
    read: (offset, length) => bytes.slice(offset, offset + length),
    crc32: (of) => storage.crc32(of),
    location: "unsorted",
  });
  const leaves = [{ segment, live: undefined }];
  const order = sortedDocs(leaves, sort);
  [part.docMap] = order.maps;
  return await mergeSegments(leaves, createSlices(), order);
}

/** The documents that are alive, where they stand in the segment. */
function liveOf({ buffer, docMap }: Part): FixedBitSet | undefined {
  const live = buffer.live();
  if (live === undefined || docMap === undefined) return live;
  const moved = new FixedBitSet(docMap.length);
  docMap.forEach((doc, old) => {
    if (live.get(old)) moved.set(doc);
  });
  return moved;
}

/** The segments of written parts, and the names of those whose documents are all gone already. */
export function openParts(storage: Storage, parts: readonly Part[]): { added: LiveSegment[]; empty: string[] } {
  const added: LiveSegment[] = [];
  const empty: string[] = [];
  for (const part of parts) {
    const { buffer, segment } = part;
    const named = segment as { name: string; size: number };
    if (buffer.dead === buffer.roots) empty.push(named.name);
    else {
      const reader = openReader(storage, named.name);
      added.push({ ...named, reader, roots: buffer.roots, deleted: buffer.dead, live: liveOf(part) });
    }
  }
  return { added, empty };
}
