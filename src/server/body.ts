/** Request bodies: read as they come, unpacked, and refused as soon as they are too large. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip, createInflate } from "node:zlib";

import { type Limits, TooBusyError } from "./limits.ts";

/** A body that is not taken; the connection cannot be used further. */
export class RefusedBody extends Error {
  readonly status: number;
  readonly type: string;
  constructor(status: number, type: string, reason: string) {
    super(reason);
    this.status = status;
    this.type = type;
  }
}

const tooLarge = (limit: number) =>
  new RefusedBody(
    413,
    "content_too_long_exception",
    `the request's body is larger than ${limit} bytes; send it in parts`,
  );

/**
 * Reads the whole body. Neither what is sent nor what it unpacks to may be larger than the limit. What it takes of the memory that there is
 * for all bodies is given back when its request has been answered.
 */
export async function readBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
  limits?: Pick<Limits, "takeBytes" | "giveBytes">,
): Promise<Uint8Array | undefined> {
  const encoding = (incoming.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  const declared = incoming.headers["content-length"];
  if (declared !== undefined && Number(declared) > limit) throw tooLarge(limit);
  let stream: Readable = incoming;
  if (encoding === "gzip" || encoding === "x-gzip" || encoding === "deflate") {
    const unpack = encoding === "deflate" ? createInflate() : createGunzip();
    incoming.on("error", (error) => unpack.destroy(error));
    incoming.on("aborted", () => unpack.destroy(new Error("the client closed the connection")));
    stream = incoming.pipe(unpack);
  } else if (encoding !== "identity" && encoding !== "") {
    throw new RefusedBody(
      415,
      "illegal_argument_exception",
      `Content-Encoding [${encoding}] is not supported; use gzip, deflate or none`,
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  let taken = 0;
  if (limits) outgoing.once("close", () => limits.giveBytes(taken));
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      limits?.takeBytes(chunk.length);
      taken += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof RefusedBody || error instanceof TooBusyError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedBody(400, "illegal_argument_exception", `the body cannot be read as ${encoding}: ${reason}`);
  }
  if (size === 0) return undefined;
  if (chunks.length === 1) return new Uint8Array(chunks[0].buffer, chunks[0].byteOffset, size);
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
