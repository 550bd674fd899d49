/** LlamaIndex's SimpleDocumentStore: documents and nodes by id, in memory; its JSON is the one that Python reads and writes. */
import {
  type Docstore,
  type Document,
  type Metadata,
  type Node,
  type NodeJson,
  type NodeType,
  nodeFromJson,
  nodeHash,
  nodeToJson,
  type RefDocInfo,
} from "../schema/index.ts";

/** The store's content, as Python's LlamaIndex writes it. */
export interface DocstoreJson {
  "docstore/metadata"?: Record<string, { doc_hash?: string; ref_doc_id?: string }>;
  "docstore/ref_doc_info"?: Record<string, { node_ids: string[]; metadata: Metadata }>;
  "docstore/data"?: Record<string, { __data__: NodeJson; __type__: string }>;
}

/** Nodes by id in memory; written to and read from LlamaIndex's `docstore.json`. */
export interface MemoryDocstore extends Docstore {
  readonly size: number;
  toJson(): DocstoreJson;
}

const TYPES: Record<NodeType, string> = { text: "1", image: "2", index: "3", document: "4" };

/**
 * Makes a docstore in memory, from its JSON where that is given.
 *
 * @example const docstore = memoryDocstore(JSON.parse(await readFile("storage/docstore.json", "utf8")));
 */
export function memoryDocstore(json?: DocstoreJson): MemoryDocstore {
  const items = new Map<string, Node | Document>();
  const hashes = new Map<string, string>();
  const sources = new Map<string, string>();
  const refDocs = new Map<string, RefDocInfo>();
  for (const [id, { __data__ }] of Object.entries(json?.["docstore/data"] ?? {})) items.set(id, nodeFromJson(__data__));
  for (const [id, { doc_hash, ref_doc_id }] of Object.entries(json?.["docstore/metadata"] ?? {})) {
    if (doc_hash !== undefined) hashes.set(id, doc_hash);
    if (ref_doc_id !== undefined) sources.set(id, ref_doc_id);
  }
  for (const [id, info] of Object.entries(json?.["docstore/ref_doc_info"] ?? {})) {
    refDocs.set(id, { nodeIds: info.node_ids, metadata: info.metadata });
  }

  function remove(id: string): void {
    items.delete(id);
    hashes.delete(id);
    const source = sources.get(id);
    sources.delete(id);
    const info = source === undefined ? undefined : refDocs.get(source);
    if (!info) return;
    info.nodeIds = info.nodeIds.filter((other) => other !== id);
    if (info.nodeIds.length === 0) refDocs.delete(source!);
  }

  return {
    get size() {
      return items.size;
    },
    async add(added) {
      for (const item of added) {
        items.set(item.id, item);
        hashes.set(item.id, nodeHash(item));
        const source = item.type === "document" ? undefined : item.relationships.source;
        if (!source) continue;
        sources.set(item.id, source.id);
        const info = refDocs.get(source.id) ?? { nodeIds: [], metadata: source.metadata ?? {} };
        if (!info.nodeIds.includes(item.id)) info.nodeIds.push(item.id);
        refDocs.set(source.id, info);
      }
    },
    get: async (ids) => ids.map((id) => items.get(id)).filter((item) => item !== undefined),
    async delete(ids) {
      for (const id of ids) remove(id);
    },
    hash: async (id) => hashes.get(id),
    async setHash(id, hash) {
      hashes.set(id, hash);
    },
    hashes: async () => new Map([...hashes].filter(([id]) => !sources.has(id))),
    refDoc: async (docId) => {
      const info = refDocs.get(docId);
      return info && { nodeIds: [...info.nodeIds], metadata: info.metadata };
    },
    refDocIds: async () => [...refDocs.keys()],
    async deleteRefDoc(docId) {
      for (const id of refDocs.get(docId)?.nodeIds ?? []) {
        items.delete(id);
        hashes.delete(id);
        sources.delete(id);
      }
      refDocs.delete(docId);
      items.delete(docId);
      hashes.delete(docId);
    },
    toJson() {
      const metadata: NonNullable<DocstoreJson["docstore/metadata"]> = {};
      for (const [id, doc_hash] of hashes) metadata[id] = { doc_hash };
      for (const [id, ref_doc_id] of sources) metadata[id] = { ...metadata[id], ref_doc_id };
      return {
        "docstore/metadata": metadata,
        "docstore/ref_doc_info": Object.fromEntries(
          [...refDocs].map(([id, info]) => [id, { node_ids: info.nodeIds, metadata: info.metadata }]),
        ),
        "docstore/data": Object.fromEntries(
          [...items].map(([id, item]) => [id, { __data__: nodeToJson(item), __type__: TYPES[item.type] }]),
        ),
      };
    },
  };
}
