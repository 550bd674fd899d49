import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { civilFromDays, daysFromCivil } from "../../../src/engine/mapping/date/calendar.ts";
import { dateFormatter, fromMillis, toMillis } from "../../../src/engine/mapping/date/formatter.ts";
import { parseDateMath } from "../../../src/engine/mapping/date/math.ts";
import { instantOfLocal, parseZone } from "../../../src/engine/mapping/date/zone.ts";
import { errorOf, mappingOf, recorded } from "./support.ts";

describe("formats read and print as in Elasticsearch", () => {
  const { texts, formats } = recorded<{
    texts: string[];
    formats: { [format: string]: { [text: string]: [string, string] } };
  }>("dates");
  for (const [format, accepted] of Object.entries(formats)) {
    it(format, () => {
      const formatter = dateFormatter(format);
      for (const text of texts) {
        const instant = formatter.read(text);
        const expected = accepted[text];
        expect(`${text}: ${instant === undefined ? undefined : toMillis(instant)}`).toBe(`${text}: ${expected?.[0]}`);
        if (expected !== undefined) expect(formatter.print(fromMillis(BigInt(expected[0])))).toBe(expected[1]);
      }
    });
  }
});

describe("bounds of ranges are Elasticsearch's", () => {
  const { properties, bounds } = recorded<{
    properties: object;
    bounds: [field: string, op: string, value: string, zone: string | null, bound: string][];
  }>("bounds");
  const mapping = mappingOf({ properties });
  for (const name of Object.keys(properties)) {
    it(name, () => {
      const field = mapping.field(name);
      for (const [of, op, value, zone, expected] of bounds) {
        if (of !== name || field === undefined) continue;
        const roundUp = op === "gt" || op === "lte";
        let bound = field.rangeBound(value, { roundUp, now: 0, timeZone: zone ?? undefined }) as number | bigint;
        if (op === "gt") bound = field.nextUp(bound);
        if (op === "lt") bound = field.nextDown(bound);
        const shown = field.info.points === "double" ? Math.fround(Number(bound)) : String(bound);
        const wanted = field.info.points === "double" ? Math.fround(Number(expected)) : expected;
        expect(`${op} ${value} ${zone}: ${shown}`).toBe(`${op} ${value} ${zone}: ${wanted}`);
      }
    });
  }
});

describe("date math", () => {
  const now = Date.UTC(2024, 1, 29, 12, 34, 56);
  const formatter = dateFormatter("strict_date_optional_time");
  const math = (text: string, roundUp = false, zone?: string) =>
    new Date(
      Number(
        toMillis(
          parseDateMath(text, formatter, { now, roundUp, zone: zone === undefined ? undefined : parseZone(zone) }),
        ),
      ),
    ).toISOString();
  it("adds and rounds", () => {
    expect(math("now+1y/M")).toBe("2025-02-01T00:00:00.000Z");
    expect(math("now/d", true)).toBe("2024-02-29T23:59:59.999Z");
    expect(math("2024-01-31||+1M")).toBe("2024-02-29T00:00:00.000Z");
  });
  it("counts days by the clock of the zone", () => {
    expect(math("2024-03-30T12:00||+1d", false, "Europe/Paris")).toBe("2024-03-31T10:00:00.000Z");
  });
  it("names what it does not understand", () => {
    expect(errorOf(() => math("now+1x"))).toMatchObject({
      type: "parse_exception",
      message: "unit [x] not supported for date math [+1x]",
    });
    expect(errorOf(() => math("now/2d"))?.message).toBe("rounding `/` can only be used on single unit types [/2d]");
    expect(errorOf(() => math("never"))?.message).toBe(
      "failed to parse date field [never] with format [strict_date_optional_time]: [failed to parse date field [never] with format [strict_date_optional_time]]",
    );
  });
});

describe("zones", () => {
  it("move a time out of a gap and take the earlier of two", () => {
    const paris = parseZone("Europe/Paris");
    expect(instantOfLocal(Date.UTC(2020, 2, 29, 2, 30), paris)).toBe(Date.UTC(2020, 2, 29, 1, 30));
    expect(instantOfLocal(Date.UTC(2020, 9, 25, 2, 30), paris)).toBe(Date.UTC(2020, 9, 25, 0, 30));
  });
  it("refuse an unknown name as Elasticsearch does", () => {
    expect(errorOf(() => parseZone("Foo/Bar"))?.message).toBe(
      "java.time.zone.ZoneRulesException: Unknown time-zone ID: Foo/Bar",
    );
  });
});

describe("the calendar", () => {
  it("agrees with Date", () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
        const date = new Date(days * 86_400_000);
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        expect(civilFromDays(days)).toEqual(civil);
        expect(daysFromCivil(civil.year, civil.month, civil.day)).toBe(days);
      }),
      { numRuns: 300 },
    );
  });
});
