/** The first items of an order, without sorting them all. */

/** @param compare negative where the first comes before @returns the first `count`, in order */
export function selectTop<T>(items: ArrayLike<T> & Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  if (items.length <= Math.max(count * 2, 64)) return [...items].sort(compare).slice(0, count);
  // A heap whose top is the last of those that are kept.
  const heap: T[] = [];
  const down = (from: number) => {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const child = left + 1 < heap.length && compare(heap[left + 1], heap[left]) > 0 ? left + 1 : left;
      if (compare(heap[child], heap[at]) <= 0) return;
      [heap[at], heap[child]] = [heap[child], heap[at]];
      at = child;
    }
  };
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (heap.length < count) {
      heap.push(item);
      if (heap.length === count) for (let at = count >> 1; at >= 0; at--) down(at);
    } else if (compare(item, heap[0]) < 0) {
      heap[0] = item;
      down(0);
    }
  }
  return heap.sort(compare);
}
