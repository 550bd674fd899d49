/**
 * Reads an LMDB file without LMDB and says whether its structure holds. LMDB trusts its file: a damaged page number, length or offset makes it
 * read outside its memory map, and the process is gone. So the file is looked at before LMDB opens it: the meta pages, the free list and all
 * branch pages always, leaf pages unless they are very many, the values in small files only. verify() looks at everything.
 *
 * The layout is that of LMDB 0.9.90 (data version 2): pages with a header of 24 bytes (page number, transaction, flags at 18, lower and upper
 * bound of the free space at 20 and 22), two meta pages written in turns, a tree of records and a tree of free pages.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const HEADER = 24;
const NODE_HEADER = 8;
const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const BRANCH = 1;
const LEAF = 2;
const OVERFLOW = 4;
const META = 8;
const BIG_DATA = 1;
const NO_PAGE = 0xffffffffffffffffn;
/** So many leaf pages are looked at when only the structure is asked for: 8,000 take about a tenth of a second. */
const LEAVES = 8_000;
/** Size of MDB_db; both trees lie one after the other in a meta page, after magic, version, address and map size. */
const TREE = 48;
const TREES_AT = HEADER + 24;

export interface LmdbFileCheck {
  /** What is wrong, each with its place in the file; empty when nothing is. */
  readonly problems: readonly string[];
  /** Records seen (full checks only). */
  readonly records: number;
}

export interface LmdbCheckOptions {
  /** How far down: to the leaves (without them when there are more than `LEAVES`), or to each value. */
  depth: "leaves" | "values";
  /** With depth "values": gets every record; what it returns is wrong with it. */
  record?: (key: Uint8Array, value: Uint8Array) => string | undefined;
  /** Called every few hundred pages: lets other work run. */
  pause?: () => Promise<void>;
}

interface Tree {
  depth: number;
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
  root: bigint;
}

interface Meta {
  pageSize: number;
  lastPage: number;
  transaction: bigint;
  free: Tree;
  main: Tree;
}

class Damage extends Error {}

/** Checks with pauses. The caller makes sure that no page of the newest state is reused meanwhile (by holding a read transaction). */
export async function checkLmdbFile(path: string, options: LmdbCheckOptions): Promise<LmdbFileCheck> {
  const steps = walk(path, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await options.pause?.();
  }
}

/** The same in one go, for opening. */
export function checkLmdbFileSync(path: string, options: Omit<LmdbCheckOptions, "pause">): LmdbFileCheck {
  const steps = walk(path, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

function* walk(path: string, options: LmdbCheckOptions): Generator<void, LmdbFileCheck> {
  const file = openSync(path, "r");
  const problems: string[] = [];
  let records = 0;
  try {
    const size = fstatSync(file).size;
    const meta = newestMeta(file, size);
    const { pageSize } = meta;
    const pages = Math.floor(size / pageSize);
    const used = new Set<number>();
    const place = (page: number) => `page ${page} (at byte ${page * pageSize})`;

    const readPages = (page: number, count: number): Buffer => {
      if (!Number.isSafeInteger(page) || page < 2 || page + count - 1 > meta.lastPage) {
        throw new Damage(`a reference to page ${page} of ${meta.lastPage + 1}`);
      }
      if (page + count > pages) throw new Damage(`the file is cut short: ${place(page)} is missing`);
      const bytes = Buffer.allocUnsafe(count * pageSize);
      if (readSync(file, bytes, 0, bytes.length, page * pageSize) !== bytes.length) {
        throw new Damage(`the file is cut short: ${place(page)} cannot be read`);
      }
      return bytes;
    };
    const claim = (page: number) => {
      if (used.has(page)) throw new Damage(`${place(page)} is used twice`);
      used.add(page);
    };

    /** One tree, depth first; `visit` gets the records of leaves. Damage below one page is noted and the walk goes on beside it. */
    function* walkTree(
      tree: Tree,
      depth: "branches" | "leaves" | "values",
      integerKeys: boolean,
      visit: (key: Buffer, value: Buffer, at: string) => void,
    ): Generator<void> {
      if (tree.root === NO_PAGE) {
        if (tree.entries !== 0) problems.push(`a tree without root that counts ${tree.entries} records`);
        return;
      }
      let branches = 0;
      let leaves = 0;
      let overflow = 0;
      let entries = 0;
      let seen = 0;
      let sound = true;
      const compare = (a: Buffer, b: Buffer) =>
        integerKeys ? Number(a.readBigUInt64LE(0) - b.readBigUInt64LE(0)) : Buffer.compare(a, b);
      const stack: { page: number; level: number; low: Buffer | undefined; high: Buffer | undefined }[] = [
        { page: Number(tree.root), level: 1, low: undefined, high: undefined },
      ];
      while (stack.length > 0) {
        const { page, level, low, high } = stack.pop() as (typeof stack)[number];
        const isLeaf = level === tree.depth;
        if (isLeaf && depth === "branches") {
          leaves++;
          if (page < 2 || page > meta.lastPage || page >= pages) {
            problems.push(`a leaf at ${place(page)}, outside the ${pages} pages of the file`);
            sound = false;
          }
          continue;
        }
        if (++seen % 256 === 0) yield;
        try {
          const bytes = readPages(page, 1);
          claim(page);
          if (bytes.readBigUInt64LE(0) !== BigInt(page)) throw new Damage(`${place(page)} bears another number`);
          if (bytes.readBigUInt64LE(8) > meta.transaction)
            throw new Damage(`${place(page)} is of a transaction to come`);
          const flags = bytes.readUInt16LE(18);
          if (flags !== (isLeaf ? LEAF : BRANCH))
            throw new Damage(`${place(page)} is not a ${isLeaf ? "leaf" : "branch"} page`);
          const lower = bytes.readUInt16LE(20);
          const upper = bytes.readUInt16LE(22);
          if (lower % 2 !== 0 || lower > upper || upper > pageSize - HEADER || lower === 0) {
            throw new Damage(`${place(page)} has impossible bounds`);
          }
          const count = lower >>> 1;
          const children: typeof stack = [];
          let previous: Buffer | undefined;
          for (let i = 0; i < count; i++) {
            const node = bytes.readUInt16LE(HEADER + 2 * i) + HEADER;
            if (node < HEADER + upper || node + NODE_HEADER > pageSize)
              throw new Damage(`${place(page)} has an impossible offset`);
            const keySize = bytes.readUInt16LE(node + 6);
            const data = node + NODE_HEADER + keySize;
            if (data > pageSize) throw new Damage(`${place(page)} has an impossible key`);
            const key = bytes.subarray(node + NODE_HEADER, data);
            // The first key of a branch page is not stored: it stands for everything below the second.
            const hasKey = isLeaf || i > 0;
            if (hasKey) {
              if (integerKeys ? keySize !== 8 : keySize === 0) throw new Damage(`${place(page)} has an impossible key`);
              if (
                (previous !== undefined && compare(previous, key) >= 0) ||
                (low !== undefined && compare(key, low) < 0) ||
                (high !== undefined && compare(key, high) >= 0)
              ) {
                throw new Damage(`${place(page)} has keys out of order`);
              }
              previous = key;
            }
            if (!isLeaf) {
              const child =
                bytes.readUInt16LE(node) +
                bytes.readUInt16LE(node + 2) * 0x10000 +
                bytes.readUInt16LE(node + 4) * 2 ** 32;
              if (i > 0) children[i - 1].high = key;
              children.push({ page: child, level: level + 1, low: i > 0 ? key : low, high });
              continue;
            }
            entries++;
            const nodeFlags = bytes.readUInt16LE(node + 4);
            const length = bytes.readUInt32LE(node);
            if (nodeFlags === 0) {
              if (data + length > pageSize) throw new Damage(`${place(page)} has an impossible length`);
              visit(key, bytes.subarray(data, data + length), place(page));
            } else if (nodeFlags === BIG_DATA) {
              if (data + 8 > pageSize) throw new Damage(`${place(page)} has an impossible length`);
              const first = Number(bytes.readBigUInt64LE(data));
              const span = Math.floor((HEADER - 1 + length) / pageSize) + 1;
              if (!Number.isSafeInteger(first) || first < 2 || first + span - 1 > meta.lastPage) {
                throw new Damage(`${place(page)} refers to page ${first} of ${meta.lastPage + 1}`);
              }
              if (first + span > pages) throw new Damage(`the file is cut short: ${place(first)} is missing`);
              for (let p = first; p < first + span; p++) claim(p);
              overflow += span;
              if (depth !== "values") continue;
              const value = readPages(first, span);
              seen += span;
              if (
                value.readBigUInt64LE(0) !== BigInt(first) ||
                value.readUInt16LE(18) !== OVERFLOW ||
                value.readUInt32LE(20) !== span
              ) {
                throw new Damage(`${place(first)} is not the long value that ${place(page)} points to`);
              }
              visit(key, value.subarray(HEADER, HEADER + length), place(first));
            } else throw new Damage(`${place(page)} has unknown node flags`);
          }
          if (isLeaf) leaves++;
          else {
            branches++;
            stack.push(...children.reverse());
          }
        } catch (error) {
          if (!(error instanceof Damage)) throw error;
          problems.push(error.message);
          sound = false;
        }
      }
      if (!sound) return;
      if (branches !== tree.branchPages || leaves !== tree.leafPages) {
        problems.push(`a tree of ${branches} + ${leaves} pages that counts ${tree.branchPages} + ${tree.leafPages}`);
      } else if (depth !== "branches" && (entries !== tree.entries || overflow !== tree.overflowPages)) {
        problems.push(`a tree of ${entries} records that counts ${tree.entries}`);
      }
    }

    const free = new Set<number>();
    yield* walkTree(meta.free, "values", true, (_key, value, at) => {
      const count = value.length >= 8 ? Number(value.readBigInt64LE(0)) : -1;
      if (count < 0 || (count + 1) * 8 > value.length) throw new Damage(`${at} holds an impossible list of free pages`);
      // An entry is a page, 0 (room for growth), or the negative length of a run and then its first page.
      for (let i = 1; i <= count; i++) {
        const entry = Number(value.readBigInt64LE(i * 8));
        if (entry === 0) continue;
        const first = entry > 0 ? entry : ++i <= count ? Number(value.readBigInt64LE(i * 8)) : 0;
        const end = entry > 0 ? first + 1 : first - entry;
        if (first < 2 || end > meta.lastPage + 1) throw new Damage(`${at} holds an impossible free page`);
        for (let page = first; page < end; page++) {
          if (free.has(page)) throw new Damage(`${at} lists a free page twice`);
          free.add(page);
        }
      }
    });
    const depth = options.depth === "leaves" && meta.main.leafPages > LEAVES ? "branches" : options.depth;
    yield* walkTree(meta.main, depth, false, (key, value, at) => {
      records++;
      const problem = options.record?.(key, value);
      if (problem !== undefined) problems.push(`${at}: ${problem}`);
    });
    for (const page of used) {
      if (free.has(page)) {
        problems.push(`${place(page)} is in use and listed as free`);
        break;
      }
    }
    // The end of the file may be missing only where it is free.
    for (let page = pages; page <= meta.lastPage && problems.length === 0; page++) {
      if (!free.has(page)) problems.push(`the file is cut short: ${place(page)} is missing`);
    }
  } catch (error) {
    if (!(error instanceof Damage)) throw error;
    problems.push(error.message);
  } finally {
    closeSync(file);
  }
  return { problems, records };
}

/** True for a file that LMDB made and never wrote a transaction to, or had not finished making. */
export function neverCommitted(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    try {
      return newestMeta(file, size).transaction === 0n;
    } catch (error) {
      if (error instanceof Damage) return size < 8192;
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

function newestMeta(file: number, size: number): Meta {
  const first = Buffer.alloc(HEADER + 24 + 2 * TREE + 24);
  if (readSync(file, first, 0, first.length, 0) !== first.length) throw new Damage(`the file ends after ${size} bytes`);
  const pageSize = first.readUInt32LE(TREES_AT);
  if (![4096, 8192, 16384, 32768, 65536].includes(pageSize))
    throw new Damage(`a page size of ${pageSize} bytes in the first page`);
  if (size < 2 * pageSize) throw new Damage(`the file ends after ${size} bytes`);
  const second = Buffer.alloc(first.length);
  readSync(file, second, 0, second.length, pageSize);
  const metas = [first, second].map((bytes, slot): Meta => {
    const at = `the meta page ${slot}`;
    if (bytes.readUInt16LE(18) !== META || bytes.readUInt32LE(HEADER) !== MAGIC)
      throw new Damage(`${at} is not one of an LMDB file`);
    if (bytes.readUInt32LE(HEADER + 4) !== DATA_VERSION)
      throw new Damage(`${at} has data version ${bytes.readUInt32LE(HEADER + 4)}`);
    if (bytes.readBigUInt64LE(0) !== BigInt(slot) || bytes.readUInt32LE(TREES_AT) !== pageSize)
      throw new Damage(`${at} contradicts itself`);
    const rest = TREES_AT + 2 * TREE;
    return {
      pageSize,
      free: readTree(bytes, TREES_AT, at),
      main: readTree(bytes, TREES_AT + TREE, at),
      lastPage: Number(bytes.readBigUInt64LE(rest)),
      transaction: bytes.readBigUInt64LE(rest + 8),
    };
  });
  // Transactions write the two in turns, so their numbers follow each other (a new file has 0 in both).
  const [even, odd] = metas.map((meta) => meta.transaction);
  const distance = even > odd ? even - odd : odd - even;
  const fresh = even === 0n && odd === 0n;
  if (!fresh && (distance !== 1n || even % 2n !== 0n))
    throw new Damage(`the meta pages are of transactions ${even} and ${odd}`);
  const newest = metas[odd > even ? 1 : 0];
  if (!Number.isSafeInteger(newest.lastPage) || newest.lastPage < 1)
    throw new Damage("an impossible last page in a meta page");
  return newest;
}

function readTree(bytes: Buffer, at: number, place: string): Tree {
  const tree = {
    depth: bytes.readUInt16LE(at + 6),
    branchPages: Number(bytes.readBigUInt64LE(at + 8)),
    leafPages: Number(bytes.readBigUInt64LE(at + 16)),
    overflowPages: Number(bytes.readBigUInt64LE(at + 24)),
    entries: Number(bytes.readBigUInt64LE(at + 32)),
    root: bytes.readBigUInt64LE(at + 40),
  };
  if (tree.depth > 32 || (tree.root === NO_PAGE) !== (tree.depth === 0))
    throw new Damage(`${place} has a tree of ${tree.depth} levels`);
  return tree;
}
