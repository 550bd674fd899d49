/**
 * A collection opened: one object over the client, wherever the index lies. The embedded engine is opened here and closed with the
 * collection; a client that was handed in stays open.
 */
import type { estypes } from "@elastic/elasticsearch";
import { citedAnswer, runStrategy, strategyNamed, strategyRetriever } from "../catalogue/index.ts";
import { passageSplitter } from "../ingest/index.ts";
import { bundledEmbedding, unknownScripts } from "../models/index.ts";
import type { StrategyTarget } from "../retrieval/index.ts";
import {
  type CallOptions,
  callOptions,
  type Document,
  type EmbeddingModel,
  InvalidArgumentError,
  type NodeWithScore,
  type Response,
} from "../schema/index.ts";
import { extractiveAnswer, responseSynthesizer, writtenAnswer } from "../synthesis/index.ts";
import { type AddTarget, addContents, addDocuments, addFiles } from "./add.ts";
import { copyCollection } from "./copy.ts";
import { readDocument, toDocumentRecord } from "./document.ts";
import {
  type CollectionMeta,
  CollectionNotFoundError,
  checkEmbedding,
  checkName,
  EmbeddingDiffersError,
  passagesBody,
  RECORDS_BODY,
  readMeta,
  recordsIndex,
  TEXT_FIELDS,
  vectorField,
} from "./layout.ts";
import { checkCluster, createIndex, inPlace, openPlace, type Place } from "./place.ts";
import { type ListOptions, listRecords } from "./records.ts";
import { removeFiles } from "./remove.ts";
import { boostedFields, type IndexTuning, setBm25 } from "./tuning.ts";
import type {
  AddContentsOptions,
  AddDocumentsOptions,
  AddOptions,
  AddResult,
  AskOptions,
  Collection,
  CollectionOptions,
  CollectionStatus,
  CopyCallOptions,
  CopyTarget,
  DocumentRecord,
  FileContent,
  Notice,
  RemoveResult,
  SearchOptions,
} from "./types.ts";

/** With vectors as weak as a static embedding's, words count for more; measured in docs/search-and-fusion.md. */
const STATIC_WEIGHTS = { bm25: 0.6, dense: 0.4 };
const MODEL_WEIGHTS = { bm25: 0.5, dense: 0.5 };

/**
 * Opens a collection of documents, making it when it is not there.
 *
 * @throws CollectionNotFoundError with `create: false` or `readOnly: true`, when there is none of this name
 * @throws EmbeddingDiffersError when it was made with another embedding model than the one handed in; without one, when a vector is needed
 * @example const handbook = await openCollection("handbook", { data: "./.huiliu" });
 */
export async function openCollection(name: string, options: CollectionOptions = {}): Promise<Collection> {
  checkName(name);
  const place = await openPlace(name, options);
  try {
    const given = options.embedding ?? bundledEmbedding({ identifiers: true });
    const meta = (await readMeta(place.client, name)) ?? (await createIndices(place, name, options, given));
    if (options.embedding) checkEmbedding(name, meta, options.embedding);
    // Words can be searched, and files listed and removed, without the model.
    const embedding = given.name === meta.embedding.name ? given : absentEmbedding(name, meta, given);
    if (options.analysis && options.analysis !== meta.analysis) {
      throw new InvalidArgumentError(
        "analysis",
        options.analysis,
        `the collection "${name}" was made with the analysis "${meta.analysis}"; it cannot be changed afterwards: make another collection`,
      );
    }
    if (options.bm25 && !place.readOnly) await setBm25(place.client, name, options.bm25);
    return collectionOver(name, place, meta, embedding, options);
  } catch (error) {
    await place.close();
    throw error;
  }
}

/** Stands for a model that was not handed in: whatever needs a vector is refused. */
function absentEmbedding(collection: string, { embedding }: CollectionMeta, given: EmbeddingModel): EmbeddingModel {
  return {
    name: embedding.name,
    dimensions: embedding.dimensions,
    similarity: embedding.similarity,
    embed: () => Promise.reject(new EmbeddingDiffersError(collection, embedding.name, given.name)),
  };
}

async function createIndices(
  { client, name: place, readOnly, cluster }: Place,
  name: string,
  options: CollectionOptions,
  embedding: EmbeddingModel,
): Promise<CollectionMeta> {
  if (readOnly || options.create === false) throw new CollectionNotFoundError(name, place);
  const windows = embedding.contextFree ?? false;
  const dimensions = embedding.dimensions ?? (await embedding.embed(["dimensions"], { kind: "document" }))[0]!.length;
  const meta: CollectionMeta = {
    version: 1,
    embedding: {
      name: embedding.name,
      dimensions,
      // Windows are stored with few decimals: cosine does not mind their length.
      similarity: windows ? "cosine" : embedding.similarity,
      windows,
      normalized: embedding.similarity === "dot_product",
    },
    analysis: options.analysis ?? "default",
    ...(options.wildcard ? { wildcard: true } : {}),
    weights: windows ? STATIC_WEIGHTS : MODEL_WEIGHTS,
  };
  if (cluster) await checkCluster(cluster, meta);
  // The passages' index comes last: it alone says that the collection is there.
  await createIndex(client, recordsIndex(name), inPlace(RECORDS_BODY, cluster));
  await createIndex(client, name, inPlace(passagesBody(meta), cluster));
  return meta;
}

function collectionOver(
  name: string,
  place: Place,
  meta: CollectionMeta,
  embedding: EmbeddingModel,
  { boosts, passages = {} }: IndexTuning,
): Collection {
  const { client } = place;
  const textFields = boostedFields(TEXT_FIELDS[meta.analysis], boosts);
  const { size, overlap } = passages;
  const target: StrategyTarget = {
    client,
    index: name,
    textFields,
    vectorField: vectorField(meta),
    embedding,
    analysis: meta.analysis,
    weights: meta.weights,
    similarity: meta.embedding.similarity,
  };
  const addTarget: AddTarget = {
    client,
    collection: name,
    meta,
    embedding,
    splitter: passageSplitter({
      ...(size === undefined ? {} : { chunkSize: size }),
      ...(overlap === undefined ? {} : { chunkOverlap: overlap }),
    }),
    // What is not said changes no file's hash: collections of before stay unchanged.
    ...(size === undefined && overlap === undefined ? {} : { cutBy: passages }),
    ...(place.data === undefined ? {} : { data: place.data }),
  };

  function writable(what: string): void {
    if (!place.readOnly) return;
    throw new InvalidArgumentError(
      "readOnly",
      true,
      `the collection "${name}" was opened read-only: open it without readOnly to ${what}`,
    );
  }

  const collection: Collection = {
    name,
    index: name,
    client,
    embedding,
    textFields,
    vectorField: vectorField(meta),
    analysis: meta.analysis,
    weights: meta.weights,
    similarity: meta.embedding.similarity,
    async add(paths: string | string[], options: AddOptions = {}): Promise<AddResult> {
      writable("add files");
      return addFiles(addTarget, Array.isArray(paths) ? paths : [paths], options);
    },
    async addDocuments(documents: Iterable<Document> | AsyncIterable<Document>, options: AddDocumentsOptions = {}) {
      writable("add documents");
      return addDocuments(addTarget, documents, options);
    },
    async addContents(files: Iterable<FileContent> | AsyncIterable<FileContent>, options: AddContentsOptions = {}) {
      writable("add files");
      return addContents(addTarget, files, options);
    },
    async search(query: string, options: SearchOptions = {}): Promise<NodeWithScore[]> {
      tellScripts(query, embedding, options);
      const { onNotice, ...search } = options;
      return runStrategy(target, query, { ...search, ...(onNotice ? { onWarning: onNotice } : {}) });
    },
    async ask(question: string, options: AskOptions = {}): Promise<Response> {
      const { mode, ...search } = options;
      const { model } = search;
      const call = callOptions(options);
      const notices: Notice[] = [];
      const onNotice = (notice: Notice) => {
        notices.push(notice);
        options.onNotice?.(notice);
      };
      if (search.strategy === "citation" && !mode) return cited(target, question, { ...search, onNotice }, notices);
      const nodes = await collection.search(question, { ...search, topK: search.topK ?? 5, onNotice });
      const answer = await (mode
        ? responseSynthesizer({ ...(model ? { model } : {}), mode, embedding }).synthesize({
            query: question,
            nodes,
            ...call,
          })
        : model
          ? writtenAnswer({ question, nodes, model, ...call })
          : extractiveAnswer({ question, nodes, embedding, ...call }));
      if (notices.length > 0) answer.metadata["notices"] = notices;
      return answer;
    },
    async remove(filesOrIds: string | string[], options: CallOptions = {}): Promise<RemoveResult> {
      writable("remove files");
      return removeFiles(addTarget, Array.isArray(filesOrIds) ? filesOrIds : [filesOrIds], options);
    },
    async *list(options: ListOptions = {}): AsyncGenerator<DocumentRecord> {
      for await (const record of listRecords(client, name, options)) {
        if (record.state !== "complete") continue;
        yield toDocumentRecord(record);
      }
    },
    get: (fileOrId: string, options: CallOptions = {}) => readDocument(client, name, fileOrId, options),
    async status(options: CallOptions = {}): Promise<CollectionStatus> {
      const documents = await client.count(
        { index: recordsIndex(name), query: { term: { state: "complete" } } },
        options.signal ? { signal: options.signal } : {},
      );
      const passages = await client.count({ index: name }, options.signal ? { signal: options.signal } : {});
      return {
        name,
        place: place.name,
        documents: documents.count,
        passages: passages.count,
        embedding: { name: meta.embedding.name, dimensions: meta.embedding.dimensions },
        analysis: meta.analysis,
        weights: meta.weights,
      };
    },
    copyTo: ({ name: other = name, ...to }: CopyTarget, options: CopyCallOptions = {}) =>
      copyCollection(place, name, to, other, options),
    raw: (body: estypes.SearchRequest, { signal }: CallOptions = {}) =>
      client.search({ ...body, index: name }, signal ? { signal } : {}),
    close: () => place.close(),
    [Symbol.asyncDispose]: () => place.close(),
  };
  return collection;
}

/** Says when a question has letters that its embedding cannot read. */
function tellScripts(query: string, embedding: EmbeddingModel, { strategy, onNotice }: SearchOptions): void {
  if (!onNotice || !strategyNamed(strategy ?? "hybrid").embeds) return;
  const scripts = unknownScripts(query, embedding);
  if (scripts.length === 0) return;
  const remedy = strategy === "dense" ? 'search by words (strategy "bm25"), or use' : "for more, use";
  const message = `${embedding.name} does not know ${scripts.join(", ")}: what is written in it is found by words alone; ${remedy} an embedding model that knows it`;
  onNotice({ code: "SCRIPTS_UNKNOWN", scripts, message });
}

/** An answer over the short sources of the strategy `citation`. */
async function cited(
  target: StrategyTarget,
  question: string,
  { onNotice, ...options }: AskOptions & { strategy: "citation" },
  notices: readonly Notice[],
): Promise<Response> {
  const { of = "hybrid", chunkSize, chunkOverlap, model, ...search } = options;
  const { strategy, ...own } = typeof of === "string" ? { strategy: of } : of;
  const retriever = strategyRetriever(target, {
    ...search,
    ...own,
    strategy,
    topK: search.topK ?? 5,
    ...(onNotice ? { onWarning: onNotice } : {}),
  });
  const answer = await citedAnswer(question, {
    retriever,
    ...callOptions(search),
    ...(model ? { model } : {}),
    ...(target.embedding ? { embedding: target.embedding } : {}),
    ...(chunkSize === undefined ? {} : { chunkSize }),
    ...(chunkOverlap === undefined ? {} : { chunkOverlap }),
  });
  if (notices.length > 0) answer.metadata["notices"] = [...notices];
  return answer;
}
