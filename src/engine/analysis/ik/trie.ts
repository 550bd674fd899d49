/**
 * A dictionary as a trie in typed arrays, small in a file and ready at once.
 *
 * Nodes are numbered in breadth-first order, the children of a node by their character: so they stand side by side, and a node needs only
 * its character, whether a word ends there, and where its children begin. In the file the beginnings are left out: they are the running
 * sum of the numbers of children.
 */

export interface Trie {
  /** Character that leads to the node. Node 0 is the root. */
  readonly chars: Uint16Array;
  /** 1 where a word ends. */
  readonly ends: Uint8Array;
  /** The children of node n are the nodes from `children[n]` to before `children[n + 1]`. */
  readonly children: Uint32Array;
  /** Child of the root by character, 0 for none: the first step is the most frequent one. */
  readonly roots: Uint32Array;
}

/** The child of a node for a character, 0 for none. */
export function child(trie: Trie, node: number, char: number): number {
  if (node === 0) return trie.roots[char];
  const { chars, children } = trie;
  let low = children[node];
  let high = children[node + 1] - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = chars[middle];
    if (found === char) return middle;
    if (found < char) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}

export function contains(trie: Trie, word: ArrayLike<number>, from: number, length: number): boolean {
  let node = 0;
  for (let i = from; i < from + length; i++) {
    node = child(trie, node, word[i]);
    if (node === 0) return false;
  }
  return trie.ends[node] === 1;
}

function withChildren(chars: Uint16Array, ends: Uint8Array, counts: ArrayLike<number>): Trie {
  const children = new Uint32Array(chars.length + 1);
  let next = 1;
  for (let node = 0; node < chars.length; node++) {
    children[node] = next;
    next += counts[node];
  }
  children[chars.length] = next;
  if (next !== chars.length) throw new RangeError("the numbers of children do not add up");
  const roots = new Uint32Array(0x10000);
  for (let node = 1; node < children[1]; node++) roots[chars[node]] = node;
  return { chars, ends, children, roots };
}

/** A trie of words, in lower case and without white space around them, as IK reads its dictionaries. */
export function buildTrie(words: Iterable<string>): Trie {
  const sorted = [...new Set([...words].map((word) => word.trim().toLowerCase()).filter((word) => word !== ""))].sort();
  // Breadth first: a queue of ranges of the sorted words that share their first `depth` characters.
  const chars: number[] = [0];
  const ends: number[] = [0];
  const counts: number[] = [];
  let level: [number, number][] = [[0, sorted.length]];
  for (let depth = 0; level.length > 0; depth++) {
    const nextLevel: [number, number][] = [];
    for (const [from, to] of level) {
      let count = 0;
      // The word that ends here sorts before those that go on.
      for (let i = sorted[from]?.length === depth ? from + 1 : from; i < to; ) {
        const char = sorted[i].charCodeAt(depth);
        let end = i + 1;
        while (end < to && sorted[end].charCodeAt(depth) === char) end++;
        chars.push(char);
        ends.push(sorted[i].length === depth + 1 ? 1 : 0);
        nextLevel.push([i, end]);
        count++;
        i = end;
      }
      counts.push(count);
    }
    level = nextLevel;
  }
  return withChildren(Uint16Array.from(chars), Uint8Array.from(ends), counts);
}

/** Size of a trie in the file, in bytes. */
export function packedSize(trie: Trie): number {
  return 4 + trie.chars.length * 4;
}

/**
 * Writes a trie: number of nodes (u32), then of all nodes the characters (u16), then the numbers of children with the end of a word as
 * the highest bit (u16). All little endian.
 */
export function packTrie(trie: Trie, view: DataView, offset: number): number {
  const count = trie.chars.length;
  view.setUint32(offset, count, true);
  let at = offset + 4;
  for (let node = 0; node < count; node++, at += 2) view.setUint16(at, trie.chars[node], true);
  for (let node = 0; node < count; node++, at += 2) {
    view.setUint16(at, (trie.children[node + 1] - trie.children[node]) | (trie.ends[node] << 15), true);
  }
  return at;
}

/** Reads what `packTrie` wrote; gives the trie and the offset behind it. */
export function unpackTrie(view: DataView, offset: number): { trie: Trie; end: number } {
  const count = view.getUint32(offset, true);
  const chars = new Uint16Array(count);
  const ends = new Uint8Array(count);
  const counts = new Uint16Array(count);
  let at = offset + 4;
  for (let node = 0; node < count; node++, at += 2) chars[node] = view.getUint16(at, true);
  for (let node = 0; node < count; node++, at += 2) {
    const value = view.getUint16(at, true);
    ends[node] = value >>> 15;
    counts[node] = value & 0x7fff;
  }
  return { trie: withChildren(chars, ends, counts), end: at };
}
