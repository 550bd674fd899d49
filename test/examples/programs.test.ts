// The example programs run as they are, on the built package.
import { beforeAll, describe, expect, test } from "vitest";
import { buildPackage, finished, root } from "../built.ts";

beforeAll(buildPackage, 180_000);

async function output(file: string): Promise<string> {
  const { code, out, err } = await finished([`${root}examples/${file}`], { cwd: root });
  expect(code, err).toBe(0);
  return out;
}

describe("the example", () => {
  test("recursive-tables goes from a summary to the row", async () => {
    const lines = (await output("recursive-tables.js")).trim().split("\n");
    expect(lines).toEqual([
      "工龄 10 年有几天年假？ 工龄 10 至 19 年：年假 10 天",
      "去省会城市出差，酒店限额是多少？ 省会城市：每晚 450 元",
    ]);
  }, 60_000);

  test("fusion finds the passages of both languages, with their ranks", async () => {
    const [zh, en] = (await output("fusion.js")).split("How many");
    expect(zh).toMatch(/marriage-leave\.md \(.*bm25 \d/);
    expect(en).toMatch(/annual-leave-days\.md \(.*dense \d/);
  }, 60_000);

  test("auto-merging puts sections in the place of their parts", async () => {
    const out = await output("auto-merging.js");
    expect(out).toMatch(/section of marriage-leave\.md/);
    expect(out).toMatch(/of annual-leave-carryover\.md/);
  }, 60_000);
});
