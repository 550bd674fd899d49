/** A collection copied into memory, to be changed there. */
import type { estypes } from "@elastic/elasticsearch";
import { openCollection } from "../../collection/collection.ts";
import { recordsIndex } from "../../collection/layout.ts";
import type { Collection, CollectionOptions } from "../../collection/types.ts";
import { openEngine } from "../../elasticsearch/engine.ts";
import { type CallOptions, HuiliuError } from "../../schema/index.ts";
import type { ScratchCollection } from "./tuned-search.ts";

/** More passages than memory should be asked for. */
const MOST = 200_000;
const PAGE = 500;

/** @throws HuiliuError for a collection that is too large to be copied */
/** Copies a collection into memory, where settings can be tried without touching the original. */
export async function copyInMemory(
  collection: Collection,
  options: CallOptions & Pick<CollectionOptions, "boosts">,
): Promise<ScratchCollection> {
  const { signal, boosts } = options;
  const { passages } = await collection.status(signal ? { signal } : {});
  if (passages > MOST) {
    throw new HuiliuError(
      "COLLECTION_TOO_LARGE",
      `${collection.name} has ${passages} passages: k1 and b are tuned on a copy in memory, which holds at most ${MOST}; tune on a collection of a part of the documents`,
    );
  }
  const engine = await openEngine();
  try {
    const client = engine.client();
    for (const index of [recordsIndex(collection.name), collection.index]) {
      const { settings, mappings } = Object.values(await collection.client.indices.get({ index }))[0]!;
      const { analysis, similarity } = settings?.index ?? {};
      await client.indices.create({
        index,
        settings: { ...(analysis ? { analysis } : {}), ...(similarity ? { similarity } : {}) },
        ...(mappings ? { mappings } : {}),
      });
      await copyDocuments(collection, client, index, signal);
    }
    const copy = await openCollection(collection.name, {
      elasticsearch: client,
      embedding: collection.embedding,
      ...(boosts ? { boosts } : {}),
    });
    return {
      collection: copy,
      client,
      async close() {
        await copy.close();
        await engine.close();
      },
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function copyDocuments(
  from: Collection,
  client: Collection["client"],
  index: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const call = signal ? { signal } : {};
  let page: estypes.ScrollResponse | estypes.SearchResponse = await from.client.search(
    { index, size: PAGE, scroll: "5m", sort: ["_doc"] },
    call,
  );
  while (page.hits.hits.length > 0) {
    const operations = page.hits.hits.flatMap(({ _id, _source }) => [{ index: { _id: _id! } }, _source]);
    const { errors, items } = await client.bulk({ index, operations }, call);
    const failed = errors ? items.find((item) => item.index?.error)?.index?.error : undefined;
    if (failed) throw new HuiliuError("COPY_FAILED", `a passage cannot be copied: ${failed.reason ?? failed.type}`);
    page = await from.client.scroll({ scroll_id: page._scroll_id!, scroll: "5m" }, call);
  }
  if (page._scroll_id !== undefined) await from.client.clearScroll({ scroll_id: page._scroll_id });
  await client.indices.refresh({ index });
}
