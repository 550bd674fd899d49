/** Java's patterns: expected matches and messages are those of java.util.regex (Java 17). */
import { expect, test } from "vitest";
import { javaMatches, javaPattern, javaReplacement } from "../../../src/engine/analysis/java-regex/index.ts";
import { EngineError } from "../../../src/engine/errors.ts";

const all = (pattern: string, text: string, flags = "") =>
  [...javaPattern(pattern, flags).find(text)].map((match) => match.text(0));

test.each([
  ["\\d+", "12 ٣", ["12"]],
  ["\\w+", "aé_1", ["a", "_1"]],
  ["[a-f&&[^c]]+", "abcdef", ["ab", "def"]],
  ["\\Qa.b\\E", "a.b axb", ["a.b"]],
  ["\\Qab\\E+", "abb", ["abb"]],
  ["\\p{Punct}", "a-b_c!", ["-", "_", "!"]],
  ["\\p{IsHan}+", "ab中国", ["中国"]],
  ["(?i)ab", "AB aB", ["AB", "aB"]],
  ["(?i:a)b", "Ab AB", ["Ab"]],
  ["(?:(?i)a)b", "Ab AB", ["Ab"]],
  ["(?i)\\p{Lu}", "aé", ["a", "é"]],
  ["a$", "ba\n", ["a"]],
  ["(?m)^b", "a\nb\n", ["b"]],
  [".", "a\u0085", ["a"]],
  ["\\x41\\u0042\\t?", "AB", ["AB"]],
  ["[\\]\\-x]+", "]-x", ["]-x"]],
  ["😀+", "😀😀", ["😀😀"]],
  ["\\bfoo", "foo 年foo", ["foo"]],
  ["\\w++b", "aab", []],
  ["a{2}+", "aaa", ["aa"]],
  ["(?>a|ab)c", "abc ac", ["ac"]],
  ["(a)\\1", "aa", ["aa"]],
  ["(?<=a)b", "ab cb", ["b"]],
  ["(?<x>a)\\k<x>", "aa", ["aa"]],
  ["x*", "axxb", ["", "xx", "", ""]],
  // Java finds nothing between the halves of a pair, too.
  ["x*", "😀", ["", "", ""]],
])("%s on %j", (pattern, text, expected) => {
  expect(all(pattern, text)).toEqual(expected);
});

test.each([
  ["(", "Unclosed group near index 1\n("],
  ["a)", "Unmatched closing ')' near index 0\na)\n^"],
  ["[a", "Unclosed character class near index 1\n[a\n ^"],
  ["a**", "Dangling meta character '*' near index 2\na**\n  ^"],
  ["a{2", "Unclosed counted closure near index 3\na{2"],
  ["{", "Illegal repetition near index 1\n{"],
  ["a{3,2}", "Illegal repetition range near index 5\na{3,2}\n     ^"],
  ["\\", "Unexpected internal error near index 1\n\\"],
  ["(?z)", "Unknown inline modifier near index 2\n(?z)\n  ^"],
  ["[z-a]", "Illegal character range near index 3\n[z-a]\n   ^"],
  ["\\p{Foo}", "Unknown character property name {Foo} near index 6\n\\p{Foo}\n      ^"],
  ["\\k<x>", "named capturing group <x> does not exist near index 4\n\\k<x>\n    ^"],
  ["\\y", "Illegal/unsupported escape sequence near index 1\n\\y\n ^"],
  ["(?<a>x)(?<a>y)", "Named capturing group <a> is already defined near index 11\n(?<a>x)(?<a>y)\n           ^"],
])("Java's message for %s", (pattern, message) => {
  try {
    javaPattern(pattern);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect([error.type, error.status, error.reason]).toEqual(["pattern_syntax_exception", 400, message]);
    return;
  }
  throw new Error("no error");
});

test("flags by name", () => {
  expect(all("a.b", "A\nb", "CASE_INSENSITIVE|DOTALL")).toEqual(["A\nb"]);
  expect(all("a b # c", "ab", "COMMENTS")).toEqual(["ab"]);
  expect(() => javaPattern("a", "FOO")).toThrow("Unknown regex flag [FOO]");
  expect(() => javaPattern("a", "CANON_EQ")).toThrow("not supported");
});

test.each(["(a+)+$", "(a|a)+$", "(a*)*b", "(?:\\w+\\s?)+$", "(?:(?:a+)+)+b", "(.*)*z", "(?=(a+)+$)b", "(a|aa)+$"])(
  "repetitions within repetitions end: %s",
  (pattern) => {
    expect(all(pattern, `${"a".repeat(1000)}!`)).toEqual([]);
  },
);

test.each(["\\s+$", "a.*b", "[a-z]+\\d+"])("a repetition on a long text ends: %s", (pattern) => {
  const text = pattern.startsWith("\\s") ? `${" ".repeat(200_000)}x` : "a".repeat(200_000);
  expect(all(pattern, text)).toEqual([]);
  // The same matches by either way.
  const some = "ab 1  ba22 ".repeat(20);
  expect(all(pattern, "#".repeat(10_000) + some)).toEqual(all(pattern, some));
});

test("what cannot be bounded by remembering is bounded by steps", () => {
  expect(() => all("(a+)+\\1$", `${"a".repeat(1000)}!`)).toThrow("too many steps");
});

test("places of groups", () => {
  const spans = (pattern: string, text: string) =>
    [...javaPattern(pattern, "", true).find(text)].map((match) => [match.span(1), match.span(2)]);
  expect(spans("(a)(b)?", "abxa")).toEqual([
    [
      [0, 1],
      [1, 2],
    ],
    [[3, 4], undefined],
  ]);
  expect(spans("(?:(a)|(b))+", "ab")).toEqual([
    [
      [0, 1],
      [1, 2],
    ],
  ]);
});

test("whole texts", () => {
  const matches = javaMatches("a|ab");
  expect(["a", "ab", "abc", "xa", "a\n"].map(matches)).toEqual([true, true, false, false, false]);
});

test("replacements", () => {
  const [match] = javaPattern("(?<x>a)(b)(c)?").find("ab");
  expect(javaReplacement("\\$${x}$2$3$10!")(match)).toBe("$aba0!");
  expect(() => javaReplacement("$9")(match)).toThrow("No group 9");
  expect(() => javaReplacement("$" + "{y}")(match)).toThrow("No group with name {y}");
  expect(() => javaReplacement("$")(match)).toThrow("Illegal group reference: group index is missing");
  expect(() => javaReplacement("\\")(match)).toThrow("character to be escaped is missing");
});
