/** Real texts: of the handbook that the package ships, or of folders with `corpus.jsonl` (BEIR's layout), Markdown or plain text. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { analysisResources } from "../../src/elasticsearch/assets.ts";
import { createAnalysisRegistry } from "../../src/engine/analysis/index.ts";
import type { Language } from "./types.ts";

const HANDBOOK = fileURLToPath(new URL("../../examples/handbook", import.meta.url));

const isChinese = (text: string) => (text.match(/\p{Script=Han}/gu)?.length ?? 0) > text.length / 5;

function textsOf(folder: string): string[] {
  const corpus = join(folder, "corpus.jsonl");
  if (existsSync(corpus)) {
    const lines = readFileSync(corpus, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => String((JSON.parse(line) as { text?: unknown }).text ?? ""));
  }
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(md|txt)$/.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), "utf8").replace(/^---[\s\S]*?\n---/, ""));
}

/** The words of a text, as the analysers that are measured find them: ASCII words in lower case, or IK's. */
export function wordsIn(language: Language): (text: string) => string[] {
  if (language === "en") {
    return (text) =>
      text
        .normalize("NFD")
        .replace(/\p{M}/gu, "")
        .toLowerCase()
        .match(/[a-z0-9]+/g) ?? [];
  }
  const analyzer = createAnalysisRegistry({ analysis: {} }, analysisResources()).get("ik_smart")!;
  return (text) => {
    const words: string[] = [];
    analyzer.analyze(text, (term) => words.push(term));
    return words;
  };
}

/** Real texts of a language, each as its words. */
export function realTexts(language: Language, folders: readonly string[]): string[][] {
  const texts = (folders.length > 0 ? folders : [HANDBOOK]).flatMap(textsOf);
  const words = wordsIn(language);
  const found = texts.filter((text) => isChinese(text) === (language === "zh")).map(words);
  return found.filter((list) => list.length >= 20);
}
