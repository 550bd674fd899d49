// From summaries to tables: what is embedded is a summary of each table; a question that finds one is asked of the table's rows.
import { bundledEmbedding, indexNode, memoryBm25Retriever, textNode, vectorStoreIndex } from "huiliu";

const TABLES = [
  {
    id: "annual-leave",
    summary: "年休假天数表：按工龄规定的年假天数。Annual leave by years of service.",
    rows: ["工龄 1 至 9 年：年假 5 天", "工龄 10 至 19 年：年假 10 天", "工龄 20 年以上：年假 15 天"],
  },
  {
    id: "travel",
    summary: "出差住宿标准表：按城市规定的酒店限额。Hotel limits for business travel by city.",
    rows: ["北京、上海、深圳：每晚 600 元", "省会城市：每晚 450 元", "其他城市：每晚 350 元"],
  },
];

/** @param {string} question */
export async function askTables(question) {
  const nodes = TABLES.map(({ id, summary, rows }) =>
    indexNode({
      id: `summary-${id}`,
      text: summary,
      indexId: id,
      // Followed by every retriever: the question goes on to the rows.
      obj: memoryBm25Retriever({ nodes: rows.map((text, n) => textNode({ id: `${id}-${n}`, text })), topK: 1 }),
    }),
  );
  const index = await vectorStoreIndex({ nodes, embedding: bundledEmbedding() });
  return index.asRetriever({ topK: 1 }).retrieve(question);
}

for (const question of ["工龄 10 年有几天年假？", "去省会城市出差，酒店限额是多少？"]) {
  for (const { node } of await askTables(question)) console.log(`${question} ${node.text}`);
}
