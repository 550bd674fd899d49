import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EngineError } from "../../../src/engine/errors.ts";
import { parseJson, positionOf } from "../../../src/engine/json/parse.ts";
import { positionAt } from "../../../src/engine/json/position-at.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../../src/engine/json/types.ts";
import { writeJson } from "../../../src/engine/json/write.ts";
import { documentSyntaxError } from "../../../src/engine/mapping/index.ts";
import { seededRandom } from "../../random.ts";

/** What Elasticsearch 8.17.4 answered to bodies that are no JSON. */
const recorded = JSON.parse(readFileSync(new URL("recorded/syntax.json", import.meta.url), "utf8")) as {
  documents: { base64: string; text: string; reason: string | null; cause: string | null }[];
  searches: { text: string; type: string; reason: string; status: number }[];
};

function errorOf(read: () => unknown): EngineError | undefined {
  try {
    read();
  } catch (error) {
    return error as EngineError;
  }
  return undefined;
}

describe("syntax errors are Elasticsearch's", () => {
  for (const { base64, text, reason, cause } of recorded.documents) {
    it(`in a document: ${JSON.stringify(text)}`, () => {
      const error = documentSyntaxError(errorOf(() => parseJson(Buffer.from(base64, "base64")))) as EngineError;
      expect(error?.message ?? null).toBe(reason);
      if (error !== undefined && cause !== null) expect((error.cause as EngineError).type).toBe(cause);
    });
  }
  for (const { text, type, reason, status } of recorded.searches) {
    it(`inside a string of a search: ${JSON.stringify(text)}`, () => {
      const error = errorOf(() => parseJson(text));
      expect(error).toMatchObject({ type, message: reason, status });
    });
  }
  it("stops at 1000 levels", () => {
    expect(errorOf(() => parseJson(`${"[".repeat(1000)}${"]".repeat(1000)}`))).toBeUndefined();
    const error = errorOf(() => parseJson("[".repeat(1001)));
    expect(error?.type).toBe("stream_constraints_exception");
    expect(error?.message).toContain("Document nesting depth (1001) exceeds the maximum allowed (1000");
  });
  it("shows 500 bytes of a long input", () => {
    expect(errorOf(() => parseJson(`{"a":"${"x".repeat(700)}", b}`))?.message).toContain("[truncated 211 bytes]");
  });
});

/** JSON values whose numbers are written in all kinds of ways. */
const numberText = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.constantFrom("-0", "1.0", "1e20", "1E5", "0.10", "1e400", "-1.50e-3", "123456789012345678", "0.0000001", "1e+21"),
);
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    numberText,
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc.constantFrom("true", "false", "null"),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
    fc
      .uniqueArray(fc.tuple(fc.string({ unit: "grapheme", maxLength: 6 }), tie("value")), {
        maxLength: 4,
        selector: ([key]) => key,
      })
      .map((entries) => `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`),
  ),
})).value;

function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

describe("values", () => {
  it("are JSON.parse's, apart from the numbers' text", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(plain(parseJson(text))).toEqual(plain(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });
  it("are the same from bytes and from text, and survive writing", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const value = parseJson(text);
        expect(writeJson(parseJson(new TextEncoder().encode(text)))).toBe(
          writeJson(parseJson(new TextDecoder().decode(new TextEncoder().encode(text)))),
        );
        expect(writeJson(parseJson(writeJson(value)))).toBe(writeJson(value));
      }),
      { numRuns: 300 },
    );
  });
  it("keep every number as it was written", () => {
    fc.assert(
      fc.property(numberText, (text) => {
        expect(writeJson(parseJson(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
  it("keep a JsonNumber only where JavaScript would write another text", () => {
    expect((parseJson("[1,2.5,1e21,1e+21,-0,7]") as JsonValue[]).map((item) => typeof item)).toEqual([
      "number",
      "number",
      "object",
      "number",
      "object",
      "number",
    ]);
  });
  it("are read as the platform reads them, of as many digits as there may be", () => {
    const random = seededRandom(7);
    const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 10)).join("");
    const written: string[] = [];
    for (let i = 0; i < 20_000; i++) {
      const number = (random() - 0.5) * 10 ** Math.floor(random() * 12 - 5);
      written.push(String(number), String(Math.fround(number)));
      const whole = digits(Math.floor(random() * 17)).replace(/^0+/, "") || "0";
      written.push(`${whole}.${digits(1 + Math.floor(random() * 18))}`);
    }
    // Doubles lie closer below a power of two than above it.
    for (let power = 2 ** -19; power < 2 ** 50; power *= 2)
      written.push(
        String(power),
        String(power * (1 - 2 ** -53)),
        String(power * (1 + 2 ** -52)),
        (power / 3).toFixed(16),
      );
    const items = parseJson(`[${written.join()}]`) as JsonValue[];
    const wrong = written.filter((text, i) => {
      const item = items[i];
      return String(Number(text)) === text
        ? item !== Number(text)
        : !(item instanceof JsonNumber && item.text === text);
    });
    expect(wrong).toEqual([]);
  });
  it("have no inherited keys", () => {
    const object = parseJson('{"__proto__":1,"constructor":2,"b":{}}') as JsonObject;
    expect(Reflect.get(object, "__proto__")).toBe(1);
    expect(object["constructor"]).toBe(2);
    expect((object["b"] as JsonObject)["toString"]).toBeUndefined();
    expect(writeJson(object)).toBe('{"__proto__":1,"constructor":2,"b":{}}');
  });
  it("may hold escaped lone surrogates and NUL", () => {
    expect(parseJson('"\\ud800\\u0000"')).toBe("\ud800\u0000");
  });
  it("may be preceded by a byte order mark and hold comments", () => {
    expect(parseJson('\ufeff/* a */{// b\n"a":1}')).toEqual({ a: 1 });
  });
});

describe("positions", () => {
  const text = '{\n  "汇": [1, {"b": 2}],\n  "c": "x"\n}';
  it("tell where keys, values and brackets stand, in bytes", () => {
    const root = parseJson(text, { positions: true }) as JsonObject;
    expect(positionOf(root)).toEqual({ line: 1, col: 1 });
    expect(positionOf(root, "end")).toEqual({ line: 4, col: 1 });
    expect(positionOf(root, { key: "c" })).toEqual({ line: 3, col: 3 });
    expect(positionOf(root, { value: "汇" })).toEqual({ line: 2, col: 10 });
    expect(positionOf(root["汇"] as object, { value: 1 })).toEqual({ line: 2, col: 14 });
  });
  it("are those of the text, whatever stands between and in keys", () => {
    const root = parseJson('{/* } */ "a\\"]" :// x\n [ "}" , 1.5 ,{}] , "b\\u0041": true }', {
      positions: true,
    }) as JsonObject;
    expect(positionOf(root, { key: 'a"]' })).toEqual({ line: 1, col: 10 });
    expect(positionOf(root, { value: 'a"]' })).toEqual({ line: 2, col: 2 });
    expect(positionOf(root, { key: "bA" })).toEqual({ line: 2, col: 21 });
    expect(positionOf(root, { value: "bA" })).toEqual({ line: 2, col: 32 });
    const list = root['a"]'] as object;
    expect([0, 1, 2, 3].map((value) => positionOf(list, { value })?.col)).toEqual([4, 10, 15, undefined]);
    expect(positionOf(list, "end")).toEqual({ line: 2, col: 17 });
    expect(positionOf(root, { key: "none" })).toBeUndefined();
  });
  it("can be found later by path", () => {
    const root = parseJson(new TextEncoder().encode(text)) as JsonObject;
    expect(positionOf(root)).toBeUndefined();
    expect(positionAt(root, ["汇", 1, "b"], "start")).toEqual({ line: 2, col: 20 });
    expect(positionAt(root, ["汇", 1], "end")).toEqual({ line: 2, col: 21 });
    expect(positionAt(root, ["汇"], "key")).toEqual({ line: 2, col: 3 });
    expect(positionAt(root, ["no"], "start")).toBeUndefined();
  });
});
