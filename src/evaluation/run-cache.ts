/** Runs that are kept on disk: an evaluation that was cut short goes on where it stopped, and what was asked is not asked again. */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Collection } from "../collection/types.ts";
import { type CallOptions, sha256 } from "../schema/index.ts";

/** What one strategy found for one question. */
export interface Asked {
  ranking: string[];
  /** How long it took; missing where it was searched elsewhere. */
  ms?: number;
}

/** Keeps what was found, so that a run goes on where it stopped. */
export interface RunCache {
  get(key: string): Asked | undefined;
  set(key: string, asked: Asked): Promise<void>;
}

/** A cache in a file, a line for each question. What of it cannot be read (a line that was cut off) is asked again. */
export async function fileRunCache(file: string): Promise<RunCache> {
  const known = new Map<string, Asked>();
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  for (const line of text.split("\n")) {
    const entry = readEntry(line);
    if (entry) known.set(entry.key, entry);
  }
  await mkdir(dirname(file), { recursive: true });
  // What comes after half a line begins a line of its own.
  if (text !== "" && !text.endsWith("\n")) await appendFile(file, "\n");
  return {
    get: (key) => known.get(key),
    async set(key, asked) {
      known.set(key, asked);
      await appendFile(file, `${JSON.stringify({ key, ...asked })}\n`);
    },
  };
}

function readEntry(line: string): ({ key: string } & Asked) | undefined {
  try {
    const { key, ranking, ms } = JSON.parse(line) as { key: unknown; ranking: unknown; ms: unknown };
    const whole =
      typeof key === "string" &&
      typeof ms === "number" &&
      Array.isArray(ranking) &&
      ranking.every((id) => typeof id === "string");
    return whole ? { key, ranking: ranking as string[], ms } : undefined;
  } catch {
    return undefined;
  }
}

/** What a collection holds, as one text: it changes with every document that is added, replaced or removed. */
export async function collectionFingerprint(collection: Collection, options: CallOptions = {}): Promise<string> {
  const { embedding, analysis, weights, passages } = await collection.status(options);
  const records: string[] = [];
  for await (const { id, added, bytes } of collection.list(options)) records.push(`${id} ${added} ${bytes}`);
  return sha256(JSON.stringify([embedding, analysis, weights, passages, records.sort()]));
}
