// Links between the documentation's files lead somewhere where they are read as files: on GitHub, on npm, in an editor.
// `npm run docs:build` looks at the site's.
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { githubSlug } from "../../docs/.vitepress/slug.ts";
import { root } from "../built.ts";

const inFolder = async (folder: string) =>
  (await readdir(join(root, folder))).filter((name) => name.endsWith(".md")).map((name) => join(folder, name));
const pages = [...(await inFolder(".")), ...(await inFolder("docs")), ...(await inFolder("docs/zh"))];

async function anchors(file: string): Promise<string[]> {
  const text = (await readFile(join(root, file), "utf8")).replace(/^```[\s\S]*?^```$/gm, "");
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    githubSlug(heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")),
  );
}

test.each(pages)("%s", async (file) => {
  const text = (await readFile(join(root, file), "utf8")).replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  for (const [, target] of text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
    const [path, anchor] = target!.split("#") as [string, string?];
    const there = path === "" ? file : relative(root, join(root, dirname(file), path));
    await expect(stat(join(root, there)), `${file} → ${target}`).resolves.toBeDefined();
    if (anchor !== undefined) expect(await anchors(there), `${file} → ${target}`).toContain(decodeURIComponent(anchor));
  }
});
