// Small chunks are found, large ones are read: where most of a section's parts match, the section takes their place.
import {
  autoMergingRetriever,
  bundledEmbedding,
  hierarchicalSplitter,
  leafNodes,
  memoryDocstore,
  vectorStoreIndex,
} from "huiliu";
import { handbookDocuments } from "./handbook-documents.js";

const splitter = hierarchicalSplitter({ chunkSizes: [512, 64], chunkOverlap: 0 });
const nodes = (await Promise.all((await handbookDocuments("zh")).map((document) => splitter.split(document)))).flat();
const docstore = memoryDocstore();
await docstore.add(nodes);

const leaves = await vectorStoreIndex({ nodes: leafNodes(nodes), embedding: bundledEmbedding() });
const retriever = autoMergingRetriever({ retriever: leaves.asRetriever({ topK: 12 }), docstore, threshold: 0.4 });

for (const question of ["婚假有几天，怎么申请？", "年休假没休完怎么办？"]) {
  console.log(question);
  for (const { node, score } of (await retriever.retrieve(question)).slice(0, 4)) {
    const kind = node.relationships.children ? "section" : "part";
    console.log(`  ${score.toFixed(3)} ${kind} of ${node.metadata.file}, ${node.text.length} characters`);
  }
}
