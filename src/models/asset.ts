/** Files that ship in the package's `assets/` folder, found from the sources and from the built bundle alike. */

import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { HuiliuError } from "../schema/errors.ts";

/**
 * The path of `assets/<name>` in the nearest folder above this module that has it.
 *
 * @throws HuiliuError `ASSET_MISSING`
 */
export async function assetPath(name: string): Promise<string> {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let folder = here; ; folder = dirname(folder)) {
    const path = join(folder, "assets", name);
    try {
      await access(path);
      return path;
    } catch {
      if (dirname(folder) === folder) break;
    }
  }
  throw new HuiliuError(
    "ASSET_MISSING",
    `assets/${name} is not in any folder above ${here}: install the package again`,
  );
}
