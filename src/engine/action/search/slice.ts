/**
 * `slice`: one of several parts of the hits, so that several readers share a scroll or a point in time (Elasticsearch's SliceBuilder). Parts
 * are cut by the hash of ids, by the hash of a field's numbers, or, at a point in time, by the numbers of documents.
 */
import { illegalArgument } from "../../errors.ts";
import { settingOf } from "../../index/settings.ts";
import { METADATA_NAMES } from "../../mapping/metadata.ts";
import { shardError } from "../../query/dsl/index.ts";
import { matchAllQuery, matchNoneQuery } from "../../query/lucene/constant.ts";
import { iteratorQuery } from "../../query/lucene/iterator.ts";
import type { Query } from "../../query/types.ts";
import { numericBits } from "../../search/sort/index.ts";
import { bitSetIterator, FixedBitSet } from "../../segment/index.ts";
import type { LeafReader } from "../../segment/types.ts";
import type { Shard } from "./shard.ts";

export interface Slice {
  readonly id: number;
  readonly max: number;
  readonly field?: string;
}

/** @param shards how many there are in the search */
export function sliceQuery(slice: Slice, shard: Shard, shards: number, scroll: boolean): Query {
  const { id, max } = slice;
  const most = Number(settingOf(shard.index.settings, "max_slices_per_scroll") ?? 1024);
  if (max > most) {
    throw shardError(
      illegalArgument(
        `The number of slices [${max}] is too large. It must be less than [${most}]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.`,
      ),
    );
  }
  if (shards === 1) return partOf(slice, shard, scroll);
  const none = matchNoneQuery("this shard is not part of the slice");
  if (max < shards) return shard.number % max === id ? matchAllQuery() : none;
  const target = id % shards;
  if (target !== shard.number) return none;
  const parts = Math.floor(max / shards) + (max % shards > target ? 1 : 0);
  if (parts === 1) return matchAllQuery();
  return partOf({ ...slice, id: Math.floor(id / shards), max: parts }, shard, scroll);
}

function partOf(slice: Slice, shard: Shard, scroll: boolean): Query {
  const { id, max, field } = slice;
  const contains = (hash: bigint) => ((hash % BigInt(max)) + BigInt(max)) % BigInt(max) === BigInt(id);
  if (field === "_id" || (field === undefined && scroll)) {
    if (!scroll) throw shardError(illegalArgument("cannot slice on [_id] when using [point-in-time]"));
    return documents(
      slice,
      "TermsSliceQuery",
      ({ segment }) =>
        (doc) =>
          contains(BigInt(murmur3(encodeId(segment.id(doc))))),
    );
  }
  if (field === undefined) {
    const size = Math.floor(shard.snapshot.maxDoc / max);
    const rest = shard.snapshot.maxDoc % max;
    const start = id < rest ? (size + 1) * id : size * id + rest;
    const end = start + size + (id < rest ? 1 : 0);
    return documents(
      slice,
      "DocIdSliceQuery",
      ({ docBase }) =>
        (doc) =>
          doc + docBase >= start && doc + docBase < end,
    );
  }
  const bits = fieldBits(field, shard);
  return documents(slice, "DocValuesSliceQuery", (leaf) => {
    const values = bits(leaf);
    return (doc) => {
      const found = values(doc);
      // A document without a value is in the slice of 0.
      return found.length === 0 ? contains(0n) : found.some((value) => contains(mix64(value)));
    };
  });
}

function fieldBits(field: string, { context }: Shard) {
  if (!METADATA_NAMES.includes(field) && !context.mapping.field(field)) {
    throw shardError(illegalArgument(`field ${field} not found`));
  }
  const bits = numericBits(field, context);
  if (!bits) throw shardError(illegalArgument(`cannot load numeric doc values on ${field}`));
  return bits;
}

/** Root documents that are in the slice. */
function documents(
  { id, max, field }: Slice,
  className: string,
  make: (leaf: LeafReader) => (doc: number) => boolean,
): Query {
  const iterator = (leaf: LeafReader) => {
    const { maxDoc } = leaf.segment;
    const roots = leaf.segment.roots();
    const matches = make(leaf);
    const bits = new FixedBitSet(maxDoc);
    for (let doc = 0; doc < maxDoc; doc++) {
      if ((roots === undefined || roots.get(doc)) && matches(doc)) bits.set(doc);
    }
    return bitSetIterator(bits, bits.cardinality());
  };
  return iteratorQuery(`SliceQuery[id=${id}, max=${max}, field=${field ?? "_id"}]`, iterator, { className });
}

/** The lower half of a 64-bit mix, as an int (hppc's BitMixer.mix). */
function mix64(value: bigint): bigint {
  const u64 = (n: bigint) => BigInt.asUintN(64, n);
  let z = u64(value);
  z = u64((z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn);
  z = u64((z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n);
  return BigInt.asIntN(32, z ^ (z >> 32n));
}

/** An id as Elasticsearch indexes it (Uid.encodeId): digits two to a byte, base64 as its bytes, everything else marked as text. */
export function encodeId(id: string): Uint8Array {
  if (/^\d+$/.test(id)) {
    const bytes = new Uint8Array(1 + ((id.length + 1) >> 1));
    bytes[0] = 0xfe;
    for (let i = 0; i < id.length; i += 2) {
      const second = i + 1 === id.length ? 0x0f : Number(id[i + 1]);
      bytes[1 + (i >> 1)] = (Number(id[i]) << 4) | second;
    }
    return bytes;
  }
  if (isBase64(id)) {
    const decoded = Uint8Array.from(atob(id.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return decoded[0] >= 0xfd ? Uint8Array.of(0xfd, ...decoded) : decoded;
  }
  return Uint8Array.of(0xff, ...new TextEncoder().encode(id));
}

/** Whether a text is what encoding its bytes gives, so that decoding loses nothing. */
function isBase64(id: string): boolean {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) return false;
  const last = id[id.length - 1];
  switch (id.length & 3) {
    case 0:
      return true;
    case 2:
      return "AQgw".includes(last);
    case 3:
      return "AEIMQUYcgkosw048".includes(last);
    default:
      return false;
  }
}

/** MurmurHash3's 32-bit variant with Lucene's seed for slices. */
function murmur3(bytes: Uint8Array): number {
  const [c1, c2] = [0xcc9e2d51, 0x1b873593];
  const rotate = (value: number, by: number) => (value << by) | (value >>> (32 - by));
  let h = 7919;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const k = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    h ^= Math.imul(rotate(Math.imul(k, c1), 15), c2);
    h = (Math.imul(rotate(h, 13), 5) + 0xe6546b64) | 0;
  }
  let k = 0;
  for (let i = bytes.length - 1; i >= whole; i--) k |= bytes[i] << (8 * (i - whole));
  if (whole < bytes.length) h ^= Math.imul(rotate(Math.imul(k, c1), 15), c2);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) | 0;
}
