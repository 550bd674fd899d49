import fc from "fast-check";
import { Tiktoken } from "js-tiktoken/lite";
import encoding from "js-tiktoken/ranks/cl100k_base";
import { beforeAll, describe, expect, it } from "vitest";
import { cl100kTokenizer } from "../../src/ingest/index.ts";
import type { Tokenizer } from "../../src/schema/index.ts";
import { anyUnits } from "./support/text.ts";

describe("the tokenizer cl100k_base", () => {
  const reference = new Tiktoken(encoding);
  let tokenizer: Tokenizer;
  beforeAll(async () => {
    tokenizer = await cl100kTokenizer();
  });

  it.each([
    "",
    "hello world",
    "How many days of annual leave?  I'll ask.\n\n\tThey'VE gone 12345 times.",
    "年休假共五天，病假另算。員工手冊。",
    "ひらがなとカタカナ 한국어 текст العربية",
    "😀👨‍👩‍👧 e\u0301 \0 \u3000",
    "<|endoftext|>",
    "const x = { a: [1, 2, 3] }; // code",
  ])("counts as tiktoken does: %j", (text) => {
    expect(tokenizer.count(text)).toBe(reference.encode(text, [], []).length);
  });

  it("counts as tiktoken does on any short text", () => {
    fc.assert(
      fc.property(fc.oneof(anyUnits, fc.string({ unit: "grapheme", maxLength: 40 })), (text) => {
        const short = text.slice(0, 60);
        expect(tokenizer.count(short)).toBe(reference.encode(short, [], []).length);
      }),
    );
  });

  it.each(["a", " ", "的", "\n ", "\ud800", "!"])("comes to an end with a long run of %j", (piece) => {
    expect(tokenizer.count(piece.repeat(200_000))).toBeGreaterThan(0);
  });
});
