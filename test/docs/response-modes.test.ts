// The page on response modes names every mode and prompt, and its program runs.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ANSWER_PROMPTS, RESPONSE_MODES } from "../../src/index.ts";
import { buildPackage, finished, root } from "../built.ts";
import { blocks } from "./markdown.ts";

const PAGE = "docs/response-modes.md";

beforeAll(buildPackage, 180_000);

test("each mode stands in its table, and each prompt in its own", async () => {
  const page = await readFile(join(root, PAGE), "utf8");
  const first = [...page.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(first.sort()).toEqual([...RESPONSE_MODES, ...Object.keys(ANSWER_PROMPTS.en)].sort());
});

test("its program runs", async () => {
  const [program] = await blocks(PAGE, "js");
  const { code, out, err } = await finished(["--input-type=module", "--eval", program!], { cwd: root });
  expect(code, err).toBe(0);
  expect(out).toBe("1\n五天。");
}, 60_000);
