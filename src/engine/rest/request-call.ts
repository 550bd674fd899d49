/** A request as its action sees it. */
import type { Rerankers, SearchContexts } from "../action/search/index.ts";
import type { View } from "../action/view.ts";
import type { IndexRegistry } from "../index/types.ts";
import type { JsonValue } from "../json/types.ts";
import type { Call } from "./call.ts";
import type { Params } from "./params.ts";
import type { RestRequest } from "./types.ts";
import { checkQueries, checkSearch } from "./view-rules.ts";

/** A class, as every request makes one and getters of a literal are slow to make. */
export class RequestCall implements Call {
  readonly body: Uint8Array | string;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
  readonly view: View | undefined;
  /** Whether the action has asked for a body. */
  bodyRead = false;

  constructor(
    request: RestRequest,
    readonly method: string,
    readonly registry: IndexRegistry,
    readonly contexts: SearchContexts,
    readonly rerankers: Rerankers,
    readonly params: Params,
    readonly wantsJson: boolean,
  ) {
    this.body = request.body ?? "";
    this.path = request.path;
    this.signal = request.signal;
    this.view = request.view;
  }

  get hasBody(): boolean {
    this.bodyRead = true;
    return this.body.length > 0;
  }

  bytes(): Uint8Array {
    const body = this.raw();
    return typeof body === "string" ? new TextEncoder().encode(body) : body;
  }

  raw(): Uint8Array | string {
    this.bodyRead = true;
    return this.body;
  }

  checkSearch(search: JsonValue | undefined): void {
    if (this.view?.filter !== undefined) checkSearch(search);
  }

  checkQueries(value: JsonValue | undefined): void {
    if (this.view?.filter !== undefined) checkQueries(value);
  }
}
