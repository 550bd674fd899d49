// Engines over engines: a router that chooses between two parts of the handbook, and a question taken apart.
import {
  memoryBm25Retriever,
  modelSelector,
  retrieverQueryEngine,
  routerQueryEngine,
  sentenceSplitter,
  subQuestionQueryEngine,
} from "huiliu";
import { handbookDocuments } from "./handbook-documents.js";
import { exampleModel } from "./model.js";

const splitter = sentenceSplitter({ chunkSize: 256 });
const documents = await handbookDocuments("en");
const model = await exampleModel([
  ['[{"choice": 1, "reason": "it asks for annual leave"}]'],
  ["Seven days a year."],
  [
    '[{"sub_question": "How long is annual leave?", "tool_name": "annual"}, {"sub_question": "Is sick leave paid?", "tool_name": "sick"}]',
  ],
  ["Seven days a year."],
  ["It is paid in part."],
  ["Annual leave is seven days; sick leave is paid in part."],
]);

/** @param {RegExp} files */
async function engineOver(files) {
  const chosen = documents.filter(({ metadata }) => files.test(String(metadata.file)));
  const nodes = (await Promise.all(chosen.map((document) => splitter.split(document)))).flat();
  return retrieverQueryEngine({ retriever: memoryBm25Retriever({ nodes, topK: 2 }), model });
}

const tools = [
  { name: "annual", description: "annual leave", engine: await engineOver(/^annual/) },
  { name: "sick", description: "sick leave", engine: await engineOver(/^sick/) },
];

const router = routerQueryEngine({ routes: tools, selector: modelSelector({ model }), model });
const routed = await router.query("How many days of annual leave are there?");
console.log(await routed.text, routed.metadata.selections);

const whole = await subQuestionQueryEngine({ tools, model }).query("Compare annual and sick leave.");
console.log(await whole.text);
for (const { question, tool } of whole.metadata.subQuestions) console.log(`  ${tool}: ${question}`);
