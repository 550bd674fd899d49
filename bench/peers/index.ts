/** All peers, by name. Huiliu is what the others are measured beside. */
import { elasticsearch } from "./elasticsearch.ts";
import { flexsearch } from "./flexsearch.ts";
import { hnswlib } from "./hnswlib.ts";
import { huiliu } from "./huiliu.ts";
import { lancedb } from "./lancedb.ts";
import { lucene } from "./lucene.ts";
import { minisearch } from "./minisearch.ts";
import { orama } from "./orama.ts";
import { sqlite } from "./sqlite.ts";
import type { Peer } from "./types.ts";
import { zvec } from "./zvec.ts";

export { huiliu };

export function peersWith(node: string | undefined): Peer[] {
  return [
    minisearch,
    orama,
    flexsearch,
    sqlite,
    hnswlib,
    lancedb,
    zvec,
    lucene,
    ...(node === undefined ? [] : [elasticsearch(node)]),
  ];
}
