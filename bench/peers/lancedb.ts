import { type Kind, type Question, type Suite, TOP } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Query {
  fullTextSearch(query: unknown, options?: object): Query;
  nearestTo(vector: readonly number[]): Query;
  distanceType(type: string): Query;
  ef(ef: number): Query;
  where(filter: string): Query;
  select(columns: readonly string[]): Query;
  rerank(reranker: object): Query;
  limit(count: number): Query;
  toArray(): Promise<{ id: number }[]>;
}
interface Table {
  add(rows: readonly object[]): Promise<unknown>;
  createIndex(column: string, options: object): Promise<unknown>;
  optimize(): Promise<unknown>;
  query(): Query;
}
interface Module {
  connect(folder: string): Promise<{
    createTable(name: string, rows: readonly object[]): Promise<Table>;
    openTable(name: string): Promise<Table>;
    close(): void;
  }>;
  Index: { fts(options: object): object; hnswSq(options: object): object; bitmap(): object };
  MatchQuery: new (text: string, column: string, options?: object) => object;
  PhraseQuery: new (text: string, column: string) => object;
  rerankers: { RRFReranker: { create(k: number): Promise<object> } };
}

const FTS = { withPosition: true, baseTokenizer: "simple", stem: false, removeStopWords: false, asciiFolding: false };

function kinds({ dims, text }: Suite): readonly Kind[] {
  if (dims > 0) return text ? ["hybrid"] : ["kNN", "kNN, filtered"];
  return ["1 term", "3 terms", "10 terms", "phrase", "fuzzy", "filtered"];
}

export const lancedb: Peer = {
  name: "LanceDB",
  module: "@lancedb/lancedb",
  settings:
    "full text index with positions, simple tokenizer, no stems, no stop words; IVF_HNSW_SQ in one partition with m 16, efConstruction 100, ef 100, no refining; bitmap of tags; optimised before its indices are made",
  // As many threads as are left beside two for files deadlock on two cores while an index of words is written.
  env: { LANCE_CPU_THREADS: "4", LANCE_LOG: "error" },
  kinds,
  async create(suite, folder) {
    const lib = await load<Module>("@lancedb/lancedb");
    const db = await lib.connect(folder);
    let table: Table | undefined;
    return {
      async add(passages) {
        const rows = passages.map(({ id, text, tag, vector }) => ({
          id,
          tag,
          ...(suite.text ? { text } : {}),
          ...(suite.dims > 0 ? { vector: Array.from(vector) } : {}),
        }));
        if (table === undefined) table = await db.createTable("bench", rows);
        else await table.add(rows);
      },
      async finish() {
        // Into one fragment, before there are indices: merging an index of words of 10,000 passages fails to read its own pages (Lance 8.0).
        await table!.optimize();
        if (suite.text) await table!.createIndex("text", { config: lib.Index.fts(FTS) });
        await table!.createIndex("tag", { config: lib.Index.bitmap() });
        if (suite.dims > 0 && !suite.exact) {
          const options = { distanceType: "cosine", numPartitions: 1, m: 16, efConstruction: 100 };
          await table!.createIndex("vector", { config: lib.Index.hnswSq(options) });
        }
      },
      close: () => db.close(),
    };
  },
  async open(suite, folder) {
    const lib = await load<Module>("@lancedb/lancedb");
    const db = await lib.connect(folder);
    const table = await db.openTable("bench");
    const reranker = await lib.rerankers.RRFReranker.create(60);
    const near = (query: Query, vector: readonly number[]) => {
      const found = query.nearestTo(vector).distanceType("cosine");
      return suite.exact ? found : found.ef(100);
    };
    const build = ({ kind, words, tag, vector }: Question): Query => {
      const query = table.query();
      const text = words.join(" ");
      if (kind === "kNN") return near(query, vector);
      if (kind === "kNN, filtered") return near(query, vector).where(`tag = '${tag}'`);
      if (kind === "hybrid") return near(query.fullTextSearch(text, { columns: ["text"] }), vector).rerank(reranker);
      if (kind === "phrase") return query.fullTextSearch(new lib.PhraseQuery(text, "text"));
      if (kind === "fuzzy") return query.fullTextSearch(new lib.MatchQuery(text, "text", { fuzziness: 1 }));
      const matched = query.fullTextSearch(new lib.MatchQuery(text, "text"));
      return kind === "filtered" ? matched.where(`tag = '${tag}'`) : matched;
    };
    return {
      prepare(question) {
        // Without the score it warns of it at each question.
        const columns = suite.dims === 0 ? ["id", "_score"] : question.kind === "hybrid" ? ["id", "text"] : ["id"];
        return () => build(question).select(columns).limit(TOP).toArray();
      },
      read: (raw) => ({ ids: (raw as { id: number }[]).map(({ id }) => Number(id)) }),
      close: () => db.close(),
    };
  },
};
