// The Chinese pages say what the English ones say: a page for each, the same headings, the same programs.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { enginePageZh } from "../../scripts/lib/engine-page-zh.ts";
import { strategiesPage } from "../../scripts/lib/strategies-page.ts";
import { root } from "../built.ts";
import { codeBlocks } from "./markdown.ts";

const pagesOf = async (folder: string) =>
  (await readdir(join(root, folder))).filter((name) => name.endsWith(".md")).sort();
const zh = await pagesOf("docs/zh");

/** Headings by their depth, outside code and outside what a script writes into a page of one language. */
async function headings(file: string): Promise<string[]> {
  const text = (await readFile(join(root, file), "utf8"))
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(/<!-- table -->[\s\S]*<!-- \/table -->/, "");
  return [...text.matchAll(/^(#+) /gm)].map(([, depth]) => depth!);
}

/** Programs without what is in the reader's language: comments. */
async function programs(file: string): Promise<string[]> {
  return (await codeBlocks(file)).map(({ language, code }) => `${language}\n${withoutComments(language, code)}`);
}

function withoutComments(language: string, code: string): string {
  const comment = ["sh", "bash", "yaml"].includes(language) ? /(^|\s)\s*#.*$/gm : /(^|\s)\s*\/\/.*$/gm;
  return code
    .replace(comment, "")
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

test("each page is there in both languages", async () => {
  // How fast it is and what was measured: figures, in English alone.
  expect(zh).toEqual((await pagesOf("docs")).filter((name) => name !== "performance.md"));
});

test("the generated pages are what their scripts write", async () => {
  expect(await readFile(join(root, "docs/zh/engine.md"), "utf8")).toBe(enginePageZh());
  expect(await readFile(join(root, "docs/zh/strategies.md"), "utf8")).toBe(strategiesPage("zh"));
});

test.each(zh)("docs/zh/%s has the headings and programs of the English page", async (name) => {
  expect(await headings(`docs/zh/${name}`)).toEqual(await headings(`docs/${name}`));
  expect(await programs(`docs/zh/${name}`)).toEqual(await programs(`docs/${name}`));
});
