/** Code in the documentation, for the tests that run it. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../built.ts";

export interface CodeBlock {
  language: string;
  code: string;
  /** The line in the file, from 1, on which the block begins. */
  line: number;
  /** Why it is not run, from a comment above it: `<!-- not run: REASON -->`. Further lines are what its types take for granted. */
  notRun?: string;
  /** What it takes for granted, from a comment above it: `<!-- given CODE -->`. */
  given?: string;
}

const BLOCK = /(?:^<!-- (not run:|given)((?:(?!-->)[\s\S])*)-->\n+)?^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm;

/** All fenced blocks of a Markdown file, in order. */
export async function codeBlocks(file: string): Promise<CodeBlock[]> {
  const text = await readFile(join(root, file), "utf8");
  return [...text.matchAll(BLOCK)].map((match) => {
    const [all, kind, comment, language, code] = match as unknown as string[];
    return {
      language: language!,
      code: code!,
      line: text.slice(0, match.index + all!.indexOf("```")).split("\n").length,
      ...(kind === "not run:" && { notRun: firstLine(comment!), given: afterFirstLine(comment!) }),
      ...(kind === "given" && { given: comment!.trim() }),
    };
  });
}

const firstLine = (comment: string) => comment.split("\n")[0]!.trim();
const afterFirstLine = (comment: string) => comment.split("\n").slice(1).join("\n").trim();

/** Blocks of a language in a Markdown file, in order. */
export async function blocks(file: string, language: string): Promise<string[]> {
  return (await codeBlocks(file)).filter((block) => block.language === language).map(({ code }) => code);
}

/** The English pages that are written by hand: the Chinese ones have the same programs. */
export async function writtenPages(): Promise<string[]> {
  const made = ["engine.md", "strategies.md"];
  const names = (await readdir(join(root, "docs"))).filter((name) => name.endsWith(".md") && !made.includes(name));
  return ["README.md", ...names.sort().map((name) => `docs/${name}`)];
}
