/** What to say when nothing was found. */
import type { Collection } from "../collection/types.ts";
import { HuiliuError } from "../schema/index.ts";
import type { Io } from "./context.ts";
import { nameLine } from "./terminal/text.ts";

/** Says on standard error why there is nothing, and what to do. */
export async function sayWhyNothing(io: Io, collection: Collection, filtered: boolean): Promise<void> {
  const { documents, place } = await collection.status();
  if (documents === 0) io.err(emptyCollection(collection.name, place));
  else if (filtered) io.err("Nothing found: the filters may leave nothing; try without them.\n");
  else io.err("Nothing found.\n");
}

export function emptyCollection(name: string, place: string): string {
  return `The collection "${nameLine(name)}" in ${nameLine(place)} is empty: add files to it with huiliu add PATH.\n`;
}

/** There is no data folder. Code `DATA_FOLDER_MISSING`. */
export function noDataFolder(data: string): HuiliuError {
  return new HuiliuError(
    "DATA_FOLDER_MISSING",
    `there is no data folder ${data}: make one with huiliu add PATH, or name the right one with --data`,
  );
}
