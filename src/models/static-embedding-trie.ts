/** A trie over UTF-16 codes in typed arrays: an open-addressing table from (node, code) to the child node. */

export interface HanTrie {
  /** Entry of a node, or -1 for a mere prefix. Node 0 is the root. */
  readonly ids: Int32Array;
  /** The child of a node, or -1. */
  child(node: number, code: number): number;
}

const FIRST_CODES = 65_536;

export function hanTrie(entries: readonly (readonly [string, number])[]): HanTrie {
  let characters = 1;
  for (const [entry] of entries) characters += entry.length;
  // Half empty at most where every character but the entries' first makes a node.
  const capacity = 2 ** Math.ceil(Math.log2(2 * (characters - entries.length) + 2));
  const mask = capacity - 1;
  const parents = new Int32Array(capacity).fill(-1);
  const codes = new Uint16Array(capacity);
  const children = new Int32Array(capacity);
  // The root has thousands of children and is asked at every position: it gets a table of its own.
  const roots = new Int32Array(FIRST_CODES).fill(-1);
  const ids = new Int32Array(characters).fill(-1);
  let nodes = 1;

  function slot(node: number, code: number): number {
    let at = (Math.imul(node, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) >>> 7;
    for (at &= mask; parents[at] !== -1; at = (at + 1) & mask) {
      if (parents[at] === node && codes[at] === code) return at;
    }
    return at;
  }

  function grow(node: number, code: number): number {
    if (node === 0) {
      if (roots[code]! < 0) roots[code] = nodes++;
      return roots[code]!;
    }
    const at = slot(node, code);
    if (parents[at] === -1) {
      parents[at] = node;
      codes[at] = code;
      children[at] = nodes++;
    }
    return children[at]!;
  }

  for (const [entry, id] of entries) {
    let node = 0;
    for (let i = 0; i < entry.length; i++) node = grow(node, entry.charCodeAt(i));
    ids[node] = id;
  }

  return {
    ids: ids.slice(0, nodes),
    child(node, code) {
      if (node === 0) return roots[code]!;
      const at = slot(node, code);
      return parents[at] === -1 ? -1 : children[at]!;
    },
  };
}
