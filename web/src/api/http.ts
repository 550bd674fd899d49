/** Requests to the server that gave this page. A refusal for want of a key asks for one, once for all that wait. */
import { signal } from "@preact/signals";

/** What the server says is wrong. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const KEY = "huiliu.key";

/** Whether a key is asked for; the dialog answers by `giveKey`. */
export const keyWanted = signal<{ refused: boolean } | undefined>(undefined);
export const hasKey = signal(storedKey() !== undefined);
let waiting: ((key: string | undefined) => void)[] = [];

function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the key for this tab, or forgets it. */
export function keepKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, key);
  } catch {
    // A browser that keeps nothing asks again.
  }
  hasKey.value = key !== undefined;
}

/** Ends the question for a key: with one, or without. */
export function giveKey(key: string | undefined): void {
  if (key !== undefined) keepKey(key);
  keyWanted.value = undefined;
  const asked = waiting;
  waiting = [];
  for (const answer of asked) answer(key);
}

function askForKey(refused: boolean): Promise<string | undefined> {
  keyWanted.value ??= { refused };
  return new Promise((resolve) => waiting.push(resolve));
}

export interface Call {
  body?: unknown;
  bytes?: Blob;
  signal?: AbortSignal;
  accept?: string;
}

/** The response to a request, once the server takes its key. */
export async function request(method: string, path: string, call: Call = {}): Promise<Response> {
  for (;;) {
    const key = storedKey();
    const headers: Record<string, string> = { accept: call.accept ?? "application/json" };
    if (call.body !== undefined) headers["content-type"] = "application/json";
    if (call.bytes !== undefined) headers["content-type"] = "application/octet-stream";
    if (key !== undefined) headers["authorization"] = `ApiKey ${key}`;
    const body = call.bytes ?? (typeof call.body === "string" ? call.body : JSON.stringify(call.body));
    let response: Response;
    try {
      response = await fetch(path, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        ...(call.signal ? { signal: call.signal } : {}),
      });
    } catch (error) {
      if (call.signal?.aborted) throw error;
      throw new ApiError(0, "UNREACHABLE", error instanceof Error ? error.message : String(error));
    }
    if (response.status !== 401) return response;
    // Another request may have got one meanwhile.
    if (storedKey() !== key) continue;
    if ((await askForKey(key !== undefined)) === undefined) throw await failure(response);
  }
}

/** JSON of the product's routes, below `/_huiliu`. */
export async function api<T>(method: string, path: string, call: Call = {}): Promise<T> {
  const response = await request(method, `/_huiliu${path}`, call);
  if (!response.ok) throw await failure(response);
  return (await response.json()) as T;
}

/** What a response that refuses says: in the product's form or in Elasticsearch's. */
export async function failure(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as {
      error?: { code?: string; type?: string; message?: string; reason?: string };
    };
    const message = error?.message ?? error?.reason;
    if (message !== undefined)
      return new ApiError(response.status, error?.code ?? error?.type?.toUpperCase() ?? "ERROR", message);
  } catch {
    // Not JSON: what came is shown.
  }
  return new ApiError(response.status, "ERROR", text.slice(0, 500) || response.statusText);
}

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === "AbortError";

/** A part of a path. */
export const part = encodeURIComponent;
