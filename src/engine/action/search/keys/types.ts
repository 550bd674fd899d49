/** What a feature of a search reads. */
import type { JsonObject } from "../../../json/types.ts";
import type { Params } from "../../params.ts";
import type { Draft } from "../request.ts";

/** Kinds of value that a key may have; for another kind the key is unknown (SearchSourceBuilder reads keys by their token). */
export type Kind = "object" | "list" | "scalar";

/** A key of the body. `body[key]` has one of the kinds and is not null. */
export interface BodyKey {
  readonly kinds: readonly Kind[];
  read(body: JsonObject, key: string, draft: Draft): void;
}

export interface RequestFeature {
  readonly keys?: Readonly<Record<string, BodyKey>>;
  /** Reads its parameters of the URL, which win over the body. */
  readonly params?: (params: Params, draft: Draft, path: string) => void;
  /** When body and URL are read: what is wrong with them together, as Elasticsearch's validation says it. */
  readonly validate?: (draft: Draft) => readonly string[];
}
