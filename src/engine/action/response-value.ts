/** What actions answer with. */
import type { JsonNumber } from "../json/types.ts";

/** A value of a response. Bytes are JSON already (a document's source) and are written as they stand. */
export type ResponseValue =
  | null
  | boolean
  | number
  | string
  | JsonNumber
  | Uint8Array
  | readonly ResponseValue[]
  | { readonly [key: string]: ResponseValue | undefined };
