import { describe, expect, test } from "vitest";
import { CHINESE } from "../../src/catalogue/chinese.ts";
import { describeStrategy, STRATEGY_NAMES, strategyNamed } from "../../src/catalogue/index.ts";

describe.each(STRATEGY_NAMES)("%s", (name) => {
  test("what it says of itself and of its options is there in Chinese", () => {
    const { title, goodFor, needs, options } = describeStrategy(strategyNamed(name));
    const properties = Object.values((options["properties"] ?? {}) as Record<string, { description?: string }>);
    const texts = [title, goodFor, ...needs, ...properties.flatMap(({ description }) => description ?? [])];
    expect(texts.filter((text) => !/\p{Script=Han}/u.test(CHINESE[text] ?? ""))).toEqual([]);
  });
});
