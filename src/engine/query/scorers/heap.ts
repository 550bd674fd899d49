/** A binary heap whose ties fall as in Lucene's PriorityQueue: the least entry is the first. */

export type Before<T> = (a: T, b: T) => boolean;

/** The last entry rises to its place. */
export function siftUp<T>(heap: T[], before: Before<T>): void {
  let i = heap.length - 1;
  const entry = heap[i];
  for (let parent = (i - 1) >> 1; i > 0 && before(entry, heap[parent]); parent = (i - 1) >> 1) {
    heap[i] = heap[parent];
    i = parent;
  }
  heap[i] = entry;
}

/** The first entry sinks to its place. */
export function siftDown<T>(heap: T[], before: Before<T>): void {
  const entry = heap[0];
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
    if (!before(heap[child], entry)) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = entry;
}

/** Takes the least entry out. */
export function pop<T>(heap: T[], before: Before<T>): T | undefined {
  const [least] = heap;
  const last = heap.pop();
  if (heap.length > 0 && last !== undefined) {
    heap[0] = last;
    siftDown(heap, before);
  }
  return least;
}
