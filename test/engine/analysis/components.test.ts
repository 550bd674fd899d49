/** Single parts, through `_analyze`. The expected tokens are Elasticsearch's. */
import { describe, expect, test } from "vitest";
import { analyzeRequest } from "../../../src/engine/analysis/index.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

interface Line {
  token: string;
  start_offset: number;
  end_offset: number;
  position: number;
  positionLength?: number;
}
const lines = (body: JsonObject) => (analyzeRequest(body, { resources }) as unknown as { tokens: Line[] }).tokens;
/** `term@start-end:position+length` */
const shown = (body: JsonObject) =>
  lines(body)
    .map(
      (t) =>
        `${t.token}@${t.start_offset}-${t.end_offset}:${t.position}${t.positionLength === undefined ? "" : `+${t.positionLength}`}`,
    )
    .join(" ");

test.each<[string, JsonObject, string]>([
  [
    "path_hierarchy",
    { tokenizer: "path_hierarchy", text: "/a/b//c/" },
    "/a@0-2:0 /a/b@0-4:0 /a/b/@0-5:0 /a/b//c@0-7:0 /a/b//c/@0-8:0",
  ],
  [
    "path_hierarchy that skips",
    { tokenizer: { type: "path_hierarchy", delimiter: "-", replacement: "/", skip: 1 }, text: "a-b-c" },
    "/b@1-3:0 /b/c@1-5:0",
  ],
  [
    "ngram of some characters",
    { tokenizer: { type: "ngram", min_gram: 1, max_gram: 2, token_chars: ["letter"] }, text: "ab 9e" },
    "a@0-1:0 ab@0-2:1 b@1-2:2 e@4-5:3",
  ],
  [
    "groups of a pattern",
    { tokenizer: { type: "pattern", pattern: "(a)(b)?", group: 2 }, text: "ab a ab" },
    "b@1-2:0 b@6-7:1",
  ],
  [
    "n-grams of terms",
    { tokenizer: "standard", filter: [{ type: "ngram", min_gram: 2, max_gram: 3 }], text: "abc a ef" },
    "ab@0-3:0 abc@0-3:0 bc@0-3:0 ef@6-8:2",
  ],
  [
    "edge n-grams that keep the term",
    {
      tokenizer: "standard",
      filter: [{ type: "edge_ngram", min_gram: 2, max_gram: 3, preserve_original: true }],
      text: "abcd x",
    },
    "ab@0-4:0 abc@0-4:0 abcd@0-4:0 x@5-6:1",
  ],
  [
    "shingles over gaps",
    {
      tokenizer: "whitespace",
      filter: [
        { type: "stop", stopwords: ["b", "x"] },
        { type: "shingle", max_shingle_size: 3 },
      ],
      text: "a b c x",
    },
    "a@0-1:0 a _@0-4:0+2 a _ c@0-5:0+3 _ c@4-5:1+2 _ c _@4-7:1+3 c@4-5:2 c _@4-7:2+2",
  ],
  [
    "the last stop word, kept",
    { tokenizer: "standard", filter: [{ type: "stop", remove_trailing: false }], text: "very the end the" },
    "very@0-4:0 end@9-12:2 the@13-16:3",
  ],
  [
    "pairs of characters and what was dropped between",
    { tokenizer: "standard", filter: [{ type: "stop", stopwords: ["的"] }, "cjk_bigram"], text: "東的京" },
    "東@0-1:0 京@2-3:1",
  ],
  ["half-width sound marks", { analyzer: "cjk", text: "ｶﾞｷﾞ東" }, "ガギ@0-4:0 ギ東@0-5:1"],
  [
    "upper case of single characters",
    { tokenizer: "keyword", filter: ["uppercase"], text: "straße ŉ ᾳ ﬁ ı" },
    "STRAßE ŉ ᾼ ﬁ I@0-14:0",
  ],
  ["lower case without context", { tokenizer: "keyword", filter: ["lowercase"], text: "İ ΑΣ ẞ" }, "i ασ ß@0-6:0"],
  [
    "elision",
    { tokenizer: "standard", filter: ["elision"], text: "l’avion d'Art aujourd’hui" },
    "avion@0-7:0 Art@8-13:1 aujourd’hui@14-25:2",
  ],
  [
    "words kept from stemming",
    {
      tokenizer: "whitespace",
      filter: [{ type: "keyword_marker", keywords: ["running"] }, "porter_stem"],
      text: "running runs",
    },
    "running@0-7:0 run@8-12:1",
  ],
  [
    "digits of other scripts",
    { tokenizer: "keyword", filter: ["decimal_digit"], text: "١٢ ९ ５ 𝟘𝟡 ②" },
    "12 9 5 09 ②@0-13:0",
  ],
  [
    "characters mapped to more and fewer",
    { tokenizer: "standard", char_filter: [{ type: "mapping", mappings: ["abc=>x", "b=> yyy"] }], text: "abc b babc" },
    "x@0-3:0 yyy@4-5:1 yyyx@6-10:2",
  ],
  [
    "a pattern replaced by more",
    {
      tokenizer: "standard",
      char_filter: [{ type: "pattern_replace", pattern: "x", replacement: " long " }],
      text: "axb",
    },
    "a@0-1:0 long@1-1:1 b@2-3:2",
  ],
  [
    "groups in a replacement",
    {
      tokenizer: "keyword",
      char_filter: [{ type: "pattern_replace", pattern: "(a)(b)?", replacement: "<$2$1>" }],
      text: "xabyac",
    },
    "x<ba>y<a>c@0-6:0",
  ],
])("%s", (_, body, expected) => {
  expect(shown(body)).toBe(expected);
});

describe("markup", () => {
  test.each([
    ["a<p>b</p>c<br>d<b>e</b>f<x-y>g", "a\nb\nc\ndef\ng"],
    ["a < b > c <3 d <> f </> g </b h <b i", "a  c <3 d <> f </> g </b h <b i"],
    [
      "&amp &ampx; &lt;b&gt; &#65; &#x4e2d; &#128077; &unknown; x&eacute;y &copy2",
      "&amp &ampx; <b> A 中 👍 &unknown; xéy &copy2",
    ],
    ["a<!-- x -- > y --> b <!-- unclosed", "a b "],
    ["a<script>x<b>y</b></script>b<SCRIPT>q</SCRIPT>d<script>unclosed", "a\nb\nd"],
    ['a<![CDATA[x<b>&amp;]]>b<?xml version="1"?>c<!DOCTYPE html>d', "ax<b>&amp;bcd"],
    ['<a b="c>x">y<a b"c>z<a <b>w', "yz<a w"],
    ["&#xd83d;&#xde00;&#xd83d;x&#0;&#x110000;", "😀\ufffdx\0&#x110000;"],
    ["text<p", "text"],
  ])("%j", (text, expected) => {
    expect(lines({ tokenizer: "keyword", char_filter: ["html_strip"], text }).map((t) => t.token)).toEqual([expected]);
  });

  test("tokens point to the text with its markup", () => {
    expect(
      shown({ tokenizer: "standard", char_filter: ["html_strip"], text: "ab<br/>&eacute;cole &amp;<p>x</p>y" }),
    ).toBe("ab@0-2:0 école@7-19:1 x@28-29:2 y@33-34:3");
  });
});
