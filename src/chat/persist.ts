/** A chat's memory in a file, in the form of Python LlamaIndex's SimpleChatStore. */
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { InvalidArgumentError, randomId } from "../schema/index.ts";
import type { ChatMemory, ChatMemoryJson, MemoryMessage } from "./memory.ts";

/** Python's name of the only conversation in a file. */
const KEY = "chat_history";

/**
 * Writes what a memory holds into a file, whole or not at all. Conversations under other keys in it stay, also those that are being saved at
 * the same time; of one conversation the last save counts.
 */
export async function saveChatMemory(memory: ChatMemory, file: string, key: string = KEY): Promise<void> {
  const json = memory.toJson();
  await mkdir(dirname(file), { recursive: true });
  await locked(file, () => write(json, file, key));
}

async function write({ messages, ...rest }: ChatMemoryJson, file: string, key: string): Promise<void> {
  const before = await read(file);
  const content = {
    ...before,
    store: { ...before?.store, [key]: messages.map(toPython) },
    // Python's loader leaves this alone.
    huiliu: { ...before?.huiliu, [key]: rest },
  };
  const fresh = `${file}.${randomId()}.new`;
  await writeFile(fresh, JSON.stringify(content));
  await rename(fresh, file);
}

/**
 * Reads what `saveChatMemory` or Python wrote: `json` of `chatMemory` and `queueMemory`. Undefined where there is no such file, or no such
 * conversation in it.
 *
 * @example const memory = chatMemory({ json: await loadChatMemory("./chat.json") });
 */
export async function loadChatMemory(file: string, key: string = KEY): Promise<ChatMemoryJson | undefined> {
  const content = await read(file);
  const list = content?.store && Object.hasOwn(content.store, key) ? content.store[key] : undefined;
  if (!list) return undefined;
  const rest = content?.huiliu && Object.hasOwn(content.huiliu, key) ? content.huiliu[key] : {};
  return { ...rest, messages: list.map((message) => fromPython(message, file)) };
}

/** A save takes milliseconds: a lock this old was left by a process that ended. */
const STALE_MS = 10_000;
const PATIENCE_MS = 30_000;

/** One save of a file at a time, also by other processes. */
async function locked(file: string, work: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`;
  const until = Date.now() + PATIENCE_MS;
  while (!(await taken(lock))) {
    if (Date.now() > until) {
      throw new InvalidArgumentError(
        "file",
        file,
        `${file} is being written by something else: remove ${lock} if nothing does`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  try {
    await work();
  } finally {
    await rm(lock, { force: true });
  }
}

async function taken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
    const known = await stat(lock).catch(() => undefined);
    if (known && Date.now() - known.mtimeMs > STALE_MS) await rm(lock, { force: true });
    return false;
  }
}

interface FileContent {
  store?: Record<string, PythonMessage[]>;
  huiliu?: Record<string, Omit<ChatMemoryJson, "messages">>;
}

interface PythonMessage {
  role?: unknown;
  content?: unknown;
  blocks?: unknown;
}

function toPython({ role, content }: MemoryMessage): object {
  return { role, additional_kwargs: {}, blocks: [{ block_type: "text", text: content }] };
}

/** Blocks of other kinds than text say nothing here. */
function fromPython({ role, content, blocks }: PythonMessage, file: string): MemoryMessage {
  const known = role === "chatbot" ? "assistant" : role === "function" ? "tool" : role;
  if (known !== "system" && known !== "user" && known !== "assistant" && known !== "tool") {
    throw new InvalidArgumentError("file", file, `${file} holds a message of the unknown role ${JSON.stringify(role)}`);
  }
  if (typeof content === "string") return { role: known, content };
  const texts = Array.isArray(blocks)
    ? blocks.flatMap((block) => (typeof block?.text === "string" ? [block.text] : []))
    : [];
  return { role: known, content: texts.join("\n") };
}

async function read(file: string): Promise<FileContent | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const content = JSON.parse(text) as unknown;
    if (typeof content === "object" && content !== null && !Array.isArray(content)) return content as FileContent;
  } catch {
    // Told below.
  }
  throw new InvalidArgumentError("file", file, `${file} does not hold a chat store`);
}
