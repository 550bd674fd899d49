/** CSV and TSV: each row as a paragraph of `column: value` lines. One document, so that small rows share passages. */
import { parse } from "csv-parse";
import { FileError, type Reader } from "../../schema/index.ts";
import { timeSlices } from "../slices.ts";
import { decodeText } from "./decode.ts";
import { fileDocument } from "./document.ts";
import { onOneLine, recordWriter } from "./records.ts";

const DELIMITERS = [",", ";", "\t", "|"];
const LONGEST_NAME = 100;
/** An unclosed quote makes the rest of the file one row. */
const LONGEST_ROW = 4 * 1024 * 1024;

export const tableReader: Reader = {
  extensions: ["csv", "tsv"],
  async read(source, { signal } = {}) {
    const text = decodeText(source);
    const pause = timeSlices(signal);
    const writer = recordWriter(source.file);
    let names: string[] | undefined;
    let rows = 0;
    const parser = parse(text, {
      delimiter: /\.tsv$/i.test(source.file) ? "\t" : delimiterOf(text),
      relax_quotes: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      max_record_size: LONGEST_ROW,
    });
    try {
      for await (const row of parser as AsyncIterable<string[]>) {
        await pause();
        if (!names) {
          names = row.map((name, i) => onOneLine(name).slice(0, LONGEST_NAME) || `column ${i + 1}`);
          continue;
        }
        rows++;
        writer.next();
        row.forEach((value, i) => {
          const shown = onOneLine(value);
          if (shown !== "") writer.line(`${names![i] ?? `column ${i + 1}`}: ${shown}`);
        });
      }
    } catch (error) {
      if (error instanceof FileError || signal?.aborted) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new FileError("FILE_DAMAGED", source.file, `cannot be read as a table (${why.slice(0, 300)})`, {
        cause: error,
      });
    }
    // A table of one row is all there is to read.
    if (rows === 0 && names) return [fileDocument(source, { text: names.join("\n") })];
    return [fileDocument(source, writer.finish())];
  },
};

/** The delimiter that stands most often in the first line, quotes apart. */
function delimiterOf(text: string): string {
  const line = text
    .slice(0, 10_000)
    .split("\n", 1)[0]!
    .replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}
