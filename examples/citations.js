// An answer over the handbook, streamed, with the numbers of its sources checked. Without a model the answer is an extract.
import { citationQueryEngine, memoryBm25Retriever, sentenceSplitter } from "huiliu";
import { handbookDocuments } from "./handbook-documents.js";
import { exampleModel } from "./model.js";

const splitter = sentenceSplitter({ chunkSize: 256 });
const nodes = (await Promise.all((await handbookDocuments("en")).map((document) => splitter.split(document)))).flat();
const retriever = memoryBm25Retriever({ nodes, topK: 2 });
const question = "How many days of annual leave are there below ten years of work?";

const model = await exampleModel([["Seven days ", "a year [1]. ", "Ask HR [9]."]]);
const answer = await citationQueryEngine({ retriever, model, streaming: true }).query(question);
for (const { n, file } of answer.sources) console.log(`[${n}] ${file}`);
for await (const piece of answer.textStream) process.stdout.write(piece);
const { cited, unknownCitations } = await answer.citations;
console.log(`\ncited: ${cited}; no such source: ${unknownCitations}`);

const extract = await citationQueryEngine({ retriever }).query(question);
console.log(`${extract.kind}: ${await extract.text}`);
