/** Random vectors, and queries for the nearest that find them all, so that answers are the same to the last hit. */
import type { Random } from "./random.ts";
import type { Field, Json, JsonMap, World } from "./world.ts";

/** Fields of vectors, of floats, bytes and bits. Few vectors are searched one by one, whatever the type of index. */
export function vectorMapping(random: Random): JsonMap {
  const element = random.pick(["float", "float", "byte", "bit"]);
  const mapping: JsonMap = { type: "dense_vector", dims: element === "bit" ? 8 * random.int(1, 2) : random.int(2, 4) };
  if (element !== "float") mapping.element_type = element;
  if (element !== "bit") mapping.similarity = random.pick(["cosine", "dot_product", "l2_norm", "max_inner_product"]);
  if (element === "float" || random.oneIn(2)) mapping.index_options = { type: random.pick(["hnsw", "flat"]) };
  return mapping;
}

export function vectorOf(random: Random, { mapping }: Field): number[] {
  const dims = Number(mapping.dims);
  if (mapping.element_type === "bit") return Array.from({ length: dims / 8 }, () => random.int(-128, 127));
  if (mapping.element_type === "byte") return Array.from({ length: dims }, () => random.int(-128, 127) || 1);
  const raw = Array.from({ length: dims }, () => random.int(-4, 4) / 2 || 0.5);
  if (mapping.similarity !== "dot_product") return raw;
  const length = Math.hypot(...raw);
  return raw.map((part) => part / length);
}

/** A knn clause. @param filter makes a query for what it may find */
export function knnOf(random: Random, fields: readonly Field[], filter: () => Json): JsonMap {
  const field = random.pick(fields);
  const knn: JsonMap = { field: field.name, query_vector: vectorOf(random, field) };
  if (!random.oneIn(4)) knn.k = random.int(1, 10);
  // Whom a walk over a graph meets that keeps few candidates is a matter of luck, in either engine: a flat index looks at all vectors.
  const all = (field.mapping.index_options as JsonMap | undefined)?.type === "flat";
  if (!random.oneIn(4)) knn.num_candidates = random.pick(all ? [10, 20, 100] : [60, 80, 100]);
  // Left out it is half as much again as k.
  else if (!all) knn.k = 40;
  if (random.oneIn(30)) knn.query_vector = [1];
  if (random.oneIn(3)) knn.filter = random.oneIn(3) ? [filter(), filter()] : filter();
  if (random.oneIn(4)) knn.boost = random.pick([0.5, 2]);
  if (random.oneIn(4)) knn.similarity = random.pick([0.1, 0.5, 2]);
  return knn;
}

export const vectorFields = ({ fields }: World, nested?: string): readonly Field[] =>
  fields.filter((field) => field.type === "dense_vector" && field.nested === nested);
