/**
 * How much work is done, counted where a test asks for it: a guard against searches that get slower, which is the same on every machine and
 * under every load. What counts looks here once for a block, a step or a vector, never for a document.
 */
export interface Work {
  /** Entries of postings that were decoded, whole blocks at once. */
  postings: number;
  /** Blocks of which positions were opened. */
  positionBlocks: number;
  /** Blocks whose best score was computed, which is what skipping a block costs. */
  bounds: number;
  /** Documents that were scored. */
  scored: number;
  /** Vectors that were compared with a query. */
  vectors: number;
  /** Bytes of segments that were read. */
  bytes: number;
  /** Records that were read from the storage by their keys. */
  records: number;
}

/** Undefined: nothing is counted. */
export let counted: Work | undefined;

/** What is done until `run` has ended. Other work at the same time counts too. */
export async function countWork(run: () => unknown): Promise<Work> {
  const work: Work = { postings: 0, positionBlocks: 0, bounds: 0, scored: 0, vectors: 0, bytes: 0, records: 0 };
  counted = work;
  try {
    await run();
  } finally {
    counted = undefined;
  }
  return work;
}
