/** Buffers that are full: written as segments, before a refresh names them. */
import { createSlices } from "../slices.ts";
import type { Storage } from "../storage/types.ts";
import { type LiveSegment, openReader } from "./segments.ts";
import type { WriteBuffer } from "./write-buffer.ts";

/** A buffer that takes no more documents; its segment, once that is written. */
export interface Part {
  readonly buffer: WriteBuffer;
  /** Built and not written: the disk was full. */
  chunks?: Uint8Array[];
  segment?: { readonly name: string; readonly size: number };
}

/** Builds and writes a part's segment, unless that is done. After an error it can be called again. */
export async function writePart(storage: Storage, part: Part, newName: () => string): Promise<void> {
  if (part.segment !== undefined) return;
  part.chunks ??= await part.buffer.builder.build(createSlices());
  const segment = { name: newName(), size: part.chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
  await storage.writeBlob(segment.name, part.chunks);
  part.segment = segment;
  part.chunks = undefined;
}

/** The segments of written parts, and the names of those whose documents are all gone already. */
export function openParts(storage: Storage, parts: readonly Part[]): { added: LiveSegment[]; empty: string[] } {
  const added: LiveSegment[] = [];
  const empty: string[] = [];
  for (const { buffer, segment } of parts) {
    const named = segment as { name: string; size: number };
    if (buffer.dead === buffer.roots) empty.push(named.name);
    else {
      const reader = openReader(storage, named.name);
      added.push({ ...named, reader, roots: buffer.roots, deleted: buffer.dead, live: buffer.live() });
    }
  }
  return { added, empty };
}
