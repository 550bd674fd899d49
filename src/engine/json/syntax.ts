/** Errors of JSON's syntax with the types and the wording of Elasticsearch and its parser, Jackson. */
import { EngineError } from "../errors.ts";
import type { Location } from "./location.ts";
import { utf8Length } from "./utf8.ts";

/** Where reading stood when it failed: what the document parser puts before its message. */
export interface SyntaxPlace {
  /** Start of the last token that was read. */
  readonly token: Location;
  /** True when the root value was complete and the error is in what follows. */
  readonly trailing: boolean;
  /** The token that follows a complete root value, where the text itself is well formed. */
  readonly extraToken?: string;
}

const places = new WeakMap<Error, SyntaxPlace>();

/** Place of a syntax error that `parseJson` threw; undefined for other errors. */
export function syntaxPlaceOf(error: unknown): SyntaxPlace | undefined {
  return error instanceof Error ? places.get(error) : undefined;
}

export function withPlace(error: EngineError, place: SyntaxPlace): EngineError {
  places.set(error, place);
  return error;
}

/** Jackson shows the first 500 bytes of the input. */
const SHOWN_BYTES = 500;

/** An excerpt of the input in quotes, control characters escaped, as Jackson shows it. */
export function shown(input: string): string {
  const text = input.replace(/[\u0000-\u001f]/g, (c) =>
    c === "\n" || c === "\r" ? c : `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  const total = utf8Length(text);
  if (total <= SHOWN_BYTES) return `"${text}"`;
  const head = new TextDecoder().decode(new TextEncoder().encode(text.slice(0, SHOWN_BYTES)).subarray(0, SHOWN_BYTES));
  return `"${head}"[truncated ${total - SHOWN_BYTES} bytes]`;
}

export function sourceSuffix(text: string, at: Location): string {
  return `\n at [Source: (byte[])${shown(text)}; line: ${at.line}, column: ${at.col}]`;
}

/** An error between tokens, in a key or a literal. */
export function contentError(message: string, text: string, at: Location, type = "json_parse_exception"): EngineError {
  const full = message + sourceSuffix(text, at);
  return new EngineError("x_content_parse_exception", `[${at.line}:${at.col}] ${full}`, {
    cause: new EngineError(type, full),
  });
}

/** An error inside a string value, which Elasticsearch reads late and passes on as Jackson's own, with status 500. */
export function stringError(message: string, text: string, at: Location, endOfInput: boolean): EngineError {
  const type = endOfInput ? "json_e_o_f_exception" : "json_parse_exception";
  return new EngineError(type, message + sourceSuffix(text, at), { status: 500 });
}

export function endOfFile(message: string, text: string, at: Location): EngineError {
  return new EngineError("x_content_e_o_f_exception", `[${at.line}:${at.col}] Unexpected end of file`, {
    cause: new EngineError("json_e_o_f_exception", message + sourceSuffix(text, at)),
  });
}

/** A limit of Jackson's, such as the depth. */
export function constraintError(message: string): EngineError {
  return new EngineError("stream_constraints_exception", message, { status: 500 });
}
