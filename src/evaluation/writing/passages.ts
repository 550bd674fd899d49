/** The passages of a collection, as what questions are written from. */
import type { estypes } from "@elastic/elasticsearch";
import type { Collection } from "../../collection/types.ts";
import { METADATA_FIELD, TEXT_FIELD } from "../../elasticsearch/layout.ts";
import type { CallOptions } from "../../schema/index.ts";
import type { SourcePassage } from "./write-questions.ts";

const PAGE = 1000;

/** All passages of a collection, for writing questions from. */
export async function collectionPassages(
  collection: Collection,
  { signal }: CallOptions = {},
): Promise<SourcePassage[]> {
  const { client, index } = collection;
  const call = signal ? { signal } : {};
  const out: SourcePassage[] = [];
  const _source = [TEXT_FIELD, `${METADATA_FIELD}.file`, `${METADATA_FIELD}.heading`];
  let page: estypes.SearchResponse | estypes.ScrollResponse = await client.search(
    { index, size: PAGE, scroll: "5m", sort: ["_doc"], _source },
    call,
  );
  while (page.hits.hits.length > 0) {
    for (const hit of page.hits.hits) out.push(passageOf(hit));
    page = await client.scroll({ scroll_id: page._scroll_id!, scroll: "5m" }, call);
  }
  if (page._scroll_id !== undefined) await client.clearScroll({ scroll_id: page._scroll_id });
  return out;
}

function passageOf({ _id, _source }: estypes.SearchHit): SourcePassage {
  const source = _source as Record<string, unknown>;
  const { file, heading } = (source[METADATA_FIELD] ?? {}) as { file?: unknown; heading?: unknown };
  return {
    id: _id!,
    text: String(source[TEXT_FIELD] ?? ""),
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof heading === "string" ? { heading } : {}),
  };
}
