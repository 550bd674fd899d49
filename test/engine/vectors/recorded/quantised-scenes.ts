/** Scores of bytes, bits, and floats that are quantised. */
import type { Scene } from "./scenes.ts";
import { create, load, search, unit, vectors } from "./support.ts";

const knn = (query_vector: unknown, more: object = {}) =>
  search({ knn: { field: "v", query_vector, k: 10, num_candidates: 200, ...more } });

const BYTES = [
  [1, 2, 3],
  [-4, 50, 6],
  [127, -128, 0],
  [0, 0, 1],
  [-1, -2, -3],
];

const bytes = (element_type: string, similarity: string, dims: number): Scene => ({
  name: `${element_type} ${similarity}`,
  steps: [
    create({ v: { type: "dense_vector", element_type, dims, similarity } }),
    load(BYTES.map((v) => ({ v }))),
    ...[
      [1, 2, 3],
      "010203",
      [1.5, 2, 3],
      [-100, 5, 127],
      [128, 1, 1],
      [128.5, 1, 1],
      [0, 0, 0],
      [1, 2],
      "0102",
      "zz",
      "abc",
      ["1", "2", "3"],
    ].map((query) => knn(query)),
    ...[-20, 0, 0.5, 20].map((least) => knn([1, 2, 3], { similarity: least })),
  ],
});

const quantised = (similarity: string, index_options: object, dims: number, count: number): Scene => {
  const form = similarity === "dot_product" ? unit : (vector: number[]) => vector;
  const [query, ...docs] = vectors(count + 1, dims, dims + count).map(form);
  return {
    name: `${similarity} ${JSON.stringify(index_options)} ${count} of ${dims}`,
    steps: [
      create({ v: { type: "dense_vector", dims, similarity, index_options } }),
      load(docs.map((v) => ({ v }))),
      knn(query),
      knn(query, { similarity: similarity === "l2_norm" ? 2 : 0.1 }),
    ],
  };
};

const SIMILARITIES = ["cosine", "dot_product", "l2_norm", "max_inner_product"];

export const QUANTISED_SCENES: readonly Scene[] = [
  ...SIMILARITIES.map((similarity) => bytes("byte", similarity, 3)),
  bytes("bit", "l2_norm", 24),
  ...SIMILARITIES.flatMap((similarity) =>
    [{ type: "int8_flat" }, { type: "int8_hnsw" }, { type: "int8_flat", confidence_interval: 1 }].flatMap((options) => [
      quantised(similarity, options, 3, 1),
      quantised(similarity, options, 8, 50),
    ]),
  ),
  quantised("cosine", { type: "int8_flat", confidence_interval: 0.92 }, 8, 30),
  ...SIMILARITIES.map((similarity) => quantised(similarity, { type: "int8_flat" }, 96, 45)),
];
