import type { Client } from "@elastic/elasticsearch";
import { recordsIndex } from "./layout.ts";

/** Makes what was written visible to searches. */
export async function refreshBoth(client: Client, collection: string): Promise<void> {
  await client.indices.refresh({ index: [collection, recordsIndex(collection)] });
}
