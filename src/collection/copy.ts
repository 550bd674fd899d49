/** Copying a collection to another place: both of its indices, so that it can be searched and added to there as here. */
import { resolve } from "node:path";
import type { Client } from "@elastic/elasticsearch";
import { type CopyOptions, copyIndex, prepareCopy } from "../elasticsearch/copy.ts";
import { CopyError } from "../elasticsearch/copy-index.ts";
import { CollectionNotFoundError, checkName, readMeta, recordsIndex } from "./layout.ts";
import { checkCluster, DEFAULT_DATA, openPlace, type Place } from "./place.ts";
import type { CopyCallOptions, CopyCollectionResult, CopyTarget } from "./types.ts";

export async function copyCollection(
  from: Place,
  name: string,
  target: Omit<CopyTarget, "name">,
  other: string,
  options: CopyCallOptions = {},
): Promise<CopyCollectionResult> {
  checkName(other);
  const meta = await readMeta(from.client, name);
  if (!meta) throw new CollectionNotFoundError(name, from.name);
  const to = await openTarget(from, target, other);
  try {
    if (to.client === from.client && other === name)
      throw new CopyError(name, "a collection cannot be copied to itself: give the copy another name");
    if (to.cluster) await checkCluster(to.cluster, meta);
    const pair = (source: string, copy: string): CopyOptions => ({
      from: { client: from.client, index: source },
      to: { client: to.client, index: copy },
      replicas: to.cluster !== undefined,
      ...(options.signal ? { signal: options.signal } : {}),
      ...(options.onRetry ? { onRetry: options.onRetry } : {}),
    });
    const passages = pair(name, other);
    // The passages' index is made first, and says until the end that the copy is not whole: nobody adds to it meanwhile.
    const { resumed } = await prepareCopy(passages);
    const records = await copyIndex(pair(recordsIndex(name), recordsIndex(other)));
    const copied = records.aborted
      ? { documents: await countOf(to.client, other), copied: 0, aborted: true }
      : await copyIndex({ ...passages, ...(options.onProgress ? { onProgress: options.onProgress } : {}) });
    return {
      name: other,
      place: to.name,
      files: records.documents,
      passages: copied.documents,
      copied: copied.copied,
      resumed,
      aborted: copied.aborted,
    };
  } finally {
    if (to.client !== from.client) await to.close();
  }
}

async function countOf(client: Client, index: string): Promise<number> {
  return (await client.count({ index })).count;
}

/** A folder is opened once: it may be the collection's own. */
async function openTarget(from: Place, target: Omit<CopyTarget, "name">, name: string): Promise<Place> {
  if (
    target.elasticsearch === undefined &&
    from.data !== undefined &&
    from.data === resolve(target.data ?? DEFAULT_DATA)
  )
    return from;
  return openPlace(name, target);
}
