// The same question in several response modes, and the calls that each makes of a model with a small window.
import { memoryBm25Retriever, RESPONSE_MODES, responseSynthesizer, sentenceSplitter } from "huiliu";
import { mockLanguageModel } from "huiliu/testing";
import { handbookDocuments } from "./handbook-documents.js";

const splitter = sentenceSplitter({ chunkSize: 256 });
const nodes = (await Promise.all((await handbookDocuments("zh")).map((document) => splitter.split(document)))).flat();
const found = await memoryBm25Retriever({ nodes, topK: 6 }).retrieve("年休假有几天？");

for (const mode of RESPONSE_MODES) {
  const model = mockLanguageModel({ answers: Array.from({ length: 20 }, (_, i) => `第 ${i + 1} 次回答。`) });
  const synthesizer = responseSynthesizer({ mode, model, contextWindow: 1600, maxOutputTokens: 200 });
  const answer = await synthesizer.synthesize({ query: "年休假有几天？", nodes: found });
  console.log(`${mode}: ${model.calls.length} calls, ${answer.sources.length} sources`);
}
