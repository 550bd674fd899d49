// A conversation over the handbook: the second message is understood by the first, and the memory is taken up from a file.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledEmbedding, chatMemory, loadChatMemory, saveChatMemory, vectorStoreIndex } from "huiliu";
import { handbookDocuments } from "./handbook-documents.js";
import { exampleModel } from "./model.js";

const index = await vectorStoreIndex({ documents: await handbookDocuments("zh"), embedding: bundledEmbedding() });
const model = await exampleModel([["婚假三天。"], ["再婚的婚假有几天？"], ["再婚", "也是三天。"]]);

const file = join(await mkdtemp(join(tmpdir(), "huiliu-chat-")), "chat.json");
const memory = chatMemory({ tokenLimit: 2000 });
const first = await index.asChatEngine({ model, memory, topK: 2 }).chat("婚假有几天？");
console.log(await first.text);
await saveChatMemory(memory, file);

const later = chatMemory({ json: await loadChatMemory(file) });
const second = await index.asChatEngine({ model, memory: later, topK: 2, streaming: true }).chat("再婚呢？");
for await (const piece of second.textStream) process.stdout.write(piece);
console.log(`\n${later.getAll().length} messages, ${second.sources.length} sources`);
