/** Documents for callers from outside: found by name within what they may see, listed in pages, read in pages. */
import { joinPassages } from "../collection/document.ts";
import type { Collection, StoredDocument } from "../collection/types.ts";
import { type CallOptions, callOptions, HuiliuError, type Metadata } from "../schema/index.ts";

/** Characters of a document that one page has at most. */
export const PAGE_CHARACTERS = 20_000;

/** The document is not there, or not for this caller. Code `NOT_FOUND`. */
export class DocumentNotFoundError extends HuiliuError {
  constructor(
    readonly document: string,
    readonly collection: string,
  ) {
    super(
      "NOT_FOUND",
      `there is no document "${document}" in the collection "${collection}": name a file as search and list show it, or a document's id`,
    );
  }
}

/** A document with those of its passages that may be seen. @throws DocumentNotFoundError when there are none */
export async function readVisible(
  collection: Collection,
  document: string,
  visible: (metadata: Metadata) => boolean,
  call: CallOptions,
): Promise<StoredDocument> {
  const found = await collection.get(document, callOptions(call));
  const nodes = found?.nodes.filter(({ metadata }) => visible(metadata)) ?? [];
  if (!found || (nodes.length === 0 && found.nodes.length > 0))
    throw new DocumentNotFoundError(document, collection.name);
  return nodes.length === found.nodes.length ? found : { ...found, nodes, text: joinPassages(nodes) };
}

/** Where a page that begins at `from` ends: between two characters, not within one. */
export function pageEnd(text: string, from: number, size = PAGE_CHARACTERS): number {
  const end = Math.min(text.length, from + size);
  const code = text.charCodeAt(end - 1);
  return end < text.length && end - from > 1 && code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
