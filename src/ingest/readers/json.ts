/** JSON and JSON Lines: values as `path: value` lines, a paragraph for each element of a list. */
import { type CallOptions, FileError, type FileSource, type Reader } from "../../schema/index.ts";
import { timeSlices } from "../slices.ts";
import { decodeText } from "./decode.ts";
import { fileDocument } from "./document.ts";
import { onOneLine, type RecordWriter, recordWriter } from "./records.ts";

const MOST_DEPTH = 100;
const LONGEST_NAME = 100;

export const jsonReader: Reader = {
  extensions: ["json", "jsonl", "ndjson"],
  async read(source, options = {}) {
    const text = decodeText(source);
    const writer = recordWriter(source.file);
    if (/\.json$/i.test(source.file)) await readJson(source, text, writer, options);
    else await readLines(source, text, writer, options);
    return [fileDocument(source, writer.finish())];
  },
};

async function readJson(
  source: FileSource,
  text: string,
  writer: RecordWriter,
  { signal }: CallOptions,
): Promise<void> {
  const value = parsed(source.file, text, "");
  const elements = Array.isArray(value) ? value : [value];
  const pause = timeSlices(signal);
  for (const element of elements) {
    writer.next();
    writeValue(source.file, element, writer);
    await pause();
  }
}

async function readLines(
  source: FileSource,
  text: string,
  writer: RecordWriter,
  { signal }: CallOptions,
): Promise<void> {
  const pause = timeSlices(signal);
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).trim();
    start = end + 1;
    number++;
    if (line === "") continue;
    writer.next();
    writeValue(source.file, parsed(source.file, line, ` in line ${number}`), writer);
    await pause();
  }
}

function parsed(file: string, text: string, place: string): unknown {
  try {
    return JSON.parse(longNumbersAsText(text));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw new FileError("FILE_DAMAGED", file, `is not valid JSON${place} (${why})`, { cause });
  }
}

/** JavaScript would round numbers of more than 15 digits, such as ids. */
function longNumbersAsText(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  let out = "";
  let copied = 0;
  for (let i = 0; i < json.length; ) {
    const char = json[i]!;
    if (char === '"') {
      i = stringEnd(json, i);
    } else if (char === "-" || (char >= "0" && char <= "9")) {
      let end = i + 1;
      while (end < json.length && /[\d.eE+-]/.test(json[end]!)) end++;
      const number = json.slice(i, end);
      // Only what is a number: anything else is for the parser to refuse.
      if (end - i > 15 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number)) {
        out += `${json.slice(copied, i)}"${number}"`;
        copied = end;
      }
      i = end;
    } else i++;
  }
  return out + json.slice(copied);
}

function stringEnd(json: string, quote: number): number {
  let i = quote + 1;
  while (i < json.length && json[i] !== '"') i += json[i] === "\\" ? 2 : 1;
  return i + 1;
}

/** Writes the leaves of a value, in order, each with the names that lead to it. A list of plain values is one line. */
function writeValue(file: string, root: unknown, writer: RecordWriter): void {
  const stack: { value: unknown; path: string; depth: number }[] = [{ value: root, path: "", depth: 0 }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    const { value, path, depth } = top;
    if (depth > MOST_DEPTH) {
      throw new FileError("FILE_UNREADABLE", file, `is nested deeper than ${MOST_DEPTH}: flatten it`);
    }
    if (typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isPlain))) {
      const shown = Array.isArray(value) ? value.map(plainText).filter(Boolean).join(", ") : plainText(value);
      if (shown !== "") writer.line(path === "" ? shown : `${path}: ${shown}`);
      continue;
    }
    const children = Array.isArray(value)
      ? value.map((item, i) => ({ value: item as unknown, path: `${path}[${i}]`, depth: depth + 1 }))
      : Object.entries(value).map(([name, item]) => {
          const short = onOneLine(name).slice(0, LONGEST_NAME);
          return { value: item as unknown, path: path === "" ? short : `${path}.${short}`, depth: depth + 1 };
        });
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
}

function isPlain(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function plainText(value: unknown): string {
  return value === null || value === undefined ? "" : onOneLine(String(value));
}
