import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonLine } from "../../src/cli/json.ts";
import { fileSize, table } from "../../src/cli/terminal/table.ts";
import { harmless, nameLine, oneLine, padEnd, truncateEnd, truncateStart, width } from "../../src/cli/terminal/text.ts";
import { streamWrapper, wrap, wrapSpans } from "../../src/cli/terminal/wrap.ts";

const hostile = fc.string({
  unit: fc.constantFrom("a", "字", " ", "。", "（", "👩‍👩‍👧", "\u0301", "\n", "\u001b", "\ud800", "é", "-"),
});

describe("text from documents", () => {
  test("escape sequences and other control characters are shown as pictures", () => {
    expect(harmless("a\u001b[2Jb\u0007c\u007fd\u009be\0")).toBe("a␛[2Jb␇c␡d\ufffde␀");
  });
  test("marks that reorder or hide text are left out, those that emoji need stay", () => {
    expect(harmless("a\u202eb\u2066c\u200bd\ufeff👩‍👩‍👧")).toBe("abcd👩‍👩‍👧");
  });
  test("lone surrogates become U+FFFD, line ends become \\n", () => {
    expect(harmless("a\ud800b\r\nc\rd\u2028e")).toBe("a\ufffdb\nc\nd\ne");
  });
  test("no control character is left in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(harmless(text)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\p{Surrogate}]/u);
        expect(oneLine(text)).not.toContain("\n");
        expect(nameLine(text)).not.toContain("\n");
      }),
    );
  });
  test("a line break in a name is shown", () => {
    expect(nameLine("a\nb.md")).toBe("a␊b.md");
  });
  test("JSON holds no control character either, and is the same value", () => {
    const value = { text: "\u009b31m\u007f\u2028\u001b\ud800" };
    expect(jsonLine(value)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
    expect(JSON.parse(jsonLine(value))).toEqual(value);
  });
});

describe("columns", () => {
  test("wide characters take two, emoji sequences two, combining marks none", () => {
    expect(width("汇流")).toBe(4);
    expect(width("👩‍👩‍👧")).toBe(2);
    expect(width("e\u0301")).toBe(1);
    expect(padEnd("汇流", 6)).toBe("汇流  ");
  });
  test("cuts keep within the columns and never cut a character", () => {
    expect(truncateStart("docs/年休假.md", 8)).toBe("…休假.md");
    expect(truncateEnd("年休假天数", 5)).toBe("年休…");
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 12 }), (text, columns) => {
        const shown = oneLine(text);
        expect(width(truncateStart(shown, columns))).toBeLessThanOrEqual(columns);
        expect(width(truncateEnd(shown, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
  test("tables align by columns, and the flexible one gives way", () => {
    const columns = [
      { title: "file", flexible: true },
      { title: "n", align: "right" },
    ] as const;
    expect(
      table(
        columns,
        [
          ["手册.md", "5"],
          ["a.md", "12"],
        ],
        40,
      ),
    ).toEqual(["file      n", "手册.md   5", "a.md     12"]);
    const narrow = table(columns, [["a/very/long/path/to/a/file.md", "5"]], 20);
    expect(narrow.every((line) => width(line) <= 20)).toBe(true);
    expect(narrow[1]).toMatch(/^….*file\.md +5$/);
  });
  test.each([
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [999_950, "1.0 MB"],
    [123_456_789, "123 MB"],
  ])("%i bytes are %s", (bytes, shown) => {
    expect(fileSize(bytes)).toBe(shown);
  });
});

describe("wrapping", () => {
  test("Latin words stay whole", () => {
    expect(wrap("annual leave is booked", 12)).toEqual(["annual leave", "is booked"]);
  });
  test("Chinese lines end anywhere, except before closing and after opening punctuation", () => {
    expect(wrap("连续工作满一年。", 14)).toEqual(["连续工作满一", "年。"]);
    for (const line of wrap("享受（带薪）年休假，每年七天。不满十年的，按比例。", 10)) {
      expect(line).not.toMatch(/^[，。）]/);
      expect(line).not.toMatch(/（$/);
    }
  });
  test("a line may end between Chinese and Latin text", () => {
    expect(wrap("使用HTTP协议", 8)).toEqual(["使用HTTP", "协议"]);
  });
  test("what is wider than a line is cut", () => {
    expect(wrap("https://example.com/a", 8)).toEqual(["https://", "example.", "com/a"]);
    expect(wrap("短 https://example.com", 8)).toEqual(["短", "https://", "example.", "com"]);
  });
  test("line breaks stay, empty lines too", () => {
    expect(wrap("a\n\nb", 10)).toEqual(["a", "", "b"]);
  });
  test("lines fit, and hold everything but white space, in order", () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 2, max: 12 }), (raw, columns) => {
        const text = harmless(raw);
        const spans = wrapSpans(text, columns);
        const lines = spans.map(({ start, end }) => text.slice(start, end));
        for (const line of lines) expect(width(line)).toBeLessThanOrEqual(columns);
        expect(lines.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
      }),
    );
  });
  test("text that comes in pieces is wrapped like the whole", () => {
    fc.assert(
      fc.property(
        fc.array(
          hostile.map((text) => harmless(text)),
          { maxLength: 6 },
        ),
        fc.integer({ min: 2, max: 12 }),
        (texts, columns) => {
          let written = "";
          const wrapper = streamWrapper(columns, (text) => {
            written += text;
          });
          for (const text of texts) wrapper.push(text);
          wrapper.end();
          for (const line of written.split("\n")) expect(width(line)).toBeLessThanOrEqual(columns);
          expect(written.replace(/\s/g, "")).toBe(texts.join("").replace(/\s/g, ""));
        },
      ),
    );
  });
  test("a streamed line is written as soon as it is certain", () => {
    let written = "";
    const wrapper = streamWrapper(20, (text) => {
      written += text;
    });
    wrapper.push("annual leave ");
    expect(written).toBe("annual");
    wrapper.push("is");
    expect(written).toBe("annual leave");
    wrapper.end();
    expect(written).toBe("annual leave is");
  });
});
