/** The best groups so far, the worst of them on top: a heap in which a group moves when a better document of it comes. */
import type { SortValue } from "../sort/index.ts";

export interface GroupHead {
  readonly group: string | undefined;
  /** In the snapshot's order. */
  readonly doc: number;
  /** NaN where nobody asked for it. */
  readonly score: number;
  readonly values: readonly SortValue[];
  /** Its place in the heap. */
  at: number;
}

export class GroupHeap {
  readonly #k: number;
  readonly #compare: (a: GroupHead, b: GroupHead) => number;
  readonly #heap: GroupHead[] = [];
  readonly #groups = new Map<string | undefined, GroupHead>();

  /** @param compare below 0 when the first one is better */
  constructor(k: number, compare: (a: GroupHead, b: GroupHead) => number) {
    this.#k = k;
    this.#compare = compare;
  }

  /** Whether a document with these values is looked at: there is room, or it is better than the worst group's best. */
  accepts(better: (worst: GroupHead) => boolean): boolean {
    return this.#heap.length < this.#k || (this.#k > 0 && better(this.#heap[0]));
  }

  offer(head: GroupHead): void {
    if (this.#k === 0) return;
    const known = this.#groups.get(head.group);
    if (known !== undefined) {
      if (this.#compare(head, known) >= 0) return;
      this.#put(head, known.at);
      this.#down(head);
      return;
    }
    if (this.#heap.length < this.#k) {
      this.#put(head, this.#heap.length);
      this.#up(head);
      return;
    }
    const worst = this.#heap[0];
    if (this.#compare(head, worst) >= 0) return;
    this.#groups.delete(worst.group);
    this.#put(head, 0);
    this.#down(head);
  }

  /** Best first. */
  sorted(): GroupHead[] {
    return [...this.#heap].sort(this.#compare);
  }

  #put(head: GroupHead, at: number): void {
    this.#heap[at] = head;
    head.at = at;
    this.#groups.set(head.group, head);
  }

  #up(head: GroupHead): void {
    for (let at = head.at; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (this.#compare(this.#heap[parent], head) > 0) break;
      this.#put(this.#heap[parent], at);
      this.#put(head, parent);
      at = parent;
    }
  }

  #down(head: GroupHead): void {
    const heap = this.#heap;
    for (let at = head.at; ; ) {
      let child = 2 * at + 1;
      if (child >= heap.length) return;
      if (child + 1 < heap.length && this.#compare(heap[child + 1], heap[child]) > 0) child++;
      if (this.#compare(head, heap[child]) > 0) return;
      this.#put(heap[child], at);
      this.#put(head, child);
      at = child;
    }
  }
}
