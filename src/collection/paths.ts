/** Which records lie below a path. Records name their files as they were found: from the working folder, or absolutely. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { FileRecord } from "./records.ts";

/** True for the file at a path and all below it, however either is spelt. Documents from memory have ids, which are no paths. */
export function isBelow({ file, origin }: Pick<FileRecord, "file" | "origin">, path: string): boolean {
  if (origin === "memory") return false;
  const way = relative(resolve(path), resolve(file));
  // On Windows the way to another drive is absolute.
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** As `isBelow`, and for documents from memory whose ids begin with the name and a slash. */
export function isInside(record: Pick<FileRecord, "file" | "origin">, name: string): boolean {
  return record.origin === "memory" ? record.file.startsWith(`${name.replace(/\/+$/, "")}/`) : isBelow(record, name);
}
