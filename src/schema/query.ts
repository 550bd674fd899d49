/** A question and what is known about it. */

import { InvalidArgumentError } from "./errors.ts";
import type { Filters } from "./filters.ts";

/** A question: its text, and where they differ what is embedded, an image, a vector, filters. */
export interface QueryBundle {
  /** The question, as it is matched against text and shown to models. */
  query: string;
  /** Texts embedded in its place (the mean of their vectors counts); an empty list embeds nothing. */
  embeddingTexts?: string[];
  /** A vector already made; nothing is embedded then. */
  embedding?: Float32Array | number[];
  /** An image that is asked with, for retrievers that embed images. */
  imagePath?: string;
  /** Restricts the nodes that may be found, beside the retriever's own filters. */
  filters?: Filters;
}

/** Either form of a question as a bundle. Called once, where a question comes in. */
export function queryBundle(query: string | QueryBundle): QueryBundle {
  if (typeof query === "string") return { query };
  if (typeof query === "object" && query !== null && typeof query.query === "string") return query;
  throw new InvalidArgumentError("query", query, "a query is a string or an object with a `query` string");
}
