import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pdf } from "../support/pdf.ts";
import { read } from "../support/read.ts";

describe("PDF", () => {
  it("becomes text with pages as sections", async () => {
    const doc = await read("a.pdf", pdf([["First page.", "Second line."], [], ["Third page."]], { title: "A title" }));
    expect(doc.text).toBe("First page.\nSecond line.\n\nThird page.");
    expect(doc.sections).toEqual([
      { start: 0, page: 1 },
      { start: doc.text.indexOf("Third"), page: 3 },
    ]);
    expect(doc.metadata["title"]).toBe("A title");
  });

  it("leaves the bytes that it was given as they were", async () => {
    const bytes = pdf([["text"]]);
    await read("a.pdf", bytes);
    expect(bytes.length).toBeGreaterThan(0);
    await expect(read("a.pdf", Buffer.from(bytes))).resolves.toMatchObject({ text: "text" });
  });

  const whole = pdf([["text"]]);
  const hex = (digits: string) => `<${digits.repeat(32)}>`;
  const encrypt = `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O ${hex("ab")} /U ${hex("cd")} >> /ID [${hex("00")} ${hex("00")}]`;
  const bomb = deflateSync(Buffer.alloc(80_000_000, "q Q "), { level: 9 });

  it.each([
    ["FILE_EMPTY", "no text", pdf([[]])],
    ["FILE_DAMAGED", "cut short", whole.slice(0, 100)],
    ["FILE_DAMAGED", "no PDF", Buffer.from("hello")],
    [
      "FILE_DAMAGED",
      "pages in a circle",
      Buffer.from(Buffer.from(whole).toString("latin1").replace("[4 0 R]", "[2 0 R]"), "latin1"),
    ],
    ["FILE_ENCRYPTED", "a password", pdf([["text"]], { trailer: encrypt })],
    ["FILE_TOO_LARGE", "a bomb", pdf([[]], { stream: { dictionary: "/Filter /FlateDecode", bytes: bomb } })],
    [
      "FILE_TOO_LARGE",
      "a bomb in a bomb",
      pdf([[]], { stream: { dictionary: "/Filter [/FlateDecode /FlateDecode]", bytes: deflateSync(bomb) } }),
    ],
  ])("is refused with %s: %s", async (code, _, bytes) => {
    await expect(read("a.pdf", bytes)).rejects.toMatchObject({ code, file: "a.pdf" });
  });
});
