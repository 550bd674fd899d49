/** What transformations made of nodes, so that nothing is done twice: for splitters, and above all for models. */
import { type Document, type Node, type NodeJson, nodeFromJson, nodeToJson, sha256 } from "../schema/index.ts";

/** Keeps what a transformation made of nodes, so that the same work is not done twice. */
export interface IngestionCache {
  get(key: string): Promise<Node[] | undefined>;
  put(key: string, nodes: readonly Node[]): Promise<void>;
}

/** A cache in memory that can be written to a file and read again. */
export interface MemoryIngestionCache extends IngestionCache {
  readonly size: number;
  clear(): void;
  /** For a file; `memoryIngestionCache` takes it back. */
  toJson(): Record<string, NodeJson[]>;
}

/**
 * Makes a cache in memory, from its JSON where that is given.
 *
 * @example const cache = memoryIngestionCache(JSON.parse(await readFile("cache.json", "utf8")));
 */
export function memoryIngestionCache(json: Record<string, NodeJson[]> = {}): MemoryIngestionCache {
  const entries = new Map(Object.entries(json));
  return {
    get size() {
      return entries.size;
    },
    async get(key) {
      return entries.get(key)?.map((item) => nodeFromJson(item) as Node);
    },
    async put(key, nodes) {
      entries.set(
        key,
        nodes.map((node) => nodeToJson(node)),
      );
    },
    clear: () => entries.clear(),
    toJson: () => Object.fromEntries(entries),
  };
}

/** The same for the same nodes and the same transformation. */
export function cacheKey(nodes: readonly (Node | Document)[], transformation: string): string {
  return sha256(JSON.stringify([transformation, nodes.map((node) => nodeToJson(node))]));
}
