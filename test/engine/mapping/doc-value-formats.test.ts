import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { writeJson } from "../../../src/engine/json/write.ts";
import { decimalFormat } from "../../../src/engine/mapping/decimal-format.ts";
import { checkFielddata } from "../../../src/engine/mapping/fielddata.ts";
import { mappingOf } from "./support.ts";

interface Recorded {
  readonly pattern: string;
  readonly error?: string;
  readonly doubles?: readonly (readonly [value: string, text: string])[];
  readonly longs?: readonly (readonly [value: string, text: string])[];
}

const recorded = JSON.parse(
  readFileSync(new URL("./recorded/decimal-formats.json", import.meta.url), "utf8"),
) as Recorded[];

describe("patterns of numbers", () => {
  it.each(recorded.map((one) => [one.pattern, one] as const))("%j prints as in Elasticsearch", (pattern, one) => {
    if (one.error !== undefined) {
      expect(() => decimalFormat(pattern)).toThrow(one.error);
      return;
    }
    const { format } = decimalFormat(pattern);
    for (const [value, text] of one.doubles ?? []) expect(`${value} ${format(Number(value))}`).toBe(`${value} ${text}`);
    for (const [value, text] of one.longs ?? []) expect(`${value} ${format(BigInt(value))}`).toBe(`${value} ${text}`);
  });

  it("prints what is no finite number", () => {
    const { format } = decimalFormat("a0.0b");
    expect([Number.NaN, Infinity, -Infinity].map((value) => format(value))).toEqual(["NaN", "a∞b", "-a∞b"]);
  });
});

const properties = {
  k: { type: "keyword" },
  off: { type: "keyword", doc_values: false },
  t: { type: "text" },
  tf: { type: "text", fielddata: true },
  l: { type: "long" },
  d: { type: "double" },
  h: { type: "half_float" },
  sf: { type: "scaled_float", scaling_factor: 10 },
  b: { type: "boolean" },
  date: { type: "date" },
  nanos: { type: "date_nanos" },
  own: { type: "date", format: "dd/MM/yyyy||epoch_second" },
  ip: { type: "ip" },
  v: { type: "dense_vector", dims: 2, index: false },
} as const;

const field = (name: string) => mappingOf({ properties }).field(name)!;

describe("formats of doc values", () => {
  it.each([
    ["l", 9007199254740993n, undefined, "9007199254740993", "9007199254740993"],
    ["l", 1234, "#,##0.0", '"1,234.0"', "1234"],
    ["d", 3, undefined, "3.0", "3.0"],
    ["h", 0.0999755859375, undefined, "0.0999755859375", "0.099975586"],
    ["sf", 125, undefined, "12.5", "12.5"],
    ["sf", 125, "0.00", '"12.50"', "12.5"],
    ["b", 1, undefined, "true", "1"],
    ["date", 1704164645678, undefined, '"2024-01-02T03:04:05.678Z"', "1704164645678"],
    ["date", 1704164645678, "epoch_second", '"1704164645.678"', '"1704164645.678"'],
    ["date", 1704164645678.9, "yyyy", '"2024"', '"2024"'],
    ["nanos", 1704164645123456789n, "epoch_millis", '"1704164645123.456789"', '"1704164645123.456789"'],
    ["own", 5000, undefined, '"01/01/1970"', "5000"],
    ["ip", "00000000000000000000ffff0a000001", undefined, '"10.0.0.1"', '"10.0.0.1"'],
    ["k", "x", undefined, '"x"', '"x"'],
  ] as const)("%s: %s by %s", (name, value, format, shown, sorted) => {
    const made = field(name).docValueFormat(format === undefined ? {} : { format });
    expect([writeJson(made.format(value)), writeJson(made.sortValue(value))]).toEqual([shown, sorted]);
  });

  it("prints dates in a time zone", () => {
    const { format } = field("date").docValueFormat({ timeZone: "+05:30" });
    expect(format(0)).toBe("1970-01-01T05:30:00.000+05:30");
  });

  it.each([
    ["k", { format: "0" }, "Field [k] of type [keyword] does not support custom formats"],
    ["tf", { format: "0" }, "Field [tf] of type [text] does not support custom formats"],
    ["b", { format: "0" }, "Field [b] of type [boolean] does not support custom formats"],
    ["l", { timeZone: "Z" }, "Field [l] of type [long] does not support custom time zones"],
    ["ip", { timeZone: "Z" }, "Field [ip] of type [ip] does not support custom time zones"],
    ["l", { format: "0.0.0" }, 'Multiple decimal separators in pattern "0.0.0"'],
    ["date", { format: "use_field_mapping" }, "Invalid format: [use_field_mapping]: Unknown pattern letter: f"],
    ["date", { format: "" }, "No date pattern provided"],
  ])("%s refuses %j", (name, options, reason) => {
    expect(() => field(name).docValueFormat(options)).toThrow(reason);
  });
});

describe("fields without doc values", () => {
  it.each([
    [
      "off",
      "Can't load fielddata on [off] because fielddata is unsupported on fields of type [keyword]. Use doc values instead.",
    ],
    ["t", "Fielddata is disabled on [t] in [books]. Text fields are not optimised for operations that require"],
    ["_source", "Fielddata is not supported on field [_source] of type [_source]"],
    ["_id", "Fielddata access on the _id field is disallowed"],
  ])("%s is refused", (name, reason) => {
    expect(() => checkFielddata(field(name), "books")).toThrow(reason);
  });

  it.each(["k", "tf", "l", "v", "_index", "_ignored"])("%s is not", (name) => {
    expect(() => checkFielddata(field(name), "books")).not.toThrow();
  });
});
