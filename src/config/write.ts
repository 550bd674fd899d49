/** Writing settings into a configuration file: comments and order of what is there stay. */
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { parseDocument } from "yaml";
import { InvalidArgumentError } from "../schema/index.ts";

/** A setting's place and value: `["search", "bm25", "k1"]`. */
export interface Setting {
  path: readonly string[];
  value: unknown;
}

/**
 * Writes settings into a YAML or JSON file, which is made when it is not there.
 *
 * @throws InvalidArgumentError for a file that is a program (the settings are in the message, to be written by hand), or cannot be read
 */
export async function writeSettings(file: string, settings: readonly Setting[]): Promise<void> {
  const extension = extname(file);
  const before = existsSync(file) ? await readFile(file, "utf8") : "";
  let text: string;
  if (/^\.ya?ml$/.test(extension)) text = inYaml(file, before, settings);
  else if (extension === ".json") text = inJson(file, before, settings);
  else {
    throw new InvalidArgumentError(
      "config",
      file,
      `${file} is a program and is not changed by another: write into it ${JSON.stringify(nested(settings))}`,
    );
  }
  // Whole, or not at all.
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

function inYaml(file: string, before: string, settings: readonly Setting[]): string {
  const document = parseDocument(before);
  if (document.errors.length > 0) throw unreadable(file, document.errors[0]!.message);
  for (const { path, value } of settings) {
    // What stands in the way of a nested setting (a null, a single value) is replaced by a map.
    for (let length = 1; length < path.length; length++) {
      const above = document.getIn(path.slice(0, length), true);
      if (!above || !("items" in (above as object))) document.setIn(path.slice(0, length), document.createNode({}));
    }
    document.setIn([...path], value);
  }
  return document.toString({ lineWidth: 0 });
}

function inJson(file: string, before: string, settings: readonly Setting[]): string {
  let root: unknown;
  try {
    root = before.trim() === "" ? {} : JSON.parse(before);
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
  if (!isRecord(root)) throw unreadable(file, "it holds no object");
  const indent = /\n([ \t]+)"/.exec(before)?.[1] ?? "  ";
  return `${JSON.stringify(nested(settings, root), null, indent)}\n`;
}

function nested(settings: readonly Setting[], root: Record<string, unknown> = {}): Record<string, unknown> {
  for (const { path, value } of settings) {
    let place = root;
    for (const key of path.slice(0, -1)) {
      if (!isRecord(place[key])) place[key] = {};
      place = place[key] as Record<string, unknown>;
    }
    place[path.at(-1)!] = value;
  }
  return root;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable(file: string, why: string): InvalidArgumentError {
  return new InvalidArgumentError("config", file, `${file} cannot be read: ${why}`);
}
