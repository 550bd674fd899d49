/** Requests and responses of the REST layer: HTTP without a socket. */
import type { JsonNumber } from "../json/types.ts";

export interface RestRequest {
  readonly method: string;
  /** Path as it is sent, percent-encoded. The query may follow it after `?`, or stand in `query`. */
  readonly path: string;
  /** The query string (without `?`) or its decoded parameters. */
  readonly query?: string | Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
}

export interface RestResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for HEAD. */
  readonly body: string;
}

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

/** What an action answers: a JSON body, or plain text for `_cat`. */
export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
} & ({ readonly body: ResponseValue } | { readonly text: string });
