/** The handbook of the examples as a collection in memory of this process. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection, CollectionOptions } from "../../src/collection/types.ts";

const HANDBOOK = fileURLToPath(new URL("../../examples/handbook", import.meta.url));

export interface OpenHandbook {
  collection: Collection;
  close(): Promise<void>;
}

/** Both languages in one index. */
export async function openHandbook(options: CollectionOptions = {}, name = "handbook"): Promise<OpenHandbook> {
  const data = await mkdtemp(join(tmpdir(), "huiliu-catalogue-"));
  const collection = await openCollection(name, { data, ...options });
  await addHandbook(collection);
  return {
    collection,
    async close() {
      await collection.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

export async function addHandbook(collection: Collection): Promise<void> {
  const { failed } = await collection.add(["zh", "en"].map((lang) => relative(process.cwd(), join(HANDBOOK, lang))));
  if (failed.length > 0) throw failed[0]!.error;
}

/** The section of a hit, such as `zh/marriage-leave`. */
export function sectionOf(hit: { node: { metadata: Record<string, unknown> } }): string {
  return /([^/]+\/[^/]+)\.md$/.exec(String(hit.node.metadata["file"]))?.[1] ?? "";
}
