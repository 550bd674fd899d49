import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { minimumShouldMatch } from "../../../../src/engine/query/dsl/minimum-should-match.ts";

/**
 * Recorded from Elasticsearch 8.17.4: for each form what it means with 1 to 7 optional clauses: how many must match, "none" where more
 * than there are, "at most 1", or the type of the error.
 */
const recorded: Record<string, (number | string)[]> = JSON.parse(
  readFileSync(new URL("minimum-should-match.json", import.meta.url), "utf8"),
);

function outcome(optional: number, spec: string): number | string {
  try {
    const least = minimumShouldMatch(optional, spec);
    return least > optional ? "none" : least <= 1 ? "at most 1" : least;
  } catch (error) {
    return (error as { type: string }).type;
  }
}

describe("minimum_should_match", () => {
  it.each(Object.entries(recorded))("%j means what it means in Elasticsearch", (spec, expected) => {
    expect(expected.map((_, i) => outcome(i + 1, spec))).toEqual(expected);
  });

  it("asks for nothing of no clauses", () => {
    for (const spec of ["75%", "-1", "-100%", "3<90%"]) expect(minimumShouldMatch(0, spec)).toBe(0);
  });
});
