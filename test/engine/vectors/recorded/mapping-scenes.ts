/** Mappings of vectors, their updates, and documents that do not fit them. */
import type { Scene, Step } from "./scenes.ts";
import { create } from "./support.ts";

const field = (options: object): object => ({ v: { type: "dense_vector", ...options } });
const mapping: Step = ["GET", "/vec/_mapping"];
const put = (source: string): Step => ["PUT", "/vec/_doc/1?refresh=true", source];

const OPTIONS: readonly object[] = [
  {},
  { dims: 3 },
  { dims: 3, index: false },
  { element_type: "byte" },
  { element_type: "byte", dims: 3, index: false },
  { element_type: "bit", dims: 16 },
  { dims: 12, element_type: "bit" },
  { dims: 4, element_type: "bit" },
  { element_type: "bit", dims: 4104 },
  { element_type: "bit", dims: 32776 },
  { element_type: "bit", dims: 8, similarity: "cosine" },
  { element_type: "bit", dims: 8, similarity: "l2_norm", index: true },
  { element_type: "foo" },
  { dims: "5" },
  { dims: 2.5 },
  { dims: 4097 },
  { dims: 4, index_options: {} },
  { dims: 4, index_options: "hnsw" },
  { dims: 4, index_options: { type: "foo" } },
  { dims: 4, index_options: { type: "hnsw", m: 8, ef_construction: 20 } },
  { dims: 4, index_options: { type: "int8_hnsw", m: "4", ef_construction: "10", confidence_interval: "0.95" } },
  { dims: 4, index_options: { type: "int8_hnsw", m: null, confidence_interval: null } },
  { dims: 4, index_options: { type: "int8_flat", confidence_interval: 0.99 } },
  { dims: 4, index_options: { type: "int8_flat", m: 3 } },
  { dims: 4, index_options: { type: "hnsw", confidence_interval: 0.99 } },
  { dims: 4, index_options: { type: "hnsw", m: "x" } },
  { dims: 4, index_options: { type: "hnsw", m: 2.7 } },
  { dims: 4, index_options: { type: "int8_hnsw", confidence_interval: "x" } },
  { dims: 4, element_type: "byte", index_options: { type: "hnsw" } },
  { dims: 4, element_type: "byte", index_options: { type: "flat" } },
  { dims: 4, element_type: "byte", index_options: { type: "int8_hnsw" } },
  { dims: 8, element_type: "bit", index_options: { type: "int8_flat" } },
  { dims: 4, fields: { a: { type: "dense_vector", dims: 4 } } },
];

const INDEX_OPTIONS: readonly (object | undefined)[] = [
  undefined,
  { type: "flat" },
  { type: "int8_flat" },
  { type: "int8_flat", confidence_interval: 0.95 },
  { type: "hnsw" },
  { type: "hnsw", m: 32 },
  { type: "hnsw", ef_construction: 50 },
  { type: "int8_hnsw", m: 8 },
  { type: "int8_hnsw", confidence_interval: 0.95 },
];

const withOptions = (options: object | undefined) => field({ dims: 4, ...(options ? { index_options: options } : {}) });

const DOCUMENTS: readonly (readonly [object, readonly string[]])[] = [
  [
    { element_type: "byte", dims: 3 },
    [
      '{"v":[1,2,3]}',
      '{"v":[1.0,2,3]}',
      '{"v":[1.5,2,3]}',
      '{"v":[128,1,2]}',
      '{"v":[1,2,99999999999999999999]}',
      '{"v":[0,0,0]}',
      '{"v":["1",2,3]}',
      '{"v":[1,2]}',
      '{"v":[1,2,3,4]}',
      '{"v":"0a0B0c"}',
      '{"v":"0a0b"}',
      '{"v":"zz0000"}',
      '{"v":""}',
      '{"v":true}',
      '{"v":5}',
      '{"v":null}',
      '{"v":{"a":1}}',
    ],
  ],
  [{ element_type: "byte" }, ['{"v":"0a0b0c"}', '{"v":[1,2]}']],
  [{ element_type: "bit" }, ['{"v":[1,2]}', '{"v":[1]}', '{"v":[1,2,3]}', '{"v":[0,0]}', '{"v":"0a"}']],
  [{ element_type: "byte", dims: 2, similarity: "dot_product" }, ['{"v":[1,2]}', '{"v":[0,0]}']],
  [{}, ['{"v":[]}', '{"v":[1,2,3]}', '{"v":[1,2]}']],
  [{ dims: 3 }, ['{"v":[1e39,0,0]}', '{"v":[0,0,0]}', '{"v":[1e-30,0,0]}']],
  ...[
    { type: "hnsw", m: 0 },
    { type: "hnsw", m: 513 },
    { type: "int8_hnsw", ef_construction: 3201 },
    { type: "int8_hnsw", confidence_interval: 0.5 },
    { type: "int8_flat", confidence_interval: 1.1 },
  ].map((index_options): [object, string[]] => [{ dims: 2, index_options }, ['{"v":[1,2]}', '{"v":[1]}']]),
];

export const MAPPING_SCENES: readonly Scene[] = [
  ...OPTIONS.map(
    (options): Scene => ({
      name: `mapping ${JSON.stringify(options)}`,
      steps: [create(field(options)), mapping],
    }),
  ),
  ...INDEX_OPTIONS.flatMap((from) =>
    INDEX_OPTIONS.map(
      (to): Scene => ({
        name: `from ${JSON.stringify(from)} to ${JSON.stringify(to)}`,
        steps: [create(withOptions(from)), ["PUT", "/vec/_mapping", { properties: withOptions(to) }], mapping],
      }),
    ),
  ),
  ...DOCUMENTS.map(
    ([options, sources]): Scene => ({
      name: `documents of ${JSON.stringify(options)}`,
      steps: [create(field(options)), ...sources.map(put), mapping],
    }),
  ),
];
