/** Code in the documentation, for the tests that run it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../built.ts";

/** Blocks of a language in a Markdown file, in order. */
export async function blocks(file: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map((match) => match[1]!);
}
