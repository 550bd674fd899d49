/** The strategies that are one request: what each must hold. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBm25, setBm25 } from "../../src/catalogue/index.ts";
import { document } from "../../src/schema/index.ts";
import { openSmall, type Small } from "./small.ts";

let small: Small;
beforeAll(async () => {
  small = await openSmall();
});
afterAll(() => small.close());

const kinds = () => small.warnings.map(({ kind }) => kind);

describe("bm25", () => {
  it("has k1 = 1.2 and b = 0.75 until the index is given others, which hold for what is there already", async () => {
    const own = await openSmall();
    try {
      expect(await readBm25(own.collection)).toEqual({ k1: 1.2, b: 0.75 });
      const score = async () => (await own.collection.search("申请", { strategy: "bm25", topK: 1 }))[0]!.score!;
      const before = await score();
      expect(await own.ids("申请", { strategy: "bm25-tuned", k1: 1.2, b: 0.75 })).toHaveLength(4);
      await expect(own.ids("申请", { strategy: "bm25-tuned", k1: 2 })).rejects.toThrow(
        /has k1 = 1.2 and b = 0.75.*setBm25/,
      );
      await setBm25(own.collection, { k1: 0.5, b: 0 });
      expect(await readBm25(own.collection)).toEqual({ k1: 0.5, b: 0 });
      expect(await score()).not.toBeCloseTo(before, 3);
      expect(await own.ids("申请", { strategy: "bm25-tuned", k1: 0.5, b: 0 })).toHaveLength(4);
      await expect(setBm25(own.collection, { k1: -1, b: 0 })).rejects.toThrow(/k1/);
      await expect(setBm25(own.collection, { k1: 1, b: 2 })).rejects.toThrow(/b must be/);
      // Refused constants leave the index open.
      expect(await own.ids("申请", { strategy: "bm25" })).toHaveLength(4);
    } finally {
      await own.close();
    }
  });

  it("asks for all words, or for some", async () => {
    expect((await small.ids("婚假 批准", { strategy: "bm25" })).length).toBeGreaterThan(1);
    expect(await small.ids("婚 半", { strategy: "bm25", operator: "and" })).toEqual(["wedding"]);
    expect(await small.ids("leave director zebra", { strategy: "bm25", minimumShouldMatch: "2" })).toEqual(["english"]);
  });
});

describe("fields", () => {
  it("warns of weights over 10, and of no others", async () => {
    await small.ids("annual", { strategy: "fields", fields: ["content^10", "metadata.level^2"] });
    expect(kinds()).toEqual([]);
    await small.ids("annual", { strategy: "fields", fields: ["content^10.5", "metadata.level"] });
    expect(kinds()).toEqual(["high-boost"]);
    expect(small.warnings[0]!.message).toContain("content^10.5");
  });
  it("weighs fields", async () => {
    const fields = ["content", "metadata.level^5"];
    expect((await small.ids("员工 批准", { strategy: "fields", fields, type: "best_fields" }))[0]).not.toBe("annual");
  });
});

describe("bool", () => {
  it("excludes a Chinese word as a word, not by its characters", async () => {
    const found = await small.ids("申请", { strategy: "bool", mustNot: ["婚假"] });
    expect(found.sort()).toEqual(["annual", "personal", "wedding"]);
    // The trap: without phrases whatever has 婚 or 假 goes.
    expect(await small.ids("申请", { strategy: "bool", mustNot: ["婚假"], phrases: [] })).toEqual([]);
    expect((await small.ids("申请", { strategy: "bool", mustNot: [{ text: "婚假", phrase: false }] })).sort()).toEqual(
      [],
    );
  });
  it("must, should and filter hold as their names say", async () => {
    expect((await small.ids("", { strategy: "bool", must: ["申请"], should: ["批准"] }))[0]).toBe("annual");
    expect(await small.ids("申请", { strategy: "bool", filter: ["直属主管"] })).toEqual(["annual"]);
    expect(
      await small.ids("申请", { strategy: "bool", must: [{ text: "七个工作日", phrase: true }], mustNot: ["年休假"] }),
    ).toEqual(["marriage"]);
    expect(await small.ids("", { strategy: "bool", mustNot: ["婚假"] })).toEqual([]);
  });
});

describe("wildcard", () => {
  it("finds parts of the text, and warns of a leading star and of reading everything", async () => {
    expect(await small.ids("*事假*", { strategy: "wildcard" })).toEqual(["personal"]);
    expect(kinds()).toEqual(["leading-wildcard", "scan"]);
    expect(await small.ids("婚假*", { strategy: "wildcard" })).toEqual(["marriage"]);
    expect(kinds()).toEqual(["scan"]);
  });
  it("finds values of keyword fields", async () => {
    expect((await small.ids("员?", { strategy: "wildcard", field: "metadata.level.keyword" })).sort()).toEqual([
      "marriage",
      "personal",
    ]);
    expect(kinds()).toEqual([]);
    expect(await small.ids("MAN*", { strategy: "wildcard", field: "metadata.level", caseInsensitive: true })).toEqual([
      "english",
    ]);
    await small.ids("员工", { strategy: "wildcard", field: "metadata.level" });
    expect(kinds()).toEqual(["no-wildcard"]);
  });
  it("reports values that were too long for the field", async () => {
    const long = "长".repeat(9000);
    const own = await openSmall({}, [
      document({ id: "long", text: "一", metadata: { name: "long", note: long } }),
      document({ id: "short", text: "二", metadata: { name: "short", note: "长" } }),
    ]);
    try {
      expect(await own.ids("长*", { strategy: "wildcard", field: "metadata.note" })).toEqual(["short"]);
      expect(own.warnings.map(({ kind }) => kind)).toEqual(["ignored-values"]);
      expect(own.warnings[0]!.message).toMatch(/1 passages .* more than 8191 characters in metadata\.note\.keyword/);
    } finally {
      await own.close();
    }
  });
  it("has a field of the type wildcard where that was asked for", async () => {
    const own = await openSmall({ wildcard: true });
    try {
      expect(await own.ids("*事假*", { strategy: "wildcard" })).toEqual(["personal"]);
      expect(own.warnings.map(({ kind }) => kind)).toEqual(["leading-wildcard"]);
    } finally {
      await own.close();
    }
  });
  it("refuses what cannot be matched, and bounds patterns", async () => {
    await expect(small.ids("*", { strategy: "wildcard", field: "nothing" })).rejects.toThrow(/no field "nothing"/);
    await expect(small.ids("*", { strategy: "wildcard", field: "metadata.views" })).resolves.toHaveLength(5);
    await expect(small.ids("*a".repeat(501), { strategy: "wildcard" })).rejects.toThrow(/1002/);
  });
});

describe("fuzzy", () => {
  it("finds misspelt words, within edits and behind a prefix", async () => {
    expect(await small.ids("manegers direktor", { strategy: "fuzzy" })).toEqual(["english"]);
    expect(await small.ids("xanagers", { strategy: "fuzzy", prefixLength: 1 })).toEqual([]);
    expect(await small.ids("amnagers", { strategy: "fuzzy", fuzziness: 1 })).toEqual(["english"]);
    expect(await small.ids("amnagers", { strategy: "fuzzy", fuzziness: 1, transpositions: false })).toEqual([]);
    expect(kinds()).toEqual([]);
  });
  it("explains that terms of Chinese are single characters", async () => {
    await small.ids("请家", { strategy: "fuzzy" });
    expect(kinds()).toEqual(["single-characters"]);
    expect(small.warnings[0]!.message).toContain("AUTO allows no edit");
    await small.ids("请家", { strategy: "fuzzy", fuzziness: 1 });
    expect(small.warnings[0]!.message).toContain("one matches any other");
  });
  it("works on words under IK", async () => {
    const own = await openSmall({ analysis: "ik" });
    try {
      expect(await own.ids("工作月", { strategy: "fuzzy", fuzziness: 1, field: "content" })).not.toEqual([]);
      expect(own.warnings).toEqual([]);
      await own.ids("婚嫁", { strategy: "fuzzy" });
      expect(own.warnings.map(({ kind }) => kind)).toEqual(["short-words"]);
    } finally {
      await own.close();
    }
  });
});

describe("function-score", () => {
  it("prefers what is new, by a date among the metadata", async () => {
    const options = { strategy: "function-score", recency: "effective", origin: "2024-02-01", scale: "90d" };
    expect((await small.ids("提前 申请", options))[0]).toBe("marriage");
    expect((await small.ids("提前 申请", { ...options, origin: "2020-02-01" }))[0]).toBe("personal");
    for (const curve of ["gauss", "exp", "linear"])
      expect((await small.ids("提前 申请", { ...options, curve }))[0]).toBe("marriage");
  });
  it("prefers what is popular, and numbers near an origin", async () => {
    expect((await small.ids("申请", { strategy: "function-score", popularity: "views" }))[0]).toBe("personal");
    expect((await small.ids("申请", { strategy: "function-score", recency: "views", origin: 100, scale: 5 }))[0]).toBe(
      "annual",
    );
  });
  it("weights, chance and functions of the DSL", async () => {
    expect((await small.ids("申请", { strategy: "function-score", boostText: "主管", boostWeight: 50 }))[0]).toBe(
      "annual",
    );
    const random = { strategy: "function-score", random: 7, boostMode: "replace" };
    expect(await small.ids("申请", random)).toEqual(await small.ids("申请", random));
    expect(
      (
        await small.ids("申请", {
          strategy: "function-score",
          functions: [{ filter: { match: { content: "婚假" } }, weight: 9 }],
        })
      )[0],
    ).toBe("marriage");
  });
  it("names what is no number and no date, and what there is", async () => {
    await expect(small.ids("x", { strategy: "function-score", recency: "level" })).rejects.toThrow(/"level" is text/);
    await expect(small.ids("x", { strategy: "function-score", popularity: "likes" })).rejects.toThrow(
      /no passage has .*views/,
    );
  });
});

describe("chinese", () => {
  it("keeps words of the house whole, and knows words of one meaning", async () => {
    expect(await small.ids("婚假怎么请", { strategy: "chinese", words: ["婚假"] })).toEqual(["marriage"]);
    const plain = await small.ids("休假批准", { strategy: "chinese", operator: "and" });
    expect(plain).toEqual([]);
    expect(await small.ids("歇假 批准", { strategy: "chinese", synonyms: ["歇假=年休假"], operator: "and" })).toEqual([
      "annual",
    ]);
    expect((await small.ids("歇假", { strategy: "chinese", synonyms: ["歇假=年休假"] }))[0]).toBe("annual");
    await expect(small.ids("x", { strategy: "chinese", synonyms: ["婚假"] })).rejects.toThrow(/请假=休假/);
  });
  it.each(["standard", "cjk", "ik", "ik_smart"] as const)("one option picks %s for an index", async (analysis) => {
    const own = await openSmall({ analysis });
    try {
      const found = await own.ids("婚假", { strategy: "chinese" });
      // Single characters cannot tell 婚假 from 婚…假: words of the house can.
      if (analysis === "standard") expect(found).toContain("wedding");
      else expect(found[0]).toBe("marriage");
      expect(await own.ids("婚假", { strategy: "chinese", words: ["婚假"] })).toEqual(["marriage"]);
      expect(await own.ids("婚假", { strategy: "phrase" })).toEqual(["marriage"]);
      expect((await own.ids("annual leaves", { strategy: "bm25" }))[0]).toBe("english");
      if (analysis === "ik")
        expect((await own.ids("年休假", { strategy: "chinese", analyzer: "ik_smart" }))[0]).toBe("annual");
    } finally {
      await own.close();
    }
  });
});
