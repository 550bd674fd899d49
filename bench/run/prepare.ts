/** What a run needs before it measures: the peers' packages, and the files of passages and vectors. */
import { spawnSync } from "node:child_process";
import { existsSync, renameSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Peer } from "../peers/types.ts";
import { fileWriter, lines } from "../workload/lines.ts";
import { passages, textOf } from "../workload/passages.ts";
import { realTexts, wordsIn } from "../workload/texts.ts";
import type { Language, Suite } from "../workload/types.ts";
import { writeVectors } from "../workload/vectors.ts";

const BENCH = fileURLToPath(new URL("..", import.meta.url));

/** Installs the peers' packages on first use. Those that cannot be installed are left out by npm: they are optional. */
export function installPeers(): void {
  if (existsSync(join(BENCH, "node_modules"))) return;
  console.error("installing the peers' packages in bench/ …");
  // `npm ci` wants every optional package of other platforms in the lockfile, also those that a registry does not have.
  const { status } = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund"], {
    cwd: BENCH,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) console.error("some could not be installed");
}

/** Why a peer cannot run here; undefined: it can. */
export function missing(peer: Peer): string | undefined {
  if (peer.missing) return peer.missing();
  if (peer.module === undefined) return undefined;
  try {
    createRequire(import.meta.url)(peer.module);
    return undefined;
  } catch (error) {
    // Packages of ES modules alone say so when they are required: they are there.
    if ((error as NodeJS.ErrnoException).code === "ERR_REQUIRE_ESM") return undefined;
    return `${peer.module} is not installed, or does not load: ${String((error as Error).message).split("\n")[0]}`;
  }
}

interface SuiteOptions {
  readonly name: string;
  readonly language?: Language;
  readonly dims?: number;
  readonly text?: boolean;
  readonly exact?: boolean;
}

const SUITES: readonly SuiteOptions[] = [
  { name: "text-en", text: true },
  { name: "text-zh", text: true, language: "zh" },
  { name: "hnsw-256", dims: 256 },
  { name: "hnsw-384", dims: 384 },
  { name: "exact-384", dims: 384, exact: true },
  { name: "hybrid", text: true, dims: 256 },
];
export const SUITE_NAMES = SUITES.map(({ name }) => name);

/** The suites of those names; their files are written into `folder` when they are not there yet. */
export function suitesOf(
  names: readonly string[],
  size: number,
  corpora: readonly string[],
  folder: string,
  questions: number,
): Suite[] {
  return names.map((wanted) => {
    const found = SUITES.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`no suite is called ${wanted}: there are ${SUITE_NAMES.join(", ")}`);
    const { name, language = "en", dims = 0, text = false, exact = false } = found;
    const file = (kind: string) => join(folder, `${kind}.${size}`);
    const suite: Suite = {
      name,
      size,
      language,
      dims,
      text,
      exact,
      texts: file(`${language}.texts`),
      words: file(`${language}.words`),
      vectors: file(`vectors.${dims}`),
    };
    if (text && !existsSync(suite.words)) writePassages(suite, corpora);
    if (dims > 0 && !existsSync(suite.vectors))
      whole(suite.vectors, (part) => writeVectors(part, size + questions, dims));
    return suite;
  });
}

/** A file that is there once all of it is written: what was cut short is written again. */
function whole(file: string, write: (part: string) => void): void {
  write(`${file}.part`);
  renameSync(`${file}.part`, file);
}

function writePassages({ language, size, texts, words }: Suite, corpora: readonly string[]): void {
  const written = fileWriter(texts);
  for (const passage of passages(language, realTexts(language, corpora), size))
    written.write(`${textOf(language, passage)}\n`);
  written.close();
  const segment = wordsIn(language);
  whole(words, (part) => {
    const segmented = fileWriter(part);
    for (const line of lines(texts)) segmented.write(`${segment(line).join(" ")}\n`);
    segmented.close();
  });
}
