/** Documents on their way into a segment: what was written since the last one was built. */
import { createSegmentBuilder, FixedBitSet, type SegmentBuilder } from "../segment/index.ts";
import type { DocBlock } from "../segment/types.ts";

/** Documents of a block: its first nested one (or its root) up to the root. */
interface Place {
  readonly seqNo: number;
  readonly first: number;
  readonly root: number;
}

export interface WriteBuffer {
  readonly builder: SegmentBuilder;
  /** Root documents, replaced ones included. */
  readonly roots: number;
  /** Root documents that were replaced or deleted while they were here. */
  readonly dead: number;
  add(block: DocBlock): void;
  /** Deletes a document of this buffer; false when it is not here. */
  delete(id: string, seqNo: number): boolean;
  /** The documents that are alive, undefined when all are. */
  live(): FixedBitSet | undefined;
}

export function writeBuffer(): WriteBuffer {
  const builder = createSegmentBuilder();
  const places = new Map<string, Place>();
  const gone: Place[] = [];
  let roots = 0;
  return {
    builder,
    get roots() {
      return roots;
    },
    get dead() {
      return gone.length;
    },
    add(block) {
      const first = builder.docCount;
      builder.add(block);
      places.set(block.id, { seqNo: block.seqNo, first, root: builder.docCount - 1 });
      roots++;
    },
    delete(id, seqNo) {
      const place = places.get(id);
      if (place === undefined || place.seqNo !== seqNo) return false;
      places.delete(id);
      gone.push(place);
      return true;
    },
    live() {
      if (gone.length === 0) return undefined;
      const live = new FixedBitSet(builder.docCount);
      live.setRange(0, builder.docCount);
      for (const { first, root } of gone) for (let doc = first; doc <= root; doc++) live.clear(doc);
      return live;
    },
  };
}
