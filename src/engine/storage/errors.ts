import { EngineError } from "../errors.ts";

const NO_SPACE = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The error of a failed write to the data folder: nothing of it is stored. `free` is the room left there in bytes, where that is known. */
export function writeFailed(location: string, what: string, cause: unknown, free?: number): EngineError {
  const code = (cause as { code?: unknown } | undefined)?.code;
  // A write cut short for want of room reaches us from LMDB as an input/output error.
  const full = NO_SPACE.has(String(code)) || code === 28 || code === 122 || (free !== undefined && free < 1 << 20);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new EngineError(
    "i_o_exception",
    full
      ? `no space left for [${location}]: ${what} was not stored; what was acknowledged before is safe; make room and send it again (${message})`
      : `writing to [${location}] failed: ${what} was not stored; what was acknowledged before is safe (${message})`,
    { status: 500, cause },
  );
}
