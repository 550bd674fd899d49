/** A hit on its way to the page: its document is read when a part of the fetch phase asks for it, and once. */
import { parseJson } from "../../../json/parse.ts";
import type { JsonObject } from "../../../json/types.ts";
import { writeJson } from "../../../json/write.ts";
import type { FetchProfile } from "../../../search/profile/fetch-profile.ts";
import type { LeafReader } from "../../../segment/types.ts";
import { type NestedIdentity, nestedIdentity, nestedSource } from "../inner-hits/nested-identity.ts";
import type { Shard, ShardHit } from "../shard.ts";
import type { FetchedHit } from "./types.ts";

export function fetchedHit(hit: ShardHit, profile: () => FetchProfile | undefined): FetchedHit {
  const leaf = leafOf(hit.shard, hit.doc);
  return new StoredHit(hit, leaf, hit.doc - leaf.docBase, profile);
}

/** A class: there are ten of them in a usual search, and few are asked for more than their place. */
class StoredHit implements FetchedHit {
  readonly nested: NestedIdentity | undefined;
  #bytes: { readonly source: Uint8Array | undefined } | undefined;
  #object: JsonObject | undefined;
  #indexed: JsonObject | undefined;

  constructor(
    readonly hit: ShardHit,
    readonly leaf: LeafReader,
    readonly local: number,
    readonly profile: () => FetchProfile | undefined,
  ) {
    this.nested = nestedIdentity(leaf, local, hit.shard.context.mapping);
  }

  source(): Uint8Array | undefined {
    const { nested } = this;
    this.#bytes ??= {
      source: nested === undefined ? this.#stored() : new TextEncoder().encode(writeJson(this.#object ?? this.#read())),
    };
    return this.#bytes.source;
  }

  indexed(): JsonObject {
    const { snapshot } = this.hit.shard;
    this.#indexed ??= this.#own(parseJson(snapshot.indexed(this.leaf, this.#root()) ?? "{}") as JsonObject);
    return this.#indexed;
  }

  object(): JsonObject {
    this.#object ??= this.#read();
    return this.#object;
  }

  #read(): JsonObject {
    return this.#own(parseJson(this.#stored() ?? "{}") as JsonObject);
  }

  #stored(): Uint8Array | undefined {
    const load = () => this.hit.shard.snapshot.source(this.leaf, this.#root());
    const measured = this.profile();
    return measured ? measured.reading(load) : load();
  }

  #own(root: JsonObject): JsonObject {
    return this.nested === undefined ? root : nestedSource(root, this.nested);
  }

  #root(): number {
    const { leaf, local, nested } = this;
    return nested === undefined ? local : (leaf.segment.roots()?.nextSetBit(local) ?? local);
  }
}

/** The segment of a document. */
function leafOf(shard: Shard, doc: number): LeafReader {
  const { leaves } = shard.snapshot;
  let low = 0;
  let high = leaves.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (leaves[middle].docBase <= doc) low = middle;
    else high = middle - 1;
  }
  return leaves[low];
}
