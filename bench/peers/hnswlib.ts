import { join } from "node:path";
import { TOP, tagOf } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Index {
  initIndex(most: number, m?: number, efConstruction?: number): void;
  addPoint(vector: number[], label: number): void;
  writeIndexSync(file: string): void;
  readIndexSync(file: string): void;
  setEf?(ef: number): void;
  searchKnn(vector: readonly number[], k: number, filter?: (label: number) => boolean): { neighbors: number[] };
}
interface Module {
  default: Record<"HierarchicalNSW" | "BruteforceSearch", new (space: string, dims: number) => Index>;
}

export const hnswlib: Peer = {
  name: "hnswlib",
  module: "hnswlib-node",
  settings:
    "inner product of vectors of length one (faster than its cosine), M 16, efConstruction 100, ef 100; floats; a filter is a function",
  kinds: ({ dims, text }) => (dims > 0 && !text ? ["kNN", "kNN, filtered"] : []),
  async create(suite, folder) {
    const { default: lib } = await load<Module>("hnswlib-node");
    const index = new lib[suite.exact ? "BruteforceSearch" : "HierarchicalNSW"]("ip", suite.dims);
    if (suite.exact) index.initIndex(suite.size);
    else index.initIndex(suite.size, 16, 100);
    return {
      add(passages) {
        for (const { id, vector } of passages) index.addPoint(Array.from(vector), id);
      },
      save: () => index.writeIndexSync(join(folder, "index")),
    };
  },
  async open(suite, folder) {
    const { default: lib } = await load<Module>("hnswlib-node");
    const index = new lib[suite.exact ? "BruteforceSearch" : "HierarchicalNSW"]("ip", suite.dims);
    index.readIndexSync(join(folder, "index"));
    index.setEf?.(100);
    return {
      prepare({ kind, vector, tag }) {
        if (kind === "kNN") return () => index.searchKnn(vector, TOP);
        return () => index.searchKnn(vector, TOP, (id) => tagOf(id) === tag);
      },
      read: (raw) => ({ ids: (raw as { neighbors: number[] }).neighbors }),
    };
  },
};
