/** huiliu remove: takes files out of the index. */
import { type CommonOptions, type Context, EXIT, placeOf } from "../context.ts";
import { jsonLine } from "../json.ts";
import { nameLine } from "../terminal/text.ts";

export async function remove(context: Context, files: string[], options: CommonOptions): Promise<number> {
  const { io, signal } = context;
  const collection = await context.openCollection(options.collection, {
    ...(await placeOf(context, options)),
    create: false,
  });
  try {
    const { removed, missing } = await collection.remove(files, { signal });
    if (options.json) io.out(jsonLine({ removed, missing }));
    else for (const file of removed) io.out(`removed ${nameLine(file)}\n`);
    for (const name of missing) io.err(`huiliu: ${nameLine(name)} is not in the index: huiliu list shows what is\n`);
    return missing.length > 0 ? EXIT.someFailed : EXIT.ok;
  } finally {
    await collection.close();
  }
}
