/** huiliu list: the indexed files. */
import { type CommonOptions, type Context, EXIT, openForReading } from "../context.ts";
import { emptyCollection } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { fileSize, table } from "../terminal/table.ts";
import { nameLine, oneLine, truncateEnd } from "../terminal/text.ts";

const TITLE_COLUMNS = 30;

export async function list(context: Context, options: CommonOptions): Promise<number> {
  const { io, signal, outputClosed } = context;
  const collection = await openForReading(context, options);
  try {
    const rows: string[][] = [];
    for await (const record of collection.list({ signal })) {
      if (outputClosed.aborted) break;
      if (options.json) io.out(jsonLine(record));
      else {
        const title = truncateEnd(oneLine(record.title ?? ""), TITLE_COLUMNS);
        rows.push([nameLine(record.file), title, String(record.passages), fileSize(record.bytes), day(record.added)]);
      }
    }
    if (options.json) return EXIT.ok;
    if (rows.length === 0) {
      io.err(emptyCollection(collection.name, (await collection.status()).place));
      return EXIT.ok;
    }
    const columns = [
      { title: "file", flexible: true },
      { title: "title" },
      { title: "passages", align: "right" },
      { title: "size", align: "right" },
      { title: "indexed" },
    ] as const;
    const lines = table(columns, rows, io.outIsTerminal ? io.columns - 1 : Number.POSITIVE_INFINITY);
    io.out(`${lines.join("\n")}\n`);
    return EXIT.ok;
  } finally {
    await collection.close();
  }
}

/** Date and time to the minute, in local time. */
function day(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return oneLine(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
