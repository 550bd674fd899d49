/** The commands over strategies, on the handbook. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STRATEGY_NAMES } from "../../src/catalogue/index.ts";
import { main } from "../../src/cli/main.ts";
import { bar } from "../../src/cli/terminal/explanation.ts";
import { type OpenHandbook, openHandbook } from "../catalogue/handbook.ts";
import { terminal } from "./fixtures.ts";

let handbook: OpenHandbook;
beforeAll(async () => {
  handbook = await openHandbook();
});
afterAll(() => handbook.close());

/** Runs a command line on the handbook. */
async function run(args: string[], columns = 200) {
  const { context, out, err } = terminal(undefined, { columns });
  context.openCollection = async () => ({ ...handbook.collection, close: async () => {} });
  const code = await main(args, context);
  return { code, out: out(), err: err() };
}

describe("huiliu strategies", () => {
  it("lists all with what each is good for, and one with its options", async () => {
    const { out } = await run(["strategies"]);
    for (const name of STRATEGY_NAMES) expect(out).toMatch(new RegExp(`^${name}\\b`, "m"));
    const all = JSON.parse((await run(["strategies", "--json"])).out);
    expect(all.map(({ name }: { name: string }) => name)).toEqual(STRATEGY_NAMES);
    expect(all[0].options.properties).toHaveProperty("weights");
    const phrase = await run(["strategies", "phrase"]);
    expect(phrase.out).toMatch(/--slop +number +0/);
    const { code, err } = await run(["strategies", "phrse"]);
    expect([code, err]).toEqual([2, expect.stringContaining("did you mean phrase?")]);
  });
});

describe("huiliu search with a strategy", () => {
  it("has the strategy's options as flags, with help", async () => {
    for (const name of STRATEGY_NAMES) {
      const { code, out } = await run(["search", "--strategy", name, "--help"]);
      expect(code, name).toBe(0);
      expect(out, name).toMatch(/--strategy <name>/);
    }
    expect((await run(["search", "--strategy=bool", "--help"])).out).toMatch(/--must-not <list>/);
  });
  it("reads flags of every kind", async () => {
    const ids = async (...args: string[]) => {
      const { code, out, err } = await run(["search", ...args, "--json", "-k", "50"]);
      expect([code, err]).toEqual([0, ""]);
      return JSON.parse(out).hits.map(({ text }: { text: string }) => text) as string[];
    };
    for (const text of await ids("申请", "-s", "bool", "--must-not", "婚假", "--must-not", "年休假"))
      expect(text).not.toMatch(/婚假|年休假/);
    for (const text of await ids("婚假", "-s", "phrase", "--slop", "0")) expect(text).toContain("婚假");
    expect(
      (await ids("婚假", "-s", "weighted", "--weights", "bm25=1,phrase=2", "--strategies", "bm25,phrase:slop=1"))
        .length,
    ).toBeGreaterThan(0);
    expect((await ids("请假", "-s", "filtered", "--where", "level=经理", "--of", "bm25")).length).toBeGreaterThan(0);
    expect(
      (await ids("manegers", "-s", "fuzzy", "--fuzziness", "1", "--transpositions", "false")).length,
    ).toBeGreaterThan(0);
    expect(
      (
        await ids(
          "请假",
          "-s",
          "function-score",
          "--recency",
          "effective",
          "--scale",
          "365d",
          "--functions",
          '[{"weight": 2}]',
        )
      ).length,
    ).toBeGreaterThan(0);
  });
  it("shows fragments, warnings, counts, and why", async () => {
    expect((await run(["search", "婚假", "-s", "phrase", "--highlight", "-k", "1"])).out).toContain("«婚假»");
    const json = JSON.parse((await run(["search", "婚假", "-s", "phrase", "--highlight", "-k", "1", "--json"])).out);
    expect(json.hits[0].highlights.content.join()).toContain("<em>婚假</em>");
    expect((await run(["search", "*事假*", "-s", "wildcard", "-k", "1"])).err).toContain("begins with *");
    const counted = await run([
      "search",
      "",
      "-s",
      "aggregate",
      "--by",
      "level",
      "--histogram",
      "effective",
      "--interval",
      "year",
    ]);
    expect(counted.out).toMatch(/员工 +\d+ +█/);
    expect((await run(["search", "婚假", "--explain", "-k", "1"])).out).toMatch(
      /It is number 1 \(bm25 #\d+, dense #\d+\)/,
    );
  });
  it("usage errors name the remedy", async () => {
    for (const [args, message] of [
      [["search", "x", "-s", "rerank"], "--reranker"],
      [["search", "x", "-s", "weighted", "--weights", "a"], "weights"],
      [["search", "x", "-s", "function-score", "--functions", "{"], "not JSON"],
      [["search", "x", "-s", "fuzzy", "--transpositions", "maybe"], "true or false"],
    ] as const) {
      const { code, err } = await run([...args]);
      expect(code, args.join(" ")).not.toBe(0);
      expect(err).toContain(message);
    }
  });
});

describe("huiliu explain", () => {
  it("draws terms and lists as bars", async () => {
    const { code, out } = await run(["explain", "婚假有几天", "--passage", "zh/marriage-leave.md"]);
    expect(code).toBe(0);
    expect(out).toMatch(/婚假 +content\.cjk +[\d.]+ +█/);
    expect(out).toMatch(/adds 0\.\d+ +█/);
  });
  it("gives one JSON document, and says what is not there", async () => {
    const { out } = await run([
      "explain",
      "婚假",
      "--passage",
      "zh/sick-leave-pay.md",
      "-s",
      "bm25",
      "-k",
      "1",
      "--json",
    ]);
    expect(JSON.parse(out)).toMatchObject({
      found: false,
      strategy: "bm25",
      passage: { file: expect.stringContaining("sick-leave-pay") },
    });
    const { code, err } = await run(["explain", "婚假", "--passage", "nothing"]);
    expect([code, err]).toEqual([1, expect.stringContaining('there is no passage "nothing"')]);
  });
});

describe("huiliu compare", () => {
  it("shows columns with movements where they fit, and one below the other where they do not", async () => {
    const wide = await run(["compare", "请假需要谁批准", "--strategies", "bm25,dense,weighted,rrf", "-k", "3"]);
    expect(wide.out.split("\n")[0]).toMatch(/bm25 +dense +weighted +rrf/);
    expect(wide.out).toMatch(/(=|↑\d|↓\d|new) \d/);
    const { out } = await run(["compare", "婚假", "--strategies", "bm25,phrase:slop=1", "--json"]);
    expect(JSON.parse(out).strategies.map(({ name }: { name: string }) => name)).toEqual(["bm25", "phrase"]);
    const wrong = await run(["compare", "婚假", "--strategies", "bm25,phrase:slpo=1"]);
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("did you mean slop?")]);
  });
});

describe("huiliu analyze", () => {
  it("shows the tokens of several analyzers side by side", async () => {
    const { out } = await run(["analyze", "员工年休假"]);
    expect(out).toContain("standard     员 | 工 | 年 | 休 | 假\n");
    expect(out).toContain("cjk          员工 | 工年 | 年休 | 休假\n");
    expect(out).toContain("ik_smart     员工 | 年休假\n");
    const json = JSON.parse((await run(["analyze", "annual leaves", "--analyzers", "english", "--json"])).out);
    expect(json.analyzers[0].tokens.map(({ token }: { token: string }) => token)).toEqual(["annual", "leav"]);
    const unknown = await run(["analyze", "x", "--analyzers", "nothing"]);
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("nothing")]);
  });
});

it("bars have eighths of a column, and something for anything", () => {
  expect(bar(1, 4)).toBe("████");
  expect(bar(0.5, 1)).toBe("▌");
  expect(bar(0, 4)).toBe("");
  expect(bar(1e-9, 4)).toBe("▏");
  expect(bar(Number.POSITIVE_INFINITY, 2)).toBe("██");
});
