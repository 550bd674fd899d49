/** Removing files from a collection, by file, folder or id. */
import type { CallOptions } from "../schema/index.ts";
import type { AddTarget } from "./add.ts";
import { findRecords } from "./document.ts";
import { isInside } from "./paths.ts";
import { type FileRecord, listRecords } from "./records.ts";
import { refreshBoth } from "./refresh.ts";
import type { RemoveResult } from "./types.ts";
import { collectionWriter } from "./writer.ts";

export async function removeFiles(target: AddTarget, names: string[], options: CallOptions): Promise<RemoveResult> {
  const { client, collection } = target;
  const found = new Map<string, FileRecord>();
  const folders: string[] = [];
  for (const name of names) {
    const records = await findRecords(client, collection, name, options);
    if (records.size === 0) folders.push(name);
    for (const [key, record] of records) found.set(key, record);
  }
  const seen = new Set<string>();
  if (folders.length > 0) {
    for await (const record of listRecords(client, collection, options)) {
      for (const folder of folders) {
        if (!isInside(record, folder)) continue;
        seen.add(folder);
        found.set(record.key, record);
      }
    }
  }
  const writer = collectionWriter(target);
  const removed: string[] = [];
  let failure: Error | undefined;
  for (const record of found.values()) {
    options.signal?.throwIfAborted();
    await writer.remove(
      record,
      (error) => {
        if (error) failure ??= error;
        else removed.push(record.file);
      },
      options,
    );
  }
  await writer.flush(options);
  await refreshBoth(client, collection);
  if (failure) throw failure;
  return { removed: removed.sort(), missing: folders.filter((folder) => !seen.has(folder)) };
}
