/** Removing files from a collection, by file, folder or id. */
import type { CallOptions } from "../schema/index.ts";
import type { AddTarget } from "./add.ts";
import { type FileRecord, fileKey, getRecords, listRecords } from "./records.ts";
import { refreshBoth } from "./refresh.ts";
import type { RemoveResult } from "./types.ts";
import { collectionWriter } from "./writer.ts";

export async function removeFiles(target: AddTarget, names: string[], options: CallOptions): Promise<RemoveResult> {
  const { client, collection } = target;
  const found = new Map<string, FileRecord>();
  const missing: string[] = [];
  const folders: string[] = [];
  for (const name of names) {
    const records = await getRecords(client, collection, [fileKey(normalized(name)), name], options);
    if (records.size === 0) folders.push(name);
    for (const [key, record] of records) found.set(key, record);
  }
  if (folders.length > 0) {
    const seen = new Set<string>();
    for await (const record of listRecords(client, collection, options)) {
      for (const folder of folders) {
        if (!isBelow(record.file, normalized(folder))) continue;
        seen.add(folder);
        found.set(record.key, record);
      }
    }
    missing.push(...folders.filter((folder) => !seen.has(folder)));
  }
  const writer = collectionWriter(target);
  const removed: string[] = [];
  let failure: Error | undefined;
  for (const record of found.values()) {
    options.signal?.throwIfAborted();
    await writer.remove(record, (error) => {
      if (error) failure ??= error;
      else removed.push(record.file);
    });
  }
  await writer.flush();
  await refreshBoth(client, collection);
  if (failure) throw failure;
  return { removed: removed.sort(), missing };
}

/** As files are stored: with `/`, without a leading `./` and a trailing `/`. */
export function normalized(name: string): string {
  return name
    .replaceAll("\\", "/")
    .replace(/^(\.\/)+/, "")
    .replace(/\/+$/, "");
}

/** True for what lies in a folder (`.` is the folder of all relative paths). */
export function isBelow(file: string, folder: string): boolean {
  if (folder === "." || folder === "") return !file.startsWith("/") && !file.startsWith("../");
  return file === folder || file.startsWith(`${folder}/`);
}
