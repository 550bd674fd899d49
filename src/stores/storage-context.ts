/**
 * The stores of an application's indices together, in memory or in a folder: the files that Python's LlamaIndex persists and loads
 * (`docstore.json`, `index_store.json`, `default__vector_store.json`).
 */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Docstore, InvalidArgumentError, randomId, type VectorStore } from "../schema/index.ts";
import { type DocstoreJson, type MemoryDocstore, memoryDocstore } from "./memory-docstore.ts";
import { type SimpleVectorStore, type SimpleVectorStoreJson, simpleVectorStore } from "./simple-vector-store.ts";

/** What an index knows of its nodes: the node's id for each id of the vector store. */
export interface IndexStruct {
  indexId: string;
  nodesDict: Map<string, string>;
}

/** The stores of an index together, as a folder keeps them. */
export interface StorageContext {
  readonly docstore: Docstore;
  readonly store: VectorStore;
  readonly indices: Map<string, IndexStruct>;
  /**
   * Writes the stores that live in memory into a folder; stores elsewhere keep themselves.
   *
   * @throws InvalidArgumentError when neither store lives in memory
   */
  persist(folder: string): Promise<void>;
}

const DOCSTORE = "docstore.json";
const INDEX_STORE = "index_store.json";
const VECTOR_STORE = "default__vector_store.json";
/** Python's loader looks for these too. */
const OTHERS = {
  "graph_store.json": { graph_dict: {} },
  "image__vector_store.json": { embedding_dict: {}, text_id_to_ref_doc_id: {}, metadata_dict: {} },
};

interface IndexStoreJson {
  "index_store/data"?: Record<string, { __type__: string; __data__: string | Record<string, unknown> }>;
}

/** Makes a storage context; what is not given is kept in memory. */
export function storageContext(
  parts: { docstore?: Docstore; store?: VectorStore; indices?: Map<string, IndexStruct> } = {},
): StorageContext {
  const { docstore = memoryDocstore(), store = simpleVectorStore(), indices = new Map() } = parts;
  return {
    docstore,
    store,
    indices,
    async persist(folder) {
      if (!inMemory(docstore) && !inMemory(store)) {
        throw new InvalidArgumentError("folder", folder, "neither store lives in memory: there is nothing to write");
      }
      await mkdir(folder, { recursive: true });
      if (inMemory(docstore)) await write(folder, DOCSTORE, docstore.toJson());
      if (inMemory(store)) await write(folder, VECTOR_STORE, store.toJson());
      await write(folder, INDEX_STORE, indicesToJson(indices));
      for (const [name, content] of Object.entries(OTHERS)) await write(folder, name, content);
    },
  };
}

/** Loads a folder that `persist` wrote, here or in Python; parts that are given take the place of the folder's. */
export async function loadStorageContext(
  folder: string,
  parts: { docstore?: Docstore; store?: VectorStore } = {},
): Promise<StorageContext> {
  const docstore = parts.docstore ?? memoryDocstore((await read(folder, DOCSTORE)) as DocstoreJson);
  const store = parts.store ?? simpleVectorStore((await read(folder, VECTOR_STORE)) as SimpleVectorStoreJson);
  return storageContext({
    docstore,
    store,
    indices: indicesFromJson((await read(folder, INDEX_STORE)) as IndexStoreJson),
  });
}

function inMemory(store: object): store is MemoryDocstore | SimpleVectorStore {
  return "toJson" in store && typeof store.toJson === "function";
}

/** Whole or not at all: what is being replaced stays until the new file is complete. */
async function write(folder: string, name: string, content: unknown): Promise<void> {
  const path = join(folder, name);
  const fresh = `${path}.${randomId()}.new`;
  await writeFile(fresh, JSON.stringify(content));
  await rename(fresh, path);
}

async function read(folder: string, name: string): Promise<unknown> {
  const path = join(folder, name);
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(
      "folder",
      folder,
      `${path} is not JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function indicesToJson(indices: ReadonlyMap<string, IndexStruct>): IndexStoreJson {
  const data: NonNullable<IndexStoreJson["index_store/data"]> = {};
  for (const [id, { nodesDict }] of indices) {
    data[id] = {
      __type__: "vector_store",
      __data__: JSON.stringify({
        index_id: id,
        summary: null,
        nodes_dict: Object.fromEntries(nodesDict),
        doc_id_dict: {},
        embeddings_dict: {},
      }),
    };
  }
  return { "index_store/data": data };
}

function indicesFromJson(json: IndexStoreJson): Map<string, IndexStruct> {
  const out = new Map<string, IndexStruct>();
  for (const [indexId, { __type__, __data__ }] of Object.entries(json["index_store/data"] ?? {})) {
    if (__type__ !== "vector_store") continue;
    const data = typeof __data__ === "string" ? (JSON.parse(__data__) as Record<string, unknown>) : __data__;
    out.set(indexId, {
      indexId,
      nodesDict: new Map(Object.entries((data["nodes_dict"] ?? {}) as Record<string, string>)),
    });
  }
  return out;
}
