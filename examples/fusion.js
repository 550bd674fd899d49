// BM25 and vectors, each over the handbook in both languages, fused; the ranks tell which list had a passage where.
import { bundledEmbedding, fusionRetriever, memoryBm25Retriever, sentenceSplitter, vectorStoreIndex } from "huiliu";
import { handbookDocuments } from "./handbook-documents.js";

const documents = [...(await handbookDocuments("zh")), ...(await handbookDocuments("en"))];
const splitter = sentenceSplitter({ chunkSize: 256, chunkOverlap: 32 });
const nodes = (await Promise.all(documents.map((document) => splitter.split(document)))).flat();
const index = await vectorStoreIndex({ nodes, embedding: bundledEmbedding() });

const retriever = fusionRetriever({
  retrievers: { bm25: memoryBm25Retriever({ nodes, topK: 50 }), dense: index.asRetriever({ topK: 50 }) },
  mode: "relative_score",
  weights: { bm25: 0.7, dense: 0.3 },
  topK: 3,
});

for (const question of ["婚假有几天？", "How many days of annual leave do I get?"]) {
  console.log(question);
  for (const { node, score, ranks } of await retriever.retrieve(question)) {
    const places = ranks.map(({ list, rank }) => `${list} ${rank}`).join(", ");
    console.log(`  ${score.toFixed(3)} ${node.metadata.file} (${places})`);
  }
}
