/** Bodies that must be an object, told from their first byte as Elasticsearch tells them. */
import { EngineError } from "../errors.ts";
import { parseJson, syntaxPlaceOf } from "../json/parse.ts";
import { contentError, withPlace } from "../json/syntax.ts";
import type { JsonValue } from "../json/types.ts";

const OPENING_BRACE = 0x7b;

/** @throws not_x_content_exception (500, as Elasticsearch has it) when the bytes do not begin an object */
export function checkObject(bytes: Uint8Array): void {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (
    at < bytes.length &&
    (bytes[at] === 32 || (bytes[at] >= 9 && bytes[at] <= 13) || (bytes[at] >= 28 && bytes[at] <= 31))
  )
    at++;
  if (bytes[at] === OPENING_BRACE) return;
  throw new EngineError(
    "not_x_content_exception",
    "Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes",
    { status: 500 },
  );
}

/**
 * Reads a body that Elasticsearch reads into a map as a whole. There the end of the input is a parsing error like any other, where a
 * reader that goes token by token has an error of its own for it.
 */
export function parseMap(body: Uint8Array | string): JsonValue {
  try {
    return parseJson(body, { positions: true });
  } catch (error) {
    if (
      !(error instanceof EngineError) ||
      error.type !== "x_content_e_o_f_exception" ||
      !(error.cause instanceof Error)
    )
      throw error;
    const place = /^\[\d+:\d+\] /.exec(error.message)?.[0] ?? "";
    const told = new EngineError("x_content_parse_exception", place + error.cause.message, { cause: error.cause });
    const syntax = syntaxPlaceOf(error);
    throw syntax === undefined ? told : withPlace(told, syntax);
  }
}

/** Reads a value out of a body: what Jackson says of its token comes with an excerpt of the body. */
export function withSource<T>(body: Uint8Array | string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== "x_content_parse_exception") throw error;
    const { cause, reason } = error;
    const place = /^\[(\d+):(\d+)\] /.exec(reason);
    if (!(cause instanceof EngineError) || cause.reason.includes("\n at [Source: ") || !place) throw error;
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    throw contentError(cause.reason, text, { line: Number(place[1]), col: Number(place[2]) }, cause.type);
  }
}
