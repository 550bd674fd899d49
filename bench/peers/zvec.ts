import { join } from "node:path";
import { TOP } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Collection {
  insertSync(documents: readonly object[]): readonly { ok: boolean; message: string }[];
  optimizeSync(): void;
  querySync(query: object): { id: string }[];
  closeSync(): void;
}
interface Module {
  ZVecDataType: Record<string, number>;
  ZVecIndexType: Record<string, number>;
  ZVecMetricType: Record<string, number>;
  ZVecCollectionSchema: new (options: object) => object;
  ZVecCreateAndOpen(path: string, schema: object): Collection;
  ZVecOpen(path: string, options: object): Collection;
}

export const zvec: Peer = {
  name: "zvec",
  module: "@zvec/zvec",
  settings:
    "FP32, inner product of vectors of length one, m 16, efConstruction 100, ef 100; tags in an inverted index; optimised after writing",
  kinds: ({ dims, text }) => (dims > 0 && !text ? ["kNN", "kNN, filtered"] : []),
  async create(suite, folder) {
    const lib = await load<Module>("@zvec/zvec");
    const metricType = lib.ZVecMetricType["IP"];
    const indexParams = suite.exact
      ? { indexType: lib.ZVecIndexType["FLAT"], metricType }
      : { indexType: lib.ZVecIndexType["HNSW"], metricType, m: 16, efConstruction: 100 };
    const schema = new lib.ZVecCollectionSchema({
      name: "bench",
      vectors: { name: "vector", dataType: lib.ZVecDataType["VECTOR_FP32"], dimension: suite.dims, indexParams },
      fields: {
        name: "tag",
        dataType: lib.ZVecDataType["STRING"],
        indexParams: { indexType: lib.ZVecIndexType["INVERT"] },
      },
    });
    const collection = lib.ZVecCreateAndOpen(join(folder, "collection"), schema);
    return {
      add(passages) {
        const answers = collection.insertSync(
          passages.map(({ id, tag, vector }) => ({ id: String(id), vectors: { vector }, fields: { tag } })),
        );
        const failed = answers.find(({ ok }) => !ok);
        if (failed) throw new Error(failed.message);
      },
      // It compares every vector until then.
      finish: () => collection.optimizeSync(),
      close: () => collection.closeSync(),
    };
  },
  async open(suite, folder) {
    const lib = await load<Module>("@zvec/zvec");
    const collection = lib.ZVecOpen(join(folder, "collection"), { readOnly: true });
    const params = suite.exact ? {} : { params: { indexType: lib.ZVecIndexType["HNSW"], ef: 100 } };
    return {
      prepare({ kind, vector, tag }) {
        const filter = kind === "kNN" ? {} : { filter: `tag = '${tag}'` };
        const query = { fieldName: "vector", vector: Float32Array.from(vector), topk: TOP, ...params, ...filter };
        return () => collection.querySync(query);
      },
      read: (raw) => ({ ids: (raw as { id: string }[]).map(({ id }) => Number(id)) }),
      close: () => collection.closeSync(),
    };
  },
};
