/**
 * Nodes in an index of the embedded engine or of Elasticsearch, in the layout of Python LlamaIndex's `ElasticsearchStore`: each library
 * finds what the other put in. The same requests go to both places.
 */
import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { METADATA_FIELD, nodeToSource, sourceToNode } from "../elasticsearch/layout.ts";
import { filtersToQuery } from "../retrieval/index.ts";
import {
  type CallOptions,
  type EmbeddedNode,
  embedSparseTexts,
  type Filters,
  HuiliuError,
  InvalidArgumentError,
  isZero,
  type Node,
  nodeContent,
  type SparseVector,
  type VectorStore,
  type VectorStoreResult,
} from "../schema/index.ts";
import {
  HYBRID_FUSIONS,
  optional,
  PAGE,
  type Query,
  type StoreSearchOptions,
  storeSearch,
} from "./elasticsearch-find.ts";
import { ensureIndex, storeFields, transport } from "./elasticsearch-index.ts";

/** How an index is made, and how it is asked. */
export interface ElasticsearchStoreOptions extends StoreSearchOptions {}

/** Nodes in an index in the layout of Python LlamaIndex's `ElasticsearchStore`. */
export interface ElasticsearchStore extends VectorStore {
  readonly client: Client;
  readonly index: string;
  /** Nodes by id, by filters, or both at once. */
  getNodes(which: { ids?: readonly string[]; filters?: Filters }, options?: CallOptions): Promise<Node[]>;
}

/** Documents of an index were refused. Code `STORE_FAILED`. */
export class StoreError extends HuiliuError {
  readonly failures: { id: string; type: string; reason: string }[];

  constructor(failures: StoreError["failures"]) {
    const [first] = failures;
    super(
      "STORE_FAILED",
      `${failures.length} nodes were refused; the first: ${first!.id}: ${first!.type}: ${first!.reason}`,
    );
    this.failures = failures;
  }
}

/** Documents that one bulk request holds. */
const BATCH = 500;

/**
 * Makes a store over an index, which is made when the first node is added. Modes: `default` (the nearest vectors; where there are none,
 * weighted terms or text), `text_search`, `sparse`, `hybrid` (two of them, fused; `alpha` is the vectors' share), `mmr`. Scores are
 * Elasticsearch's.
 *
 * @example
 * const engine = await openEngine({ data: "./search" });
 * const store = elasticsearchStore({ client: engine.client(), index: "handbook" });
 * const index = await vectorStoreIndex({ documents, store, embedding });
 */
export function elasticsearchStore(options: ElasticsearchStoreOptions): ElasticsearchStore {
  checkOptions(options);
  const { client, index, vectors = true, sparse } = options;
  const fields = storeFields(options);
  const find = storeSearch(options);

  /** The first page of a query's hits; none where the index is missing. */
  async function page(query: Query, source: boolean, call: CallOptions): Promise<estypes.SearchHit[]> {
    const _source = source ? { excludes: [fields.vector, fields.sparse] } : false;
    const asked = client.search({ index, query, size: PAGE, _source }, transport(call));
    return asked.then((answer) => answer.hits.hits, nothingIfMissing);
  }

  async function remove(query: Query, call: CallOptions): Promise<void> {
    for (;;) {
      const ids = (await page(query, false, call)).map((hit) => hit._id!);
      for (let i = 0; i < ids.length; i += BATCH) {
        const operations = ids.slice(i, i + BATCH).map((_id) => ({ delete: { _index: index, _id } }));
        checked(await client.bulk({ operations }, transport(call)), [404]);
      }
      if (ids.length > 0) await client.indices.refresh({ index }, transport(call));
      if (ids.length < PAGE) return;
    }
  }

  const selection = (which: { ids?: readonly string[]; filters?: Filters }): Query => {
    const filter = [
      ...(which.ids ? [{ ids: { values: [...which.ids] } }] : []),
      ...optional(filtersToQuery(which.filters, METADATA_FIELD)),
    ];
    return { bool: { filter } };
  };

  function toSource({ node, embedding }: EmbeddedNode, terms: SparseVector | undefined): Record<string, unknown> {
    const { content, metadata } = nodeToSource(node);
    // A vector of zeros means nothing, and cannot be compared by its angle.
    const vector = vectors && embedding && !isZero(embedding) ? { [fields.vector]: Array.from(embedding) } : {};
    const weighted = terms && Object.keys(terms).length > 0 ? nested(fields.sparse, terms) : {};
    return { [fields.text]: content, [METADATA_FIELD]: metadata, ...vector, ...weighted };
  }

  return {
    client,
    index,
    storesText: true,
    isEmbeddingQuery: vectors,
    async add(nodes, call = {}) {
      if (nodes.length === 0) return [];
      await ensureIndex(options, sparse !== undefined, nodes, transport(call));
      for (let i = 0; i < nodes.length; i += BATCH) {
        const batch = nodes.slice(i, i + BATCH);
        const texts = batch.map(({ node }) => nodeContent(node, "embed"));
        const terms = sparse ? await embedSparseTexts(sparse, texts, { kind: "document", ...call }) : [];
        const operations = batch.flatMap((item, n) => [
          { index: { _index: index, _id: item.node.id } },
          toSource(item, terms[n]),
        ]);
        checked(await client.bulk({ operations }, transport(call)), []);
      }
      await client.indices.refresh({ index }, transport(call));
      return nodes.map(({ node }) => node.id);
    },
    async query(query, call = {}): Promise<VectorStoreResult> {
      const found = await find(query, call);
      return {
        nodes: found.map(({ node }) => node),
        ids: found.map(({ node }) => node.id),
        ...(found.every(({ score }) => score !== undefined)
          ? { similarities: found.map(({ score }) => score ?? 0) }
          : {}),
      };
    },
    async getNodes(which, call = {}) {
      if (!which.ids && !which.filters) {
        throw new InvalidArgumentError("which", which, "give ids, filters or both");
      }
      const hits = await page(selection(which), true, call);
      if (hits.length === PAGE) {
        throw new InvalidArgumentError("which", which, `these are ${PAGE} nodes or more: ask for fewer at a time`);
      }
      return hits.map((hit) => sourceToNode(hit._id ?? "", hit._source, fields.text));
    },
    delete: (docId, call = {}) => remove(filtersToQuery({ ref_doc_id: docId }, METADATA_FIELD)!, call),
    async deleteNodes(which, call = {}) {
      if (which.ids || which.filters) await remove(selection(which), call);
    },
    async clear(call = {}) {
      await client.indices.delete({ index, ignore_unavailable: true }, transport(call));
    },
  };
}

/** A field within an object, as Python's sparse strategy has it. */
function nested(field: string, value: object): object {
  return field.split(".").reduceRight<object>((inner, name) => ({ [name]: inner }), value);
}

function checked(answer: estypes.BulkResponse, tolerated: number[]): void {
  if (!answer.errors) return;
  const failures = answer.items.flatMap((item) => {
    const [result] = Object.values(item);
    if (!result?.error || tolerated.includes(result.status)) return [];
    return [{ id: result._id ?? "", type: result.error.type, reason: result.error.reason ?? "" }];
  });
  if (failures.length > 0) throw new StoreError(failures);
}

function nothingIfMissing(error: unknown): estypes.SearchHit[] {
  if (error instanceof errors.ResponseError && error.statusCode === 404) return [];
  throw error;
}

function checkOptions({ hybrid, rrf, bm25 }: ElasticsearchStoreOptions): void {
  if (hybrid !== undefined && !HYBRID_FUSIONS.includes(hybrid)) {
    throw new InvalidArgumentError(
      "hybrid",
      hybrid,
      `unknown hybrid "${hybrid}": known are ${HYBRID_FUSIONS.join(", ")}`,
    );
  }
  if (rrf && hybrid !== "rrf")
    throw new InvalidArgumentError("rrf", rrf, 'rrf is of the hybrid "rrf": say hybrid: "rrf"');
  for (const [name, value] of Object.entries(rrf ?? {})) {
    if (!Number.isInteger(value) || value < 1) {
      throw new InvalidArgumentError(
        `rrf.${name}`,
        value,
        `${name} must be a whole number of at least 1, not ${value}`,
      );
    }
  }
  for (const [name, value] of Object.entries(bm25 ?? {})) {
    if (!(value >= 0))
      throw new InvalidArgumentError(`bm25.${name}`, value, `${name} must be at least 0, not ${value}`);
  }
}
