/** huiliu status: how much a collection holds, and how it was made. */
import { type CommonOptions, type Context, EXIT, openForReading } from "../context.ts";
import { emptyCollection } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { fileSize } from "../terminal/table.ts";
import { nameLine, padEnd } from "../terminal/text.ts";

export async function status(context: Context, options: CommonOptions): Promise<number> {
  const { io, signal } = context;
  const collection = await openForReading(context, options);
  try {
    const state = await collection.status({ signal });
    if (options.json) {
      io.out(jsonLine(state));
      return EXIT.ok;
    }
    const { name, place, documents, passages, embedding, analysis, weights, storeBytes } = state;
    const rows: [string, string][] = [
      ["collection", nameLine(name)],
      ["place", nameLine(place)],
      ["files", String(documents)],
      ["passages", String(passages)],
      ["embedding", `${nameLine(embedding.name)}, ${embedding.dimensions} dimensions`],
      ["analysis", analysis],
      ["weights", `bm25 ${weights.bm25}, dense ${weights.dense}`],
      ...(storeBytes === undefined ? [] : ([["size", fileSize(storeBytes)]] as [string, string][])),
    ];
    io.out(rows.map(([key, value]) => `${padEnd(key, 12)}${value}\n`).join(""));
    if (documents === 0) io.err(emptyCollection(name, place));
    return EXIT.ok;
  } finally {
    await collection.close();
  }
}
