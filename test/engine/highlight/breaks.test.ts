/** Places between sentences and words, against answers of Java's BreakIterator; and how passages are cut from them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ruleBreaks } from "../../../src/engine/highlight/breaks/break-iterator.ts";
import {
  boundedSentences,
  separatorBreaks,
  splitByValues,
  VALUE_SEPARATOR,
} from "../../../src/engine/highlight/breaks/passages.ts";
import { SENTENCES, WORDS } from "../../../src/engine/highlight/breaks/rules.ts";

/** A text, and questions in order: `p12=4` where the place before 12 is 4, `f3=5` where the place behind 3 is 5. */
type Recorded = readonly [kind: "sentences" | "words", text: string, asked: string];
const recorded = JSON.parse(readFileSync(new URL("java-breaks.json", import.meta.url), "utf8")) as Recorded[];

test("sentences and words end where Java's end, whatever was asked before", () => {
  for (const [kind, text, asked] of recorded) {
    const breaks = ruleBreaks(kind === "sentences" ? SENTENCES : WORDS);
    breaks.setText(text);
    const answers = asked.split(" ").map((question) => {
      const [, which, offset] = /^([pf])(\d+)=/.exec(question)!;
      return `${which}${offset}=${which === "p" ? breaks.preceding(Number(offset)) : breaks.following(Number(offset))}`;
    });
    expect(answers.join(" "), `${kind} of ${JSON.stringify(text)}`).toBe(asked);
  }
});

test("a sentence that is too long is cut between words around what is asked for", () => {
  const breaks = boundedSentences(20);
  breaks.setText("One two three four five six seven eight nine ten. Short. Tiny.");
  expect([breaks.preceding(25), breaks.following(24)]).toEqual([4, 27]);
  expect([breaks.preceding(52), breaks.following(51)]).toEqual([50, 62]);
});

test("values are passages of their own", () => {
  const breaks = splitByValues(separatorBreaks());
  breaks.setText(`one${VALUE_SEPARATOR}two${VALUE_SEPARATOR}${VALUE_SEPARATOR}four`);
  expect([breaks.preceding(5), breaks.following(4)]).toEqual([4, 7]);
  expect([breaks.preceding(10), breaks.following(9)]).toEqual([9, 13]);
});
