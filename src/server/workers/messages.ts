/** What the server's thread and its searching threads tell each other. */
import type { RestRequest, RestResponse } from "../../engine/rest/types.ts";

export interface WorkerData {
  /** The data folder. */
  readonly data: string;
}

/** A request, or that nobody waits for its answer any more, or that it is time to end. */
export type ToWorker =
  | { readonly id: number; readonly request: Omit<RestRequest, "signal"> }
  | { readonly stop: number }
  | { readonly end: true };

export type FromWorker =
  | { readonly ready: true }
  | { readonly id: number; readonly answer: RestResponse }
  | { readonly id: number; readonly failure: string };
