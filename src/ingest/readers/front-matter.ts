/** YAML between two lines of dashes at the head of a Markdown file, as flat metadata. */
import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Metadata, MetadataValue } from "../../schema/index.ts";

/** Longer front matter is text: nobody describes a file with so much. */
const LONGEST = 65_536;
const MOST_KEYS = 64;
const MOST_ITEMS = 100;
const MOST_DEPTH = 8;
const LONGEST_KEY = 100;
const LONGEST_VALUE = 1000;
/** Each passage carries the metadata. */
const MOST_CHARACTERS = 16_000;
/** Keys that a store gives a meaning of its own. */
const STORE_KEYS = new Set(["document_id", "doc_id", "ref_doc_id"]);

/**
 * The text after the front matter, and the front matter: scalars and lists of scalars, nested objects as `outer.inner`, at most 64 keys,
 * dates as they are written. What is no YAML object stays in the text.
 */
export function splitFrontMatter(text: string): { text: string; metadata: Metadata } {
  const place = frontMatterPlace(text);
  const metadata = place && parsed(text.slice(place.start, place.end));
  return metadata ? { text: text.slice(place.after), metadata } : { text, metadata: {} };
}

function frontMatterPlace(text: string): { start: number; end: number; after: number } | undefined {
  const open = /^---[ \t]*\n/.exec(text)?.[0].length;
  if (open === undefined) return undefined;
  const close = /^(?:---|\.\.\.)[ \t]*(?:\n|$)/gm;
  close.lastIndex = open;
  const found = close.exec(text.slice(0, LONGEST));
  return found ? { start: open, end: found.index, after: found.index + found[0].length } : undefined;
}

/** Undefined for what is not an object, or cannot be parsed. Aliases are not followed: a few lines of them hold more than any memory. */
function parsed(yaml: string): Metadata | undefined {
  try {
    const { contents, errors } = parseDocument(yaml, { logLevel: "silent", uniqueKeys: false });
    if (contents === null && errors.length === 0) return {};
    return isMap(contents) && errors.length === 0 ? flattened(contents) : undefined;
  } catch {
    return undefined;
  }
}

function flattened(root: unknown): Metadata {
  const out = new Map<string, MetadataValue>();
  let characters = 0;

  function put(path: string, value: string | number | boolean, inList: boolean): void {
    const known = out.get(path);
    if (known === undefined && (out.size >= MOST_KEYS || nests(out, path))) return;
    characters += path.length + String(value).length;
    if (characters > MOST_CHARACTERS) return;
    if (!inList) out.set(path, value);
    else if (!Array.isArray(known)) out.set(path, [value]);
    else if (known.length < MOST_ITEMS) known.push(value);
  }

  function visit(node: unknown, path: string, depth: number, inList: boolean): void {
    if (depth > MOST_DEPTH) return;
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const name = keyName(key);
        if (name === "" || (path === "" && (name.startsWith("_") || STORE_KEYS.has(name)))) continue;
        visit(value, path === "" ? name : `${path}.${name}`, depth + 1, inList);
      }
    } else if (isSeq(node)) {
      for (const item of node.items) visit(item, path, depth + 1, true);
    } else if (isScalar(node)) {
      const value = scalarValue(node.value);
      if (value !== undefined) put(path, value, inList);
    }
  }

  visit(root, "", 0, false);
  return Object.fromEntries(out);
}

/** Whether a path lies within another key, or another within it: a field is either a value or an object. */
function nests(out: ReadonlyMap<string, MetadataValue>, path: string): boolean {
  return [...out.keys()].some((key) => key.startsWith(`${path}.`) || path.startsWith(`${key}.`));
}

/** Dots separate fields: none may stand at an end or beside another. */
function keyName(key: unknown): string {
  if (!isScalar(key)) return "";
  const name = String(key.value)
    .slice(0, LONGEST_KEY)
    .split(".")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(".");
  return name === "__proto__" ? "" : name;
}

function scalarValue(value: unknown): string | number | boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return String(value);
  return typeof value === "string" ? value.slice(0, LONGEST_VALUE) : undefined;
}
