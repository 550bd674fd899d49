/** Files into a collection, end to end: read, split, embedded with the bundled embedding, indexed. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { passages, textOf } from "../workload/passages.ts";
import { realTexts } from "../workload/texts.ts";
import type { Language } from "../workload/types.ts";

const FILES = 500;
/** Paragraphs of a file, of about 100 words each. */
const PARAGRAPHS = 6;

/** The package as it is built. */
const built = new URL("../../dist/index.js", import.meta.url).href;

export interface Ingestion {
  readonly language: Language;
  readonly filesPerSecond: number;
  readonly passagesPerSecond: number;
}

async function measure(language: Language, corpora: readonly string[], folder: string): Promise<Ingestion> {
  const files = join(folder, "files");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  let paragraphs: string[] = [];
  let written = 0;
  for (const words of passages(language, realTexts(language, corpora), FILES * PARAGRAPHS)) {
    paragraphs.push(textOf(language, words));
    if (paragraphs.length < PARAGRAPHS) continue;
    writeFileSync(join(files, `${written++}.md`), `# ${paragraphs[0].slice(0, 20)}\n\n${paragraphs.join("\n\n")}\n`);
    paragraphs = [];
  }
  const { openCollection } = (await import(built)) as typeof import("../../src/index.ts");
  const collection = await openCollection("bench", { data: join(folder, "data") });
  try {
    const began = performance.now();
    const { passages: made, failed } = await collection.add(files);
    const seconds = (performance.now() - began) / 1000;
    if (failed.length > 0) throw failed[0].error;
    return { language, filesPerSecond: FILES / seconds, passagesPerSecond: made / seconds };
  } finally {
    await collection.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function ingestion(work: string, corpora: readonly string[]): Promise<Ingestion[]> {
  const results: Ingestion[] = [];
  for (const language of ["en", "zh"] as const) {
    // Corpora in one language only are measured in that one.
    if (realTexts(language, corpora).length > 0)
      results.push(await measure(language, corpora, join(work, "ingestion")));
  }
  return results;
}
