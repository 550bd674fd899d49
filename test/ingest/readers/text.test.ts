import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDocuments } from "../../../src/ingest/index.ts";
import { FileError } from "../../../src/schema/index.ts";
import { read } from "../support/read.ts";

const bytes = (...list: number[]) => Uint8Array.from(list);

describe("plain text", () => {
  it.each([
    ["UTF-8", new TextEncoder().encode("年休假 café"), "年休假 café"],
    ["UTF-8 with a mark", bytes(0xef, 0xbb, 0xbf, 0x61), "a"],
    ["UTF-16 LE", bytes(0xff, 0xfe, 0x74, 0x5e, 0x61, 0x00), "年a"],
    ["UTF-16 BE", bytes(0xfe, 0xff, 0x5e, 0x74, 0x00, 0x61), "年a"],
    ["GB18030", bytes(0xc4, 0xea, 0xd0, 0xdd, 0xbc, 0xd9, 0x20, 0x61), "年休假 a"],
    [
      "CESU-8",
      bytes(0xe5, 0xb9, 0xb4, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x20, 0xed, 0xa0, 0xbd, 0x61),
      "年😀 \ufffda",
    ],
    ["Windows-1252", bytes(0x63, 0x61, 0x66, 0xe9, 0x20, 0x64, 0xe9, 0x74, 0x61, 0x69, 0x6c), "café détail"],
  ])("is read in %s", async (_, content, expected) => {
    expect((await read("a.txt", content)).text).toBe(expected);
  });

  it("is read in UTF-8 where a character of a long text is torn", async () => {
    const content = new TextEncoder().encode("年休假共五天。".repeat(1000)).slice(0, -1);
    expect((await read("a.log", content)).text).toMatch(/^年休假.*\ufffd$/);
  });

  it("has its line ends made alike", async () => {
    expect((await read("a.txt", "a\r\nb\rc\n")).text).toBe("a\nb\nc\n");
  });

  it.each([
    ["FILE_EMPTY", ""],
    ["FILE_EMPTY", " \n\t"],
    ["FILE_BINARY", "PK\x03\x04\0\0\0\0"],
  ])("is refused with %s when it holds none: %j", async (code, content) => {
    await expect(read("a.txt", content)).rejects.toMatchObject({ code, file: "a.txt" });
  });

  it("is refused under an extension that is not known", async () => {
    await expect(read("a.exe", "x")).rejects.toMatchObject({ code: "FILE_TYPE_UNKNOWN" });
    await expect(read("readme", "x")).rejects.toMatchObject({ code: "FILE_TYPE_UNKNOWN" });
  });
});

describe("any reader", () => {
  it.each(["md", "txt", "html", "pdf", "docx", "csv", "tsv", "json", "jsonl"])(
    "gives documents with text or a FileError for whatever bytes: .%s",
    async (extension) => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.string({ maxLength: 200 })),
          async (content) => {
            const raw = typeof content === "string" ? new TextEncoder().encode(content) : content;
            try {
              for (const doc of await readDocuments({ file: `a.${extension}`, bytes: raw, metadata: {} })) {
                expect(doc.text.trim()).not.toBe("");
                expect(doc.text).not.toMatch(/\p{Surrogate}/u);
                for (const { start } of doc.sections ?? []) expect(start).toBeLessThan(doc.text.length);
              }
            } catch (error) {
              expect(error).toBeInstanceOf(FileError);
            }
          },
        ),
        { numRuns: extension === "pdf" || extension === "docx" ? 20 : 60 },
      );
    },
    30_000,
  );

  it("stops when aborted", async () => {
    const source = { file: "a.txt", bytes: bytes(0x61), metadata: {} };
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(readDocuments(source, { signal })).rejects.toThrow("enough");
  });
});
