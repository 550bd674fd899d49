/** Searching and counting. */
import { unsupported } from "../errors.ts";
import type { Action, Call } from "./call.ts";

export const search: Action = () => {
  throw unsupported("_search");
};

export const count: Action = () => {
  throw unsupported("_count");
};

export function countOf(_call: Call): () => Promise<number> {
  throw unsupported("_count");
}
