import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serverEvents } from "../../web/src/api/events.ts";
import { readReport } from "../../web/src/api/reports.ts";
import { conditionOf, readConditions, requestFilters, toggled, writeConditions } from "../../web/src/state/filters.ts";
import { blocks, spans } from "../../web/src/text/answer.ts";
import { colouring, fieldsToColour } from "../../web/src/text/colouring.ts";
import { harmless, shown } from "../../web/src/text/harmless.ts";
import { pieces } from "../../web/src/text/marks.ts";
import { movement, paths } from "../../web/src/text/movements.ts";
import { BadOption, optionValues } from "../../web/src/text/options.ts";
import { exampleReport } from "./report.ts";

const TAGS = { preTag: "<1>", postTag: "<2>" };

describe("highlights", () => {
  it("become pieces, and what a document writes in their place stays text", () => {
    expect(pieces("a <1>b<2> <em>c</em>", TAGS)).toEqual([
      { text: "a ", marked: false },
      { text: "b", marked: true },
      { text: " <em>c</em>", marked: false },
    ]);
  });
  it("keep every character, wherever tags stand", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("<1>", "a", "<", "1>", "婚")), (parts) => {
        const text = parts.join("");
        const kept = pieces(text, TAGS)
          .map((piece) => piece.text)
          .join("");
        expect(kept).toBe(text.replaceAll("<1>", ""));
      }),
    );
  });
});

describe("an answer's text", () => {
  it("has paragraphs, lists, emphasis, code and citations", () => {
    expect(blocks("# Title\nOne **two** [1][2, 3].\nnext\n\n- a\n- b\n\n1. c\n```\n<script>\n```")).toEqual([
      { kind: "heading", spans: [{ kind: "text", text: "Title" }] },
      {
        kind: "paragraph",
        spans: [
          { kind: "text", text: "One " },
          { kind: "strong", text: "two" },
          { kind: "text", text: " " },
          { kind: "cite", numbers: [1], text: "[1]" },
          { kind: "cite", numbers: [2, 3], text: "[2, 3]" },
          { kind: "text", text: ".\nnext" },
        ],
      },
      { kind: "list", ordered: false, items: [[{ kind: "text", text: "a" }], [{ kind: "text", text: "b" }]] },
      { kind: "list", ordered: true, items: [[{ kind: "text", text: "c" }]] },
      { kind: "code", text: "<script>" },
    ]);
  });
  it("is shown at any moment of its writing", () => {
    const text = "One **two** `three` [1]\n\n```\ncode\n```\n- item [2]";
    for (let i = 0; i <= text.length; i++) expect(() => blocks(text.slice(0, i))).not.toThrow();
  });
  it("keeps links as the text that they are", () => {
    expect(spans("[x](javascript:alert(1))")).toEqual([{ kind: "text", text: "[x](javascript:alert(1))" }]);
  });
});

describe("names from documents", () => {
  it("stay on their line and in their order", () => {
    expect(harmless("a\u202etxt.exe\u2066\n\u0000b")).toBe("atxt.exe␊␀b");
    expect(shown(["a", { b: 1 }])).toBe('a, {"b":1}');
    expect(shown(undefined)).toBe("");
  });
});

describe("server-sent events", () => {
  const all = async (pieces: string[]) => {
    const out = [];
    for await (const event of serverEvents(
      (async function* () {
        yield* pieces;
      })(),
    ))
      out.push(event);
    return out;
  };
  it("are read in whatever pieces they come", async () => {
    const text = ': waiting\n\nevent: text\ndata: {"text":"a"}\n\nevent: done\r\ndata: one\r\ndata: two\r\n\r\n';
    const expected = [
      { event: "text", data: '{"text":"a"}' },
      { event: "done", data: "one\ntwo" },
    ];
    for (let size = 1; size <= text.length; size++)
      expect(await all(text.match(new RegExp(`[^]{1,${size}}`, "g"))!)).toEqual(expected);
  });
});

describe("filters", () => {
  it("are alternatives within a field and hold together between fields", () => {
    expect(requestFilters([])).toBeUndefined();
    expect(
      requestFilters([
        { field: "level", is: "a" },
        { field: "level", is: "b" },
        { field: "year", gte: 2020, lt: 2024 },
      ]),
    ).toEqual({
      condition: "and",
      filters: [
        { key: "level", operator: "in", value: ["a", "b"] },
        { key: "year", operator: ">=", value: 2020 },
        { key: "year", operator: "<", value: 2024 },
      ],
    });
  });
  it("are set and taken away by the same bar, and a range replaces the one before", () => {
    const year = { field: "year", kind: "numbers" as const, interval: "0.1", other: 0 };
    const buckets = [0.1, 0.2].map((key) => ({ key, label: String(key), count: 1 }));
    const first = conditionOf({ ...year, buckets }, 0);
    const second = conditionOf({ ...year, buckets }, 1);
    expect(second).toEqual({ field: "year", gte: 0.2, lt: 0.3 });
    expect(toggled(toggled([], first), second)).toEqual([second]);
    expect(toggled([first], first)).toEqual([]);
    expect(
      conditionOf(
        {
          ...year,
          kind: "dates",
          buckets: [
            { key: "2024-01-01T00:00:00.000Z", label: "", count: 1 },
            { key: "2024-02-01T00:00:00.000Z", label: "", count: 1 },
          ],
        },
        0,
      ),
    ).toEqual({ field: "year", gte: "2024-01-01", lt: "2024-02-01" });
  });
  it("are read back from an address, and nothing else is", () => {
    const conditions = [{ field: "a", is: true }];
    expect(readConditions(writeConditions(conditions))).toEqual(conditions);
    for (const bad of ["{", "1", "null", '[1,null,{"field":1},{"field":"a","is":{}}]'])
      expect(readConditions(bad)).toEqual([]);
  });
});

describe("ranks in several lists", () => {
  const hits = (...ids: string[]) => ids.map((id, i) => ({ id, rank: i + 1 }));
  it("move against the first list, and lines lead to where the next list has a passage", () => {
    const [first, second] = [hits("a", "b", "c"), hits("c", "a", "d")];
    expect(second.map((hit) => movement(hit, first))).toEqual([2, -1, "new"]);
    expect(paths(first, second)).toEqual([
      { id: "a", left: 1, right: 2 },
      { id: "c", left: 3, right: 1 },
    ]);
  });
});

describe("colours", () => {
  it("stand for the most frequent values, the last for all others", () => {
    const all = [..."aaabbcdefg"].map((level, i) => ({ level, id: i, same: 1 }));
    expect(fieldsToColour(all)).toEqual(["level"]);
    const { of, names } = colouring([...all, {}], "level");
    expect(names).toEqual(["a", "b", "c", "d", "e", undefined]);
    expect(of).toEqual([0, 0, 0, 1, 1, 2, 3, 4, 5, 5, 5]);
  });
});

describe("a report that is opened", () => {
  it("is read where it is whole, and refused where anything is missing", () => {
    expect(readReport(exampleReport())).toEqual(exampleReport());
    const broken = (change: (report: ReturnType<typeof exampleReport>) => void) => {
      const report = exampleReport();
      change(report);
      return report;
    };
    for (const bad of [
      null,
      [],
      { version: 2, made: "", experiments: [] },
      broken(({ experiments }) => experiments[0]!.measures.push("other")),
      broken(({ experiments }) => Object.assign(experiments[0]!.strategies[0]!, { name: 1 })),
      broken(({ experiments }) => Object.assign(experiments[0]!.questions[0]!, { values: { bm25: ["1"] } })),
      broken(({ answers }) => Object.assign(answers[0]!.rows[0]!, { feedback: { bm25: 1 } })),
      broken(({ answers }) => Object.assign(answers[0]!.judges, { bm25: { mean: 1, low: 1, high: 1 } })),
      broken(({ tunings }) => Object.assign(tunings[0]!.tried[0]!, { mean: null })),
      broken((report) => Object.assign(report, { tunings: undefined })),
    ])
      expect(readReport(bad)).toBeUndefined();
  });
});

describe("options of a strategy", () => {
  const schema = {
    n: { type: "integer" },
    on: { type: "boolean" },
    list: { type: "array", items: { type: "string" } },
    text: { type: "string" },
    either: { anyOf: [{ type: "number" }, { type: "string" }] },
    deep: { anyOf: [{ type: "object" }, { type: "array" }] },
  };
  it("are sent where something was written", () => {
    expect(
      optionValues(schema, { n: "3", on: "false", list: "a, b", text: " 75% ", either: "10", deep: "[1]" }),
    ).toEqual({
      n: 3,
      on: false,
      list: ["a", "b"],
      text: "75%",
      either: 10,
      deep: [1],
    });
    expect(optionValues(schema, { n: " ", unknown: "1" })).toEqual({});
  });
  it("that cannot be read are named", () => {
    expect(() => optionValues(schema, { deep: "{" })).toThrow(BadOption);
    expect(() => optionValues(schema, { n: "x" })).toThrow("n");
  });
});
