/** Routes that list and give evaluation reports: what `huiliu eval --report FOLDER/NAME.json` wrote. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HuiliuError } from "../../schema/index.ts";
import { OVERSEES } from "../access/caller.ts";
import { defineRoute, type Route } from "./route.ts";

/** Bytes of a report at most. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Reports that are listed. */
const MOST = 200;

class ReportNotFoundError extends HuiliuError {
  constructor(name: string) {
    super("NOT_FOUND", `there is no report "${name.slice(0, 200)}"`);
  }
}

const reportShape = z.looseObject({
  version: z.literal(1),
  made: z.string(),
  experiments: z.array(z.looseObject({ name: z.string() })),
});

/** @param folder where reports lie; without one there are none */
export function reportRoutes(folder: string | undefined): Route[] {
  return [
    defineRoute({
      method: "get",
      path: "/reports",
      id: "listReports",
      summary: "Evaluation reports, latest first",
      needs: OVERSEES,
      answer: z.object({
        folder: z.string().optional(),
        reports: z.array(z.object({ name: z.string(), modified: z.string(), bytes: z.number() })),
      }),
      run: async () => ({ ...(folder === undefined ? {} : { folder }), reports: await listed(folder) }),
    }),
    defineRoute({
      method: "get",
      path: "/reports/{report}",
      id: "readReport",
      summary: "An evaluation report",
      needs: OVERSEES,
      params: z.object({ report: z.string().min(1).describe("Its name in the list") }),
      answer: reportShape,
      async run({ params: { report } }) {
        // Only what is in the list is read: a name is no path.
        const known = (await listed(folder)).find(({ name }) => name === report);
        if (folder === undefined || !known) throw new ReportNotFoundError(report);
        const read = reportShape.safeParse(parsed(await readFile(join(folder, known.name), "utf8")));
        if (!read.success)
          throw new HuiliuError("INVALID_ARGUMENT", `"${report}" is no report of huiliu eval: write one with --report`);
        return read.data;
      },
    }),
  ];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function listed(folder: string | undefined) {
  if (folder === undefined) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const reports = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
      .map(async ({ name }) => {
        const { mtime, size } = await stat(join(folder, name));
        return { name, modified: mtime.toISOString(), bytes: size };
      }),
  );
  return reports
    .filter(({ bytes }) => bytes <= MOST_BYTES)
    .sort((a, b) => b.modified.localeCompare(a.modified) || a.name.localeCompare(b.name))
    .slice(0, MOST);
}
