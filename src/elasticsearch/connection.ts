/**
 * The official client without a network: a connection that hands each request to an engine in the same process.
 */
import { Readable } from "node:stream";
import { gunzipSync } from "node:zlib";
import {
  BaseConnection,
  type ConnectionRequestOptions,
  type ConnectionRequestParams,
  errors,
} from "@elastic/elasticsearch";
import type { RestRequest, RestResponse } from "../engine/rest/types.ts";

/** Answers requests: an engine, or the reason why it no longer can. */
export interface RequestTarget {
  request(request: RestRequest): Promise<RestResponse>;
  readonly closed: boolean;
}

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A body as the engine takes it: text stays text, streams are read to their end, compressed bytes are unpacked. */
async function bodyOf(params: ConnectionRequestParams): Promise<Uint8Array | string | undefined> {
  const { body } = params;
  if (body === undefined || body === null) return undefined;
  const packed = params.headers?.["content-encoding"] === "gzip";
  if (typeof body === "string") return body;
  let bytes: Buffer;
  if (Buffer.isBuffer(body)) bytes = body;
  else {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(Buffer.from(chunk as Uint8Array | string));
    bytes = Buffer.concat(chunks);
  }
  return packed ? gunzipSync(bytes) : bytes;
}

/**
 * Makes the `Connection` class of an engine, for `new Client({ node: "http://huiliu", Connection })`. A class, because that is what the
 * client asks for; all its objects talk to the one engine.
 */
export function connectionTo(target: RequestTarget): typeof BaseConnection {
  class EngineConnection extends BaseConnection {
    override async request(
      params: ConnectionRequestParams,
      options: ConnectionRequestOptions & { asStream?: boolean },
    ): Promise<never> {
      // The two overloads of the client differ in the body only, which `asStream` decides.
      return (await this.perform(params, options)) as never;
    }

    private async perform(params: ConnectionRequestParams, options: ConnectionRequestOptions & { asStream?: boolean }) {
      if (target.closed)
        throw new errors.ConnectionError("the engine is closed: open it again, or close it after its last request");
      const controller = new AbortController();
      const outer = options.signal;
      let timedOut = false;
      let ended = false;
      let giveUp: (error: Error) => void = () => {};
      const stopped = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      const abort = () => {
        controller.abort();
        giveUp(
          timedOut ? new errors.TimeoutError("Request timed out") : new errors.RequestAbortedError("Request aborted"),
        );
      };
      if (outer?.aborted) throw new errors.RequestAbortedError("Request aborted");
      outer?.addEventListener("abort", abort, { once: true });
      const limit = options.timeout ?? this.timeout;
      const timer =
        limit > 0 && limit < 2 ** 31
          ? setTimeout(() => {
              timedOut = true;
              abort();
            }, limit)
          : undefined;
      stopped.catch(() => {});
      try {
        const work = (async (): Promise<Answer> => {
          const answer = await target.request({
            method: params.method,
            path: params.path.startsWith("/") ? params.path : `/${params.path}`,
            query: params.querystring,
            headers: { ...this.headers, ...params.headers },
            body: await bodyOf(params),
            signal: controller.signal,
          });
          return { statusCode: answer.status, headers: { ...answer.headers }, body: answer.body };
        })();
        const answer = await Promise.race([work, stopped]);
        ended = true;
        const bytes = options.maxResponseSize === undefined ? 0 : answer.body.length;
        if (bytes > (options.maxResponseSize ?? 0)) {
          throw new errors.RequestAbortedError(
            `The content length (${bytes}) is bigger than the maximum allowed string (${options.maxResponseSize})`,
          );
        }
        if (options.asStream === true) return { ...answer, body: Readable.from([Buffer.from(answer.body)]) };
        this.diagnostic.emit("deserialization", null, options as never);
        return answer;
      } finally {
        clearTimeout(timer);
        outer?.removeEventListener("abort", abort);
        if (!ended) controller.abort();
      }
    }

    override async close(): Promise<void> {
      // The engine outlives its clients.
    }
  }
  return EngineConnection;
}
