// The handbook as a retriever of LangChain.js, and a vector store of its own (npm install @langchain/core).
import { RunnableLambda } from "@langchain/core/runnables";
import { elasticsearchStore, openCollection } from "huiliu";
import { openEngine } from "huiliu/engine";
import { HuiliuEmbeddings, HuiliuRetriever, HuiliuVectorStore } from "huiliu/langchain";
import { handbookDocuments } from "./handbook-documents.js";

const engine = await openEngine();
const handbook = await openCollection("handbook", { elasticsearch: engine.client() });
await handbook.addDocuments(await handbookDocuments("zh"));

const retriever = new HuiliuRetriever({ from: handbook, options: { topK: 2 } });
const files = retriever.pipe(RunnableLambda.from((found) => found.map(({ metadata }) => metadata.file)));
console.log(await files.invoke("婚假有几天？"));

const store = await HuiliuVectorStore.fromTexts(
  ["Cats purr.", "Dogs bark."],
  [{ kind: "cat" }, { kind: "dog" }],
  new HuiliuEmbeddings(),
  { store: elasticsearchStore({ client: engine.client(), index: "animals" }) },
);
for (const [document, score] of await store.similaritySearchWithScore("What barks?", 1, { kind: "dog" }))
  console.log(document.pageContent, score.toFixed(3));
await engine.close();
