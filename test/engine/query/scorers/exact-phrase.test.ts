import fc from "fast-check";
import { expect, test } from "vitest";
import { exactPhraseMatcher, type PhrasePart } from "../../../../src/engine/query/scorers/index.ts";
import { NO_MORE_DOCS, type Postings } from "../../../../src/engine/segment/types.ts";
import { BODY, block, build, open, text } from "../../segment/support.ts";

const WORDS = ["a", "b", "c"];
const word = fc.constantFrom(...WORDS);

/** The same postings without reading all positions of a document at once. */
function oneByOne(postings: Postings): Postings {
  const walk: Partial<Postings> = {
    docID: () => postings.docID(),
    advance: (target) => postings.advance(target),
    freq: () => postings.freq(),
    nextPosition: () => postings.nextPosition(),
  };
  return walk as Postings;
}

test("finds a phrase as often as a look at every place does, however positions are read", async () => {
  await fc.assert(
    fc.asyncProperty(
      // Gaps of 0: a word may stand twice at one position; large ones take more than a byte.
      fc.array(fc.array(fc.tuple(word, fc.constantFrom(0, 1, 1, 1, 2, 300)), { maxLength: 30 }), {
        minLength: 1,
        maxLength: 300,
      }),
      fc.array(fc.tuple(word, fc.constantFrom(1, 1, 2)), { minLength: 2, maxLength: 4 }),
      async (docs, phrase) => {
        const segment = open(
          await build(
            docs.map((tokens, i) => {
              const words = tokens.map(([each]) => each);
              const gaps = tokens.map(([, gap]) => gap);
              return block(`${i}`, [text(BODY, words, gaps)]);
            }),
          ),
        );
        const terms = segment.terms("body");
        if (terms === undefined) return;
        let place = 0;
        const wanted = phrase.map(([term, gap]) => ({ term, position: (place += gap) }));
        if (wanted.some(({ term }) => terms.lookup(term) < 0)) return;
        const matcherOf = (wrap: (postings: Postings) => Postings) => {
          const parts = wanted.map(({ term, position }): PhrasePart => {
            const postings = wrap(terms.postings(terms.lookup(term), { positions: true }));
            return { postings, position, terms: [term] };
          });
          return { parts, matcher: exactPhraseMatcher(parts) };
        };
        const both = [matcherOf((postings) => postings), matcherOf(oneByOne)];
        docs.forEach((tokens, doc) => {
          let position = -1;
          const at = tokens.map(([term, gap]) => `${term}@${Math.max((position += gap), 0)}`);
          const [first, ...others] = wanted;
          const expected: number[] = [];
          for (const token of at) {
            const [term, start] = token.split("@");
            if (term !== first.term) continue;
            const fits = others.every((other) =>
              at.includes(`${other.term}@${Number(start) + other.position - first.position}`),
            );
            if (fits) expected.push(Number(start));
          }
          for (const { parts, matcher } of both) {
            const stands = parts.every(({ postings }) => {
              const there = postings.docID() < doc ? postings.advance(doc) : postings.docID();
              return there !== NO_MORE_DOCS && there === doc;
            });
            const found: number[] = [];
            if (stands) {
              matcher.reset();
              while (matcher.nextMatch()) found.push(matcher.extent().start);
            }
            expect(found).toEqual(expected);
          }
        });
      },
    ),
    { numRuns: 40 },
  );
});
