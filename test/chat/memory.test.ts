import { mkdtemp, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatMemory, loadChatMemory, type MemoryMessage, queueMemory, saveChatMemory } from "../../src/chat/index.ts";
import { mockLanguageModel } from "../../src/testing.ts";

const tokenizer = { name: "words", count: (text: string) => text.split(/\s+/).filter(Boolean).length };
const talk = (turns: number): MemoryMessage[] =>
  Array.from({ length: turns * 2 }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: `m${i} w w w w` }));

describe("conversations in one file", () => {
  it("are saved at the same time without losing one, and no lock is left behind", async () => {
    const folder = await mkdtemp(join(tmpdir(), "huiliu-chat-"));
    const file = join(folder, "chats.json");
    const keys = Array.from({ length: 12 }, (_, i) => (i === 0 ? "__proto__" : `chat ${i}`));
    const saving = keys.map((key) =>
      saveChatMemory(queueMemory({ tokenizer, messages: [{ role: "user", content: key }] }), file, key),
    );
    await Promise.all(saving);
    for (const key of keys)
      expect((await loadChatMemory(file, key))!.messages).toEqual([{ role: "user", content: key }]);
    expect(await readdir(folder)).toEqual(["chats.json"]);
    // What a process left that ended while it was saving.
    await writeFile(`${file}.lock`, "");
    await utimes(`${file}.lock`, new Date(0), new Date(0));
    await saveChatMemory(queueMemory({ tokenizer, messages: talk(1) }), file, "after");
    expect((await loadChatMemory(file, "after"))!.messages).toEqual(talk(1));
  });
});

describe("a memory with a summary", () => {
  it("sums up what no longer fits, and goes on from the summary it has", async () => {
    const model = mockLanguageModel({ answers: ["first {summary_str}", "second", "third"] });
    const memory = chatMemory({ tokenLimit: 20, tokenizer, messages: talk(2), summarize: { model, tokens: 6 } });
    expect(await memory.get()).toEqual(talk(2));
    await memory.put(...talk(3).slice(4));
    const given = await memory.get();
    expect(given.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    expect(given[0]!.content).toContain("first {summary_str}");
    expect(model.calls[0]!.prompt).toContain("user: m0 w w w w\nassistant: m1");
    expect(await memory.get()).toEqual(given);
    expect(model.calls).toHaveLength(1);
    await memory.put(...talk(4).slice(6));
    await memory.get();
    expect(model.calls[1]!.prompt).toContain("first {summary_str}");
    expect(model.calls[1]!.prompt).not.toContain("m0 w");
    expect(memory.getAll()).toHaveLength(8);
  });

  it("keeps a summary within its tokens, and asks no model for nothing", async () => {
    const model = mockLanguageModel({ answers: ["word ".repeat(500)] });
    const memory = chatMemory({ tokenLimit: 20, tokenizer, messages: talk(6), summarize: { model, tokens: 4 } });
    const [summary] = await memory.get();
    expect(tokenizer.count(summary!.content)).toBeLessThan(20);
    await memory.reset();
    expect(await memory.get()).toEqual([]);
  });
});

describe("a memory in a file", () => {
  it("is taken up again with its summary, and its file is one that Python reads", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "chat-")), "deep", "chat.json");
    const model = mockLanguageModel({ answers: ["so far"] });
    const options = { tokenLimit: 20, tokenizer, summarize: { model, tokens: 6 } };
    const memory = chatMemory({ ...options, messages: talk(3) });
    const given = await memory.get();
    await saveChatMemory(memory, file);
    await saveChatMemory(queueMemory({ tokenizer, messages: talk(1) }), file, "other");
    const stored = JSON.parse(await readFile(file, "utf8"));
    expect(stored.store.chat_history[0]).toEqual({
      role: "user",
      additional_kwargs: {},
      blocks: [{ block_type: "text", text: "m0 w w w w" }],
    });
    const json = await loadChatMemory(file);
    expect(await chatMemory({ ...options, json: json! }).get()).toEqual(given);
    expect(model.calls).toHaveLength(1);
    expect((await loadChatMemory(file, "other"))!.messages).toEqual(talk(1));
    expect(await loadChatMemory(file, "__proto__")).toBeUndefined();
    expect(await loadChatMemory(`${file}.none`)).toBeUndefined();
  });

  it("is refused where it is damaged", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "chat-")), "chat.json");
    for (const text of ["", "[]", "null", "{"]) {
      await writeFile(file, text);
      await expect(loadChatMemory(file)).rejects.toThrow(/does not hold a chat store/);
    }
    await writeFile(file, '{"store": {"chat_history": [{"role": "king", "content": "x"}]}}');
    await expect(loadChatMemory(file)).rejects.toThrow(/unknown role "king"/);
  });
});

it("a memory takes messages, and nothing else", async () => {
  await expect(chatMemory().put({ role: "user", content: 1 as never })).rejects.toThrow(/role .* and a content/);
  expect(() => queueMemory({ messages: [null as never] })).toThrow(/role/);
  expect(() => chatMemory({ tokenLimit: 0 })).toThrow(/at least 1/);
  expect(() => queueMemory({ historyRatio: 2 })).toThrow(/historyRatio/);
});
