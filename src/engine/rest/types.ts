/** Requests and responses of the REST layer: HTTP without a socket. */
import type { ResponseValue } from "../action/response-value.ts";
import type { View } from "../action/view.ts";

/** A request of Elasticsearch's API, without a network. */
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
  /** What the caller may see. Left out: everything. */
  readonly view?: View;
}

/** The answer to a request: status, headers and body. */
export interface RestResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for HEAD. */
  readonly body: string;
}

export type { ResponseValue };

/** What an action answers: a JSON body, or plain text for `_cat`. */
export type Reply = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
} & ({ readonly body: ResponseValue } | { readonly text: string });
