import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8 } from "../../../src/engine/segment/bytes.ts";
import { readTokens, TokensWriter } from "../../../src/engine/segment/tokens.ts";
import type { IndexableField } from "../../../src/engine/segment/types.ts";
import { BODY, block, build } from "./support.ts";

const term = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "the",
    "汇流",
    "é",
    "\u{1f600}",
    "\ud800",
    "x".repeat(127),
    "x".repeat(128),
    "流".repeat(9000),
  ),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const text = fc.array(fc.tuple(term, fc.constantFrom(0, 1, 1, 1, 2, 100, 70_000)), { maxLength: 60 });

/** One writer for all documents, as indexing has it. */
const writer = new TokensWriter();

function fieldsOf(
  words: readonly (readonly [string, number])[],
): readonly [terms: IndexableField, tokens: IndexableField] {
  let position = 0;
  const positions = words.map(([, gap]) => (position += gap));
  const terms = words.map(([word]) => word);
  writer.start(true);
  terms.forEach((word, i) => {
    writer.add(word, positions[i]);
  });
  return [
    { kind: "terms", field: BODY, terms, positions, length: words.length },
    { kind: "tokens", field: BODY, tokens: writer.finish(), length: words.length },
  ];
}

test("tokens in bytes are read as they were written, lone surrogates as Lucene writes them", () => {
  fc.assert(
    fc.property(text, (words) => {
      const [terms, packed] = fieldsOf(words);
      if (terms.kind !== "terms" || packed.kind !== "tokens") throw new Error("other fields than expected");
      const { tokens } = packed;
      const read: [string, number][] = [];
      readTokens(tokens, (from, to, position) => read.push([decodeUtf8(tokens.bytes, from, to), position]));
      expect(read).toEqual(
        terms.terms.map((word, i) => [
          word.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd"),
          terms.positions?.[i],
        ]),
      );
      expect(tokens.count).toBe(words.length);
    }),
  );
});

test("a segment of tokens in bytes is that of the same terms, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 30 }), async (texts) => {
      const fields = texts.map(fieldsOf);
      const [ofTerms, ofTokens] = await Promise.all(
        [0, 1].map((which) => build(fields.map((pair, i) => block(`${i}`, [pair[which]])))),
      );
      expect(ofTokens).toEqual(ofTerms);
    }),
    { numRuns: 30 },
  );
});

test("positions never go back", () => {
  writer.start(true).add("a", 5);
  expect(() => writer.add("b", 4)).toThrow("position 4 comes after position 5");
});
