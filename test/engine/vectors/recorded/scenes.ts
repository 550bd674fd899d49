/** What is asked of a node and of the engine about vectors. Each scene begins with an index of its own. */
import { KNN_NESTED_SCENES } from "./knn-nested-scenes.ts";
import { KNN_SCENES } from "./knn-scenes.ts";
import { MAPPING_SCENES } from "./mapping-scenes.ts";
import { QUANTISED_SCENES } from "./quantised-scenes.ts";
import { SPARSE_SCENES } from "./sparse-scenes.ts";

export type Step = readonly [method: string, path: string, body?: unknown];

export interface Scene {
  readonly name: string;
  /** Paths name the index as `/vec`. */
  readonly steps: readonly Step[];
}

export const SCENES: readonly Scene[] = [
  ...MAPPING_SCENES,
  ...QUANTISED_SCENES,
  ...KNN_SCENES,
  ...KNN_NESTED_SCENES,
  ...SPARSE_SCENES,
];
