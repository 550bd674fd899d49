// The handbook as tools of the AI SDK: the model decides to search, reads what was found, and answers.
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { openCollection } from "huiliu";
import { aiSdkTools } from "huiliu/ai-sdk";
import { openEngine } from "huiliu/engine";
import { handbookDocuments } from "./handbook-documents.js";

const engine = await openEngine();
const handbook = await openCollection("handbook", { elasticsearch: engine.client() });
await handbook.addDocuments(await handbookDocuments("en"));

// Stands for any model of the AI SDK that calls tools: it searches, then says what it read first.
const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } };
const model = new MockLanguageModelV3({
  doGenerate: async ({ prompt }) => {
    const results = prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
    if (results.length === 0) {
      const input = JSON.stringify({ query: "days of annual leave", topK: 1 });
      const call = { type: "tool-call", toolCallId: "1", toolName: "search", input };
      return { content: [call], finishReason: { unified: "tool-calls" }, usage, warnings: [] };
    }
    const text = `Read: ${results[0].output.value.split("\n")[0]}`;
    return { content: [{ type: "text", text }], finishReason: { unified: "stop" }, usage, warnings: [] };
  },
});

const { text, steps } = await generateText({
  model,
  tools: aiSdkTools(handbook),
  stopWhen: stepCountIs(5),
  prompt: "How many days of annual leave do I get?",
});
console.log(
  steps.flatMap(({ toolCalls }) => toolCalls).map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`),
);
console.log(text);
await engine.close();
