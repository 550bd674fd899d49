/** Records (rows of a table, elements of a list) as one text: a paragraph of `name: value` lines for each, which is a section. */
import { FileError, type Section } from "../../schema/index.ts";

/** What the text of all records may hold; names are written with each value. */
const MOST_CHARACTERS = 200_000_000;

export interface RecordWriter {
  /** Begins a record. */
  next(): void;
  /** A line of the record; blank ones are left out. */
  line(line: string): void;
  finish(): { text: string; sections: Section[] };
}

export function recordWriter(file: string): RecordWriter {
  const parts: string[] = [];
  const sections: Section[] = [];
  let length = 0;
  let began = false;
  return {
    next() {
      began = true;
    },
    line(line) {
      if (line.trim() === "") return;
      const separator = length === 0 ? "" : began ? "\n\n" : "\n";
      if (began) sections.push({ start: length + separator.length });
      began = false;
      parts.push(separator, line);
      length += separator.length + line.length;
      if (length > MOST_CHARACTERS) {
        throw new FileError(
          "FILE_TOO_LARGE",
          file,
          `its records make more than ${MOST_CHARACTERS} characters: split it`,
        );
      }
    },
    finish: () => ({ text: parts.join(""), sections }),
  };
}

/** A value on one line. */
export function onOneLine(value: string): string {
  return /[\r\n]/.test(value)
    ? value
        .split(/\s*[\r\n]+\s*/)
        .join(" ")
        .trim()
    : value.trim();
}
