import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createParams, decodeComponent, parseQuery, parseTime } from "../../../src/engine/rest/params.ts";

describe("percent escapes", () => {
  it("decode to what was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => decodeComponent(encodeURIComponent(text), true) === text),
    );
  });

  it("leave + in a path and read it as a space in a query", () => {
    expect(decodeComponent("a+b%2Bc", false)).toBe("a+b+c");
    expect(decodeComponent("a+b%2Bc", true)).toBe("a b+c");
  });

  it("give U+FFFD for bytes that are not UTF-8", () => {
    expect(decodeComponent("%FF%E4%B8%AD", false)).toBe("\uFFFD中");
  });

  it("refuse what is no escape, naming the place", () => {
    expect(() => decodeComponent("ab%zz", false)).toThrow("invalid escape sequence `%zz' at index 2 of: ab%zz");
    expect(() => decodeComponent("ab%2", false)).toThrow("unterminated escape sequence at end of string: ab%2");
  });
});

describe("parameters", () => {
  const params = (query: string) => createParams(parseQuery(query));

  it("take an empty value as true", () => {
    expect(params("pretty").flag("pretty")).toBe(true);
    expect(params("pretty=false").flag("pretty")).toBe(false);
    expect(params("").flag("pretty")).toBeUndefined();
    expect(() => params("pretty=maybe").flag("pretty")).toThrow(
      "Failed to parse value [maybe] as only [true] or [false] are allowed.",
    );
  });

  it("name those that nobody asked for, in order", () => {
    const some = params("size=1&foo=1&bar=2");
    some.int("size");
    expect(some.unknown()).toEqual(["bar", "foo"]);
  });

  it("refuse a number that is none or does not fit", () => {
    expect(params("size=12").int("size")).toBe(12);
    expect(() => params("size=x").int("size")).toThrow("Failed to parse int parameter [size] with value [x]");
    expect(() => params("size=3000000000").int("size")).toThrow("Failed to parse int parameter [size]");
    expect(params("version=3000000000").long("version")).toBe(3_000_000_000);
  });

  it("let the last of two values count", () => expect(params("a=1&a=2").text("a")).toBe("2"));
});

describe("times", () => {
  it.each([
    ["30s", 30_000],
    ["1m", 60_000],
    ["-1", -1],
    ["0", 0],
    ["5 MS", 5],
    ["2d", 172_800_000],
  ])("%s", (text, ms) => expect(parseTime(text, "timeout")).toBe(ms));
  it("need a unit", () => {
    expect(() => parseTime("soon", "timeout")).toThrow(
      "failed to parse setting [timeout] with value [soon] as a time value: unit is missing or unrecognized",
    );
  });
});
