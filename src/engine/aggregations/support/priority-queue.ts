/**
 * Lucene's PriorityQueue: the first `size` of what is offered. Which of equal ones stay, and in which order, follows from how the heap moves
 * them, which Elasticsearch's answers show.
 */
export interface PriorityQueue<T> {
  offer(item: T): void;
  /** All that was kept, the best first. */
  drain(): T[];
}

/** @param worse true when `a` is to leave before `b` */
export function priorityQueue<T>(size: number, worse: (a: T, b: T) => boolean): PriorityQueue<T> {
  // The heap begins at 1; its top is what leaves next.
  const heap: T[] = [];
  let count = 0;
  const up = () => {
    let at = count;
    const item = heap[at];
    for (let parent = at >>> 1; parent > 0 && worse(item, heap[parent]); parent >>>= 1) {
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = item;
  };
  const childOf = (at: number) => {
    const left = at << 1;
    return left + 1 <= count && worse(heap[left + 1], heap[left]) ? left + 1 : left;
  };
  const down = () => {
    let at = 1;
    const item = heap[at];
    for (let child = childOf(at); child <= count && worse(heap[child], item); child = childOf(at)) {
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = item;
  };
  return {
    offer(item) {
      if (count < size) {
        heap[++count] = item;
        up();
      } else if (count > 0 && worse(heap[1], item)) {
        heap[1] = item;
        down();
      }
    },
    drain() {
      const kept: T[] = [];
      while (count > 0) {
        kept.unshift(heap[1]);
        heap[1] = heap[count--];
        if (count > 0) down();
      }
      return kept;
    },
  };
}
