/** The newest state of a document, by its id: out of the records alone, refreshed or not. */
import type { Mapping } from "../mapping/types.ts";
import type { StorageSnapshot } from "../storage/types.ts";
import { decodeDocState, decodeRouting, idKey, routingKey, sourceKey } from "./records.ts";
import type { StoredDocument } from "./types.ts";
import { PRIMARY_TERM } from "./versions.ts";

export function storedDocument(
  records: Pick<StorageSnapshot, "get">,
  uuid: string,
  id: string,
  mapping: Pick<Mapping, "keptSource">,
): StoredDocument | undefined {
  const known = records.get(idKey(uuid, id));
  if (known === undefined) return undefined;
  const { seqNo, version, deletedAt } = decodeDocState(known);
  const indexed = deletedAt === 0 ? records.get(sourceKey(uuid, seqNo)) : undefined;
  if (indexed === undefined) return undefined;
  const source = mapping.keptSource(indexed);
  const routing = decodeRouting(records.get(routingKey(uuid, seqNo)));
  return {
    id,
    source,
    indexed,
    version,
    seqNo,
    primaryTerm: PRIMARY_TERM,
    ...(routing === undefined ? {} : { routing }),
  };
}
