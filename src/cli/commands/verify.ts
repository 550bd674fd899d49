/** huiliu verify: reads everything in the data folder and names what is damaged. */
import { type Context, EXIT } from "../context.ts";
import { noDataFolder } from "../empty.ts";
import { jsonLine } from "../json.ts";
import { nameLine } from "../terminal/text.ts";

export interface FolderOptions {
  data: string;
  json?: boolean;
}

export async function verify(context: Context, options: FolderOptions): Promise<number> {
  const { io, signal } = context;
  const [{ openEngine }, { isDataFolderMissing }] = await Promise.all([
    import("../../elasticsearch/engine.ts"),
    import("../../engine/errors.ts"),
  ]);
  const engine = await openEngine({ data: options.data, readOnly: true }).catch((error: unknown) => {
    throw isDataFolderMissing(error) ? noDataFolder(options.data) : error;
  });
  try {
    const { damaged, checked } = await engine.verify({ signal });
    if (options.json) io.out(jsonLine({ data: options.data, checked, damaged }));
    else {
      for (const what of damaged) io.out(`damaged: ${nameLine(what)}\n`);
      const verdict = damaged.length === 0 ? "nothing is damaged" : `${damaged.length} damaged`;
      io.out(`${checked} records and files checked in ${nameLine(options.data)}: ${verdict}\n`);
    }
    return damaged.length === 0 ? EXIT.ok : EXIT.error;
  } finally {
    await engine.close();
  }
}
