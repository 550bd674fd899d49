/** Files that ship with the package. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { AnalysisResources } from "../engine/analysis/types.ts";
import { EngineError, illegalArgument } from "../engine/errors.ts";

/** The folder that holds the package's `assets`, found upwards: the code runs from `src/` and from `dist/`. */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && existsSync(join(folder, "assets"))) return folder;
    if (dirname(folder) === folder) {
      throw new Error(
        `no package with an assets folder above ${from}: install huiliu as a whole, or leave its files where they are`,
      );
    }
  }
}

const load = createRequire(import.meta.url);

/** Each stemmer is loaded when it is asked for: all of them together would delay every start. */
function snowball(language: string): (word: string) => string {
  const name = language === "hindi" ? "indian" : language;
  return (load(`@orama/stemmers/${name}`) as { stemmer(word: string): string }).stemmer;
}

/**
 * What analyzers need from files.
 *
 * @param config folder of the files that `*_path` settings name (synonyms, stop words, dictionaries); none: such settings are refused
 */
export function analysisResources(config?: string): AnalysisResources {
  const ikDictionary = () => {
    const path = join(packageRoot(), "assets", "ik", "ik.dic.bin");
    try {
      return new Uint8Array(readFileSync(path));
    } catch (error) {
      throw new EngineError(
        "illegal_state_exception",
        `cannot read the dictionary of IK at [${path}]; install the package again`,
        {
          status: 500,
          cause: error,
        },
      );
    }
  };
  if (config === undefined) return { ikDictionary, snowball };
  const folder = resolve(config);
  const readText = (path: string) => {
    const file = resolve(folder, path);
    const below = relative(folder, file);
    if (below.startsWith("..") || isAbsolute(below)) {
      throw illegalArgument(`[${path}] lies outside of the configuration folder [${folder}]`);
    }
    return readFileSync(file, "utf8");
  };
  return { ikDictionary, snowball, readText };
}
