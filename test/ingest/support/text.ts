/** Texts for property tests: prose and markup of both languages, and whatever else UTF-16 can hold. */
import fc from "fast-check";

const PIECES = [
  "年休假共五天。",
  "员工应当提前三天申请，",
  "How many days? ",
  "It was 3.5 days, e.g. in May. ",
  "Mr. Smith said no! ",
  "# 标题\n",
  "\n\n",
  "\r\n",
  "- item\n",
  "| a | b |\n",
  "😀👨‍👩‍👧",
  "e\u0301\u0301",
  "\ud83d",
  "\ude00",
  "\0",
  "\u3000",
  "\ufeff",
  " ",
  "……",
  "”",
  "supercalifragilistic",
];

/** Any string of UTF-16 units: lone surrogates and NUL included. */
export const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
  .map((units) => String.fromCharCode(...units));

export const anyText = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 120 }).map((pieces) => pieces.join("")),
  fc.array(fc.oneof(fc.constantFrom(...PIECES), anyUnits), { maxLength: 20 }).map((pieces) => pieces.join("")),
  fc
    .tuple(fc.constantFrom("a", "的", "。", ".", "😀", "\u0301", "\ud800", "a. "), fc.integer({ min: 0, max: 1500 }))
    .map(([piece, times]) => piece.repeat(times)),
);

/** Whether a place lies between the two halves of a character. */
export function cutsPair(text: string, at: number): boolean {
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1));
}

/** One character a token: what a tokenizer of a user's may look like. */
export const unitTokenizer = { name: "units", count: (text: string) => text.length };
