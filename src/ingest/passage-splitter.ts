/** The splitter that is used when none is chosen: whole sentences, sizes in tokens, sections respected. */
import {
  codePoints,
  type Document,
  InvalidArgumentError,
  type Metadata,
  nodeHash,
  type RelatedNode,
  relatedNode,
  type Splitter,
  type TextNode,
  type Tokenizer,
  textNode,
} from "../schema/index.ts";
import type { Span } from "./characters.ts";
import { eachPassage } from "./passages.ts";
import { placeFinder } from "./places.ts";
import { timeSlices } from "./slices.ts";
import { cl100kTokenizer } from "./tokenizer.ts";

/** How a collection cuts documents into passages. Sizes are tokens. */
export interface PassageSplitterOptions {
  /** Tokens of a passage at most. Default 256. */
  chunkSize?: number;
  /** Tokens that neighbours share, in whole sentences, about. Default 50, or a fifth of a smaller `chunkSize`. */
  chunkOverlap?: number;
  /** Default cl100k_base, which counts as OpenAI's models do. */
  tokenizer?: Tokenizer;
}

const CHUNK_SIZE = 256;
const CHUNK_OVERLAP = 50;

/**
 * Makes a splitter that packs whole sentences, Chinese and English, into passages. A new heading begins a new passage unless what stands
 * before it is tiny. Passages know their `heading`, `headingPath`, `page` (in their metadata), neighbours and place.
 *
 * @throws InvalidArgumentError for sizes that are not whole numbers, or an overlap that is not below the size
 * @example const nodes = await passageSplitter({ chunkSize: 512 }).split(document({ text }));
 */
export function passageSplitter(options: PassageSplitterOptions = {}): Splitter {
  const { chunkSize = CHUNK_SIZE } = options;
  if (!Number.isInteger(chunkSize) || chunkSize < 1) {
    throw new InvalidArgumentError("chunkSize", chunkSize, "chunkSize must be a whole number of tokens, at least 1");
  }
  const { chunkOverlap = Math.min(CHUNK_OVERLAP, Math.floor(chunkSize / 5)) } = options;
  if (!Number.isInteger(chunkOverlap) || chunkOverlap < 0 || chunkOverlap >= chunkSize) {
    throw new InvalidArgumentError(
      "chunkOverlap",
      chunkOverlap,
      `chunkOverlap must be a whole number of tokens from 0 to below chunkSize (${chunkSize})`,
    );
  }
  return {
    async split(document, { signal } = {}) {
      signal?.throwIfAborted();
      const tokenizer = options.tokenizer ?? (await cl100kTokenizer());
      const pause = timeSlices(signal);
      const limits = { size: chunkSize, overlap: chunkOverlap, count: (text: string) => tokenizer.count(text) };
      const spans: Span[] = [];
      for (const span of eachPassage(document.text, document.sections ?? [], limits)) {
        spans.push(span);
        await pause();
      }
      return linked(document, spans, pause);
    },
  };
}

/** The nodes of the passages, each with its place and its neighbours. */
async function linked(document: Document, spans: readonly Span[], pause: () => Promise<void>): Promise<TextNode[]> {
  const place = placeFinder(document.sections ?? []);
  const source: RelatedNode = relatedNode(document);
  const nodes: TextNode[] = [];
  const related: RelatedNode[] = [];
  const pointAt = codePoints(document.text);
  for (const [n, span] of spans.entries()) {
    const metadata: Metadata = { ...document.metadata, ...place(span) };
    const node = textNode({
      id: `${document.id}:${n}`,
      text: document.text.slice(span.start, span.end),
      metadata,
      startCharIdx: span.start,
      endCharIdx: span.end,
      startCodePoint: pointAt(span.start),
      excludedEmbedMetadataKeys: excluded(document.excludedEmbedMetadataKeys, metadata, true),
      excludedLlmMetadataKeys: excluded(document.excludedLlmMetadataKeys, metadata, false),
      metadataTemplate: document.metadataTemplate,
      metadataSeparator: document.metadataSeparator,
      textTemplate: document.textTemplate,
    });
    nodes.push(node);
    related.push({ id: node.id, type: "text", metadata, hash: nodeHash(node) });
    await pause();
  }
  return nodes.map((node, n) => ({
    ...node,
    relationships: {
      source,
      ...(n > 0 ? { previous: related[n - 1]! } : {}),
      ...(n + 1 < nodes.length ? { next: related[n + 1]! } : {}),
    },
  }));
}

/** The heading is the last of the path, which is shown; a page's number means nothing to an embedding. */
function excluded(keys: readonly string[], metadata: Metadata, embed: boolean): string[] {
  const more = [
    ...(metadata["headingPath"] === undefined ? [] : ["heading"]),
    ...(embed && metadata["page"] !== undefined ? ["page"] : []),
  ];
  return [...new Set([...keys, ...more])];
}
