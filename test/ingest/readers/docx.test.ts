import { describe, expect, it } from "vitest";
import { headings, read } from "../support/read.ts";
import { docx, paragraph, zip } from "../support/zip.ts";

describe("Word documents", () => {
  it("become text with headings", async () => {
    const table = `<w:tbl><w:tr><w:tc>${paragraph("天数")}</w:tc><w:tc>${paragraph("5")}</w:tc></w:tr></w:tbl>`;
    const body = [
      paragraph("休假制度", "Heading1"),
      paragraph("年休假共五天。"),
      paragraph("Rules", "Heading2"),
      table,
    ];
    const doc = await read("a.docx", docx(body.join("")));
    expect(doc.text).toBe("# 休假制度\n\n年休假共五天。\n\n## Rules\n\n| 天数 | 5 |");
    expect(headings(doc)).toEqual([
      ["休假制度", "# 休假制度"],
      ["休假制度 / Rules", "## Rules"],
    ]);
    expect(doc.metadata["title"]).toBe("休假制度");
  });

  const whole = docx(paragraph("text"));

  it.each([
    ["FILE_EMPTY", "no text", docx("")],
    ["FILE_DAMAGED", "cut short", whole.slice(0, whole.length / 2)],
    ["FILE_DAMAGED", "no archive", Buffer.from("<html>")],
    ["FILE_DAMAGED", "no document in it", zip([{ name: "other.txt", data: "x" }])],
    ["FILE_DAMAGED", "nested without end", docx("<w:p>".repeat(20_000) + "</w:p>".repeat(20_000))],
    ["FILE_ENCRYPTED", "a protected archive", zip([{ name: "x", data: "x", encrypted: true }])],
    ["FILE_ENCRYPTED", "a compound file", Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
    ["FILE_TOO_LARGE", "a bomb", docx(paragraph("x"), [{ name: "word/a.xml", data: "x", claimed: 300_000_000 }])],
    [
      "FILE_DAMAGED",
      "a bomb that lies",
      docx(paragraph("x"), [{ name: "b", data: new Uint8Array(5e6), claimed: 100 }]),
    ],
  ])("are refused with %s: %s", async (code, _, bytes) => {
    await expect(read("a.docx", bytes)).rejects.toMatchObject({ code, file: "a.docx" });
  });
});
