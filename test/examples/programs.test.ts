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

  test("citations streams an answer, checks its numbers, and extracts without a model", async () => {
    const lines = (await output("citations.js")).trim().split("\n");
    expect(lines[0]).toBe("[1] annual-leave-days.md");
    expect(lines).toContain("Seven days a year [1]. Ask HR [9].");
    expect(lines).toContain("cited: 1; no such source: 9");
    expect(lines.at(-1)).toMatch(/\[1\]$/);
  }, 60_000);

  test("response-modes counts the calls of each mode", async () => {
    const calls = new Map(
      (await output("response-modes.js"))
        .trim()
        .split("\n")
        .map((line) => line.split(/: | calls/, 2) as [string, string]),
    );
    expect(calls.get("refine")).toBe("6");
    expect(calls.get("accumulate")).toBe("6");
    expect(Number(calls.get("compact"))).toBeLessThan(6);
    expect([calls.get("simple_summarize"), calls.get("generation")]).toEqual(["1", "1"]);
    expect([calls.get("no_text"), calls.get("context_only")]).toEqual(["0", "0"]);
  }, 60_000);

  test("chat understands the second message by the first", async () => {
    expect((await output("chat.js")).trim().split("\n")).toEqual([
      "婚假三天。",
      "再婚也是三天。",
      "4 messages, 2 sources",
    ]);
  }, 60_000);

  test("engines chooses, and takes a question apart", async () => {
    const out = await output("engines.js");
    expect(out).toMatch(/^Seven days a year\. \[ \{ index: 0, reason: 'it asks for annual leave' \} \]/);
    expect(out).toMatch(/sick leave is paid in part\.\n {2}annual: How long.*\n {2}sick: Is sick leave paid\?/);
  }, 60_000);

  test("agent-tools lets a model search", async () => {
    const out = await output("agent-tools.js");
    expect(out).toMatch(/search \{"query":"days of annual leave","topK":1/);
    expect(out).toMatch(/\nRead: 1\. annual-leave-days\.md \(id .+\)\n$/);
  }, 60_000);

  test("langchain finds by a retriever and by a store", async () => {
    expect(await output("langchain.js")).toMatch(/^\[ 'marriage-leave\.md', .*\]\nDogs bark\. 0\.\d+\n$/);
  }, 60_000);

  test("mcp shows tools, hits and resources", async () => {
    expect(await output("mcp.js")).toBe("search, ask, get, list, count, analyze\nmarriage-leave.md\n49 documents\n");
  }, 60_000);
});
