/** What stands around a found passage: the sentences beside the best one, or the whole document. */
import { z } from "zod";
import { sentences } from "../ingest/index.ts";
import {
  bothFilters,
  defineRetriever,
  dslRetriever,
  filtersToQuery,
  retrieveOptions,
  type Strategy,
  type StrategyTarget,
} from "../retrieval/index.ts";
import { grouped } from "../schema/grouped.ts";
import {
  cosine,
  embedQuery,
  embedTexts,
  type Filters,
  InvalidArgumentError,
  type Node,
  type NodeWithScore,
  type RetrieveOptions,
  sourceId,
} from "../schema/index.ts";
import { depthOption, innerRetriever, ofOption } from "./of.ts";

const windowOptions = z.strictObject({
  of: ofOption("hybrid"),
  windowSize: z.int().min(0).max(100).default(3).describe("sentences before and behind the best one"),
});

export const sentenceWindow: Strategy<"sentence-window", typeof windowOptions> = {
  name: "sentence-window",
  title: "the best sentence of each passage, with those around it",
  goodFor: "long passages of which one sentence answers; less for a model to read",
  embeds: true,
  options: windowOptions,
  retriever(target, { of, windowSize }, call) {
    const { embedding } = target;
    if (!embedding)
      throw new InvalidArgumentError(
        "embedding",
        undefined,
        "sentences are compared by vectors: give the index an embedding",
      );
    const found = innerRetriever(of, call);
    return defineRetriever(
      async (input) => {
        const own = retrieveOptions(input);
        const hits = await found.retrieve(input, own);
        if (hits.length === 0) return [];
        const question = await embedQuery(embedding, input, own);
        const spans = hits.map(({ node }) => sentences(node.text));
        const texts = hits.flatMap(({ node }, i) => spans[i]!.map(({ start, end }) => node.text.slice(start, end)));
        const vectors = await embedTexts(embedding, texts, { kind: "document", ...own });
        let at = 0;
        return hits.map((hit, i) => {
          const scores = spans[i]!.map((_, k) => (question ? cosine(question, vectors[at + k]!) : 0));
          at += scores.length;
          return windowed(hit, spans[i]!, scores, windowSize);
        });
      },
      { name: "sentence-window", follow: false },
    );
  },
};

/** The sentence itself stays in the metadata, as LlamaIndex's `original_text`. */
function windowed(
  hit: NodeWithScore,
  spans: readonly { start: number; end: number }[],
  scores: readonly number[],
  size: number,
): NodeWithScore {
  if (spans.length === 0) return hit;
  const best = scores.reduce((top, score, i) => (score > scores[top]! ? i : top), 0);
  const first = spans[Math.max(0, best - size)]!;
  const last = spans[Math.min(spans.length - 1, best + size)]!;
  const { text, metadata } = hit.node;
  const original = text.slice(spans[best]!.start, spans[best]!.end);
  const node: Node = {
    ...hit.node,
    text: text.slice(first.start, last.end),
    metadata: { ...metadata, original_text: original },
  };
  return { ...hit, node };
}

/** Passages of one document that are read at most. */
const MOST_PASSAGES = 1000;
/** The largest result window. */
const MOST_HITS = 10_000;

const parentOptions = z.strictObject({
  of: ofOption("hybrid"),
  depth: depthOption(20, "passages that are looked for"),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("a document is taken when more than this share of its passages was found; else they stay as they are"),
});

export const parentDocument: Strategy<"parent-document", typeof parentOptions> = {
  name: "parent-document",
  title: "whole documents in the place of their passages",
  goodFor: "short documents, answers that need the whole text",
  embeds: true,
  options: parentOptions,
  retriever: (target, given, call) => merging("parent-document", target, given, call),
};

const mergingOptions = parentOptions.extend({
  threshold: parentOptions.shape.threshold
    .unwrap()
    .default(0.5)
    .describe("a document is taken when more than this share of its passages was found"),
});

export const autoMerging: Strategy<"auto-merging", typeof mergingOptions> = {
  name: "auto-merging",
  title: "a whole document where much of it was found, its passages elsewhere",
  goodFor: "answers that are spread over a document",
  embeds: true,
  options: mergingOptions,
  retriever: (target, given, call) => merging("auto-merging", target, given, call),
};

function merging(
  name: string,
  target: StrategyTarget,
  { of, depth, threshold }: z.output<typeof parentOptions>,
  call: Parameters<(typeof autoMerging)["retriever"]>[2],
) {
  const found = innerRetriever(of, call, Math.max(call.topK, depth));
  return defineRetriever(
    async (input) => {
      const own = retrieveOptions(input);
      const hits = await found.retrieve(input, own);
      return (await merged(target, hits, threshold, bothFilters(call.filters, input.filters), own)).slice(0, call.topK);
    },
    { name, follow: false },
  );
}

/** A document stands where its best passage stood, with the best score. */
async function merged(
  target: StrategyTarget,
  hits: readonly NodeWithScore[],
  threshold: number,
  filters: Filters | undefined,
  call: RetrieveOptions,
): Promise<NodeWithScore[]> {
  const groups = grouped(hits, ({ node }) => sourceId(node));
  const wholes = new Map<string, Node>();
  for (const [id, all] of await passagesOf(target, [...groups.keys()], filters, call)) {
    if (all.length < MOST_PASSAGES && groups.get(id)!.length / all.length > threshold) wholes.set(id, whole(id, all));
  }
  const taken = new Set<string>();
  return hits.flatMap((hit) => {
    const id = sourceId(hit.node);
    const node = id === undefined ? undefined : wholes.get(id);
    if (!node) return [hit];
    if (taken.has(id!)) return [];
    taken.add(id!);
    return [{ ...hit, node }];
  });
}

/**
 * Passages by document, in the order of the text: one request for all documents, and one for each half where that is more than a request may give.
 * Passages that the filters leave out are no part of what is shown of a document.
 */
async function passagesOf(
  target: StrategyTarget,
  ids: readonly string[],
  filters: Filters | undefined,
  call: RetrieveOptions,
): Promise<Map<string, Node[]>> {
  if (ids.length === 0) return new Map();
  call.signal?.throwIfAborted();
  const filter = filtersToQuery(filters);
  const field = (name: string) => ({ terms: { [name]: [...ids] } });
  const size = Math.min(MOST_HITS, ids.length * MOST_PASSAGES);
  const found = dslRetriever(
    target,
    () => ({
      query: {
        bool: {
          should: [field("metadata.ref_doc_id"), field("metadata.ref_doc_id.keyword")],
          minimum_should_match: 1,
          ...(filter ? { filter: [filter] } : {}),
        },
      },
      size,
    }),
    { follow: false },
  );
  const nodes = (await found.retrieve("", call)).map(({ node }) => node);
  if (nodes.length === size && ids.length > 1) {
    const half = Math.ceil(ids.length / 2);
    const first = await passagesOf(target, ids.slice(0, half), filters, call);
    return new Map([...first, ...(await passagesOf(target, ids.slice(half), filters, call))]);
  }
  return grouped(
    nodes.sort((a, b) => startOf(a) - startOf(b)),
    sourceId,
  );
}

function startOf(node: Node): number {
  return node.startCharIdx ?? 0;
}

/** The passages put together: what two share stands once. */
function whole(id: string, passages: readonly Node[]): Node {
  let text = "";
  let end = passages[0]!.startCharIdx ?? 0;
  for (const { text: own, startCharIdx: start, endCharIdx } of passages) {
    if (start === undefined || endCharIdx === undefined) {
      text += `${text === "" ? "" : "\n\n"}${own}`;
      continue;
    }
    if (start > end) text += "\n\n";
    text += own.slice(Math.max(0, end - start));
    end = Math.max(end, endCharIdx);
  }
  const [first] = passages;
  const { heading: _, headingPath: __, page: ___, ...metadata } = first!.metadata;
  return { ...first!, id, text, metadata };
}
