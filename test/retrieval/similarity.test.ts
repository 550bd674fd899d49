import { describe, expect, it } from "vitest";
import { openEngine } from "../../src/elasticsearch/engine.ts";
import { fuse, rawSimilarity, type VectorSimilarity, vectorRetriever } from "../../src/retrieval/index.ts";
import { dslRetriever } from "../../src/retrieval/retriever.ts";

const A = [0.6, 0.8, 0];
const VECTORS = [
  [1, 0, 0],
  [0, 0.6, 0.8],
  [-0.6, -0.8, 0],
  [0.6, 0.8, 0],
];
const dot = (b: number[]) => A.reduce((sum, x, i) => sum + x * b[i]!, 0);
const expected: Record<VectorSimilarity, (b: number[]) => number> = {
  cosine: dot,
  dot_product: dot,
  max_inner_product: dot,
  l2_norm: (b) => Math.hypot(...A.map((x, i) => x - b[i]!)),
};

describe.each(Object.keys(expected) as VectorSimilarity[])("similarity %s", (similarity) => {
  it("is told as it was before the score was made of it", async () => {
    const engine = await openEngine();
    const client = engine.client();
    const field = { type: "dense_vector", dims: 3, index: true, similarity, index_options: { type: "flat" } } as const;
    await client.indices.create({ index: "v", mappings: { properties: { embedding: field } } });
    await client.bulk({
      refresh: true,
      operations: VECTORS.flatMap((embedding, i) => [{ index: { _index: "v", _id: `${i}` } }, { embedding }]),
    });
    const target = { client, index: "v", similarity };
    const question = { query: "", embedding: Float32Array.from(A) };
    const hits = await vectorRetriever(target).retrieve(question);
    expect(hits).toHaveLength(4);
    for (const hit of hits) expect(hit.similarity).toBeCloseTo(expected[similarity](VECTORS[Number(hit.node.id)]!), 5);
    const [fused] = fuse([{ name: "dense", nodes: hits }], "reciprocal_rerank");
    expect(fused).not.toHaveProperty("similarity");
    expect(fused!.ranks![0]).toMatchObject({ similarity: hits[0]!.similarity, score: hits[0]!.score });
    // A score of which vectors are only a part has no similarity; nor where nobody knows how they are compared.
    const knn = { field: "embedding", query_vector: A, k: 4, num_candidates: 4 };
    for (const [where, body] of [
      [target, { knn, query: { match_all: {} } }],
      [target, { knn: { ...knn, boost: 2 } }],
      [{ client, index: "v" }, { knn }],
    ] as const) {
      const [first] = await dslRetriever(where, () => body).retrieve("");
      expect(first).not.toHaveProperty("similarity");
    }
    await engine.close();
  });
});

it("scores and similarities are each other's", () => {
  for (const x of [-3, -0.5, 0, 0.25, 1, 7]) {
    expect(rawSimilarity(x < 0 ? 1 / (1 - x) : x + 1, "max_inner_product")).toBeCloseTo(x, 12);
    if (Math.abs(x) <= 1) expect(rawSimilarity((1 + x) / 2, "cosine")).toBeCloseTo(x, 12);
    if (x >= 0) expect(rawSimilarity(1 / (1 + x * x), "l2_norm")).toBeCloseTo(x, 12);
  }
});
