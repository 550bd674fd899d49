/** Code in the documentation, for the tests that run it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../built.ts";

/** Blocks of a language in a Markdown file, in order. */
export async function blocks(file: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map((match) => match[1]!);
}

export interface CodeBlock {
  language: string;
  /** What stands behind the language in the fence's first line. */
  info: string;
  code: string;
  /** The line in the file, from 1, on which the block begins. */
  line: number;
}

/** All fenced blocks of a Markdown file, in order. */
export async function codeBlocks(file: string): Promise<CodeBlock[]> {
  const text = await readFile(join(root, file), "utf8");
  return [...text.matchAll(/^```(\S*)([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    info: match[2]!.trim(),
    code: match[3]!,
    line: text.slice(0, match.index).split("\n").length,
  }));
}
