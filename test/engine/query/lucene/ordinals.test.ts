import fc from "fast-check";
import { expect, it } from "vitest";
import { compareUtf8 } from "../../../../src/engine/query/lucene/ordinals.ts";

it("texts are compared in the order of their UTF-8 bytes", () => {
  const bytes = (text: string) => Buffer.from(text, "utf8");
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom("a", "b", "\0", "\ud7ff", "\ue000", "\uffff", "😀", "\u{10ffff}"),
      fc.string({ unit: "grapheme" }),
    ),
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(compareUtf8(a, b))).toBe(Buffer.compare(bytes(a), bytes(b)));
    }),
    { numRuns: 500 },
  );
});
