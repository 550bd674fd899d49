// The page for users of LlamaIndex names what there is, and its program runs.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import * as huiliu from "../../src/index.ts";
import { buildPackage, finished, root } from "../built.ts";
import { blocks } from "./markdown.ts";

const PAGE = "docs/llamaindex.md";
/** Words in the right column that are no exports: fields, methods, values. */
const NOT_EXPORTED =
  /[.({ ]|^(?:obj|strategy|trace|mode|queryMode|prompts|schema|structuredFiltering|repack|truncate|text|object|sources|textStream|Response)$/;

beforeAll(buildPackage, 180_000);

test("each name in the table is exported", async () => {
  const page = await readFile(join(root, PAGE), "utf8");
  const [section] = page.split("\n## ").filter((part) => part.startsWith("Names"));
  const rows = section!.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| LlamaIndex"));
  expect(rows.length).toBeGreaterThan(25);
  const names = rows.flatMap((row) =>
    [...row.split(" | ")[1]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!.replace(/\(.*$/s, "")),
  );
  const missing = names.filter((name) => !NOT_EXPORTED.test(name) && !(name in huiliu));
  expect(missing).toEqual([]);
});

test("its program runs", async () => {
  const [program] = await blocks(PAGE, "js");
  const { code, out, err } = await finished(["--input-type=module", "--eval", program!], { cwd: root });
  expect(code, err).toBe(0);
  expect(out).toContain("年休假五天");
}, 60_000);
