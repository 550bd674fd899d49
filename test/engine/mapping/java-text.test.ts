import { expect, it } from "vitest";
import { javaFloat } from "../../../src/engine/mapping/java-text.ts";

it.each([
  [1, "1.0"],
  [0.1, "0.1"],
  [-2.5, "-2.5"],
  [0.001, "0.001"],
  [0.000999, "9.99E-4"],
  [9_999_999, "9999999.0"],
  [10_000_000, "1.0E7"],
  [16_777_216, "1.6777216E7"],
  [123_456.79, "123456.79"],
  [1 / 3, "0.33333334"],
  [3.402_823_466e38, "3.4028235E38"],
  [-0, "-0.0"],
  [Number.NaN, "NaN"],
])("a float %d is printed as Java prints it: %s", (value, text) => expect(javaFloat(Math.fround(value))).toBe(text));

it("a printed float reads back as the same float", () => {
  for (let at = 1; at < 5000; at++) {
    const value = Math.fround(Math.exp((at % 30) - 15) * at);
    expect(Math.fround(Number(javaFloat(value)))).toBe(value);
  }
});
