/**
 * Writing many documents to either place: bodies of bounded size, one at a time; what a busy cluster did not take is sent again after a wait that
 * doubles; and the fate of each document is told. Every operation names its document's id, so that sending one twice writes it once.
 */
import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import type { CallOptions } from "../schema/index.ts";
import { isPlaced } from "./cluster.ts";
import { ClusterError, reasonOf } from "./cluster-errors.ts";

/** Far below what Elasticsearch takes (`http.max_content_length`, 100 MB), and large enough to be fast. */
const MAX_BYTES = 5_000_000;
const MAX_OPERATIONS = 1000;
/** Waits of half a second to 16 seconds: half a minute together. */
const RETRIES = 6;
const FIRST_WAIT_MS = 500;

/** One document to write, or to remove where it has no source. */
export interface BulkOperation {
  index: string;
  id: string;
  routing?: string;
  /** The document as JSON in one line. */
  source?: string;
}

/** An operation that was refused, with the reason that the place gave. */
export interface BulkFailure {
  type: string;
  reason: string;
  status: number;
}

/** How `bulk` writes: sizes of its requests, repetition, progress. */
export interface BulkOptions extends CallOptions {
  /** Largest body of a request. A single document may be larger. Default 5 MB. */
  maxBytes?: number;
  /** How often what was not taken for now is sent again. Default 6. */
  retries?: number;
  /** Before the first of these; the next ones are twice as long each. Default 500. */
  firstWaitMs?: number;
  /** Ingest pipeline; `_none` where documents have been through the index's own already. */
  pipeline?: string;
  /** Told before each wait. */
  onRetry?: (waiting: { operations: number; ms: number; reason: string }) => void;
}

/** What `bulk` did: how many operations succeeded, and those that were refused. */
export interface BulkSummary {
  /** Operations that were taken. */
  done: number;
  failed: { operation: BulkOperation; failure: BulkFailure }[];
  aborted: boolean;
}

/**
 * Writes documents as they come: the next are asked for when those before have been sent.
 *
 * @example await bulk(client, rows.map((row) => ({ index: "books", id: row.id, source: JSON.stringify(row) })), { onProgress: ({ done }) => bar.update(done) })
 */
export async function bulk(
  client: Client,
  operations: Iterable<BulkOperation> | AsyncIterable<BulkOperation>,
  options: BulkOptions & { onProgress?: (progress: { done: number; failed: number }) => void } = {},
): Promise<BulkSummary> {
  const { onProgress, ...own } = options;
  const summary: BulkSummary = { done: 0, failed: [], aborted: false };
  for await (const part of partsOf(operations, options.maxBytes ?? MAX_BYTES)) {
    if (options.signal?.aborted) return { ...summary, aborted: true };
    const fates = await sendBulk(client, part, own);
    for (const [i, failure] of fates.entries()) {
      if (failure) summary.failed.push({ operation: part[i]!, failure });
      else summary.done++;
    }
    onProgress?.({ done: summary.done, failed: summary.failed.length });
  }
  return summary;
}

/**
 * Sends operations and tells the fate of each: nothing, or why it was refused. An abort ends the waits: what was not taken then is told as
 * refused. Requests that are under way are waited for, so that it is known what was done.
 *
 * @throws what kept a whole request from being answered
 */
export async function sendBulk(
  client: Client,
  operations: readonly BulkOperation[],
  options: BulkOptions = {},
): Promise<(BulkFailure | undefined)[]> {
  const fates: (BulkFailure | undefined)[] = [];
  for await (const part of partsOf(operations, options.maxBytes ?? MAX_BYTES)) {
    fates.push(...(await sendPart(client, part, options)));
  }
  return fates;
}

/** What goes into one request. */
async function* partsOf(
  operations: Iterable<BulkOperation> | AsyncIterable<BulkOperation>,
  maxBytes: number,
): AsyncGenerator<BulkOperation[]> {
  let part: BulkOperation[] = [];
  let bytes = 0;
  for await (const operation of operations) {
    const size = sizeOf(operation);
    if (part.length > 0 && (bytes + size > maxBytes || part.length === MAX_OPERATIONS)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(operation);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** With room for the line of the action. */
function sizeOf({ id, source }: BulkOperation): number {
  return 100 + Buffer.byteLength(id) + (source === undefined ? 0 : Buffer.byteLength(source));
}

async function sendPart(
  client: Client,
  part: readonly BulkOperation[],
  options: BulkOptions,
): Promise<(BulkFailure | undefined)[]> {
  const { signal, retries = RETRIES, firstWaitMs = FIRST_WAIT_MS, onRetry } = options;
  const fates: (BulkFailure | undefined)[] = part.map(() => undefined);
  let places = part.map((_, i) => i);
  for (let attempt = 0; ; attempt++) {
    const mayWait = attempt < retries && !signal?.aborted;
    const wait = async (reason: string) => {
      // Between half and all of it, so that many writers do not come back together.
      const ms = firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);
      onRetry?.({ operations: places.length, ms, reason });
      await pause(ms, signal);
    };
    let answer: estypes.BulkResponse;
    try {
      answer = await request(
        client,
        places.map((i) => part[i]!),
        options,
      );
    } catch (error) {
      if (isTooLarge(error)) {
        const halves = await sendHalves(
          client,
          places.map((i) => part[i]!),
          options,
        );
        for (const [k, i] of places.entries()) fates[i] = halves[k];
        return fates;
      }
      if (!mayWait || !isForNow(error)) throw error;
      await wait((error as Error).message);
      if (signal?.aborted) throw error;
      continue;
    }
    const again: number[] = [];
    for (const [k, i] of places.entries()) {
      const { status, error } = Object.values(answer.items[k]!)[0]!;
      fates[i] = error ? { type: error.type, reason: error.reason ?? error.type, status } : undefined;
      if (error && isTakenLater(status, error.type)) again.push(i);
    }
    if (again.length === 0 || !mayWait) return fates;
    places = again;
    await wait(fates[again[0]!]!.reason);
    if (signal?.aborted) return fates;
  }
}

async function request(
  client: Client,
  part: readonly BulkOperation[],
  { pipeline }: BulkOptions,
): Promise<estypes.BulkResponse> {
  const operations = part.flatMap(({ index, id, routing, source }) => {
    const names = { _index: index, _id: id, ...(routing === undefined ? {} : { routing }) };
    return source === undefined ? [JSON.stringify({ delete: names })] : [JSON.stringify({ index: names }), source];
  });
  const body = { operations, ...(pipeline === undefined ? {} : { pipeline }) };
  // Waits are ours where we know the error; a client that was handed in has its own.
  return client.bulk(body, isPlaced(client) ? { maxRetries: 0 } : {});
}

/** The node takes smaller bodies than it was sent. A document that is too large alone is refused. */
async function sendHalves(
  client: Client,
  part: readonly BulkOperation[],
  options: BulkOptions,
): Promise<(BulkFailure | undefined)[]> {
  if (part.length === 1) {
    return [{ type: "request_entity_too_large", reason: "the document is larger than a request may be", status: 413 }];
  }
  const middle = part.length >> 1;
  return [
    ...(await sendPart(client, part.slice(0, middle), options)),
    ...(await sendPart(client, part.slice(middle), options)),
  ];
}

function isTooLarge(error: unknown): boolean {
  return error instanceof errors.ResponseError && error.statusCode === 413;
}

/** Whether the same request may succeed later. */
function isForNow(error: unknown): boolean {
  if (error instanceof ClusterError)
    return ["CLUSTER_UNREACHABLE", "CLUSTER_TIMEOUT", "CLUSTER_OVERLOADED"].includes(error.code);
  return error instanceof errors.ResponseError && isTakenLater(error.statusCode ?? 0, reasonOf(error).type);
}

/** A full queue empties and a shard is found again; a block, as of a full disk (429), stays until somebody lifts it. */
function isTakenLater(status: number, type: string): boolean {
  return [502, 503, 504].includes(status) || (status === 429 && type !== "cluster_block_exception");
}

/** Waits; an abort ends it early. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
