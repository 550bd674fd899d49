/** Ids of open contexts as requests bring them, and the errors of what is none. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { type ContextId, decodeContextId } from "./contexts.ts";

const endOfFile = () => new EngineError("e_o_f_exception", "", { noReason: true });

const isBase64 = (text: string) => /^[A-Za-z0-9+/_-]*={0,2}$/.test(text) && text.replaceAll("=", "").length % 4 !== 1;

/** The id of a point in time. */
export function pointInTimeId(text: string): ContextId {
  const id = decodeContextId(text, "pit");
  if (id) return id;
  if (!isBase64(text)) throw illegalArgument("Input byte[] should at least have 2 bytes for base64 bytes");
  throw illegalArgument("java.io.EOFException", { cause: endOfFile() });
}

export function scrollId(text: string): ContextId {
  const id = decodeContextId(text, "scroll");
  if (id) return id;
  const cause = isBase64(text)
    ? endOfFile()
    : new EngineError("i_o_exception", "Base64 stream has one un-decoded dangling byte.");
  throw illegalArgument("Cannot parse scroll id", { cause });
}
