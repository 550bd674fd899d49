import { confirmed } from "../scorers/index.ts";
import type { Scorer } from "../types.ts";

/** Whether a scorer matches a document, asked of ascending documents. */
export function filterAt(scorer: Scorer | undefined): (doc: number) => boolean {
  if (!scorer) return () => false;
  const walk = confirmed(scorer);
  return (doc) => {
    if (walk.docID() < doc) walk.advance(doc);
    return walk.docID() === doc;
  };
}
