import { illegalArgument } from "../errors.ts";

/** Blob names are file names on every system, and none begins as a temporary one does. */
export function checkBlobName(name: string): void {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/.test(name)) throw illegalArgument(`[${name}] is not a blob name`);
}
