import { describe, expect, test } from "vitest";
import { bundledEmbedding } from "../../src/models/bundled-embedding.ts";
import { mostlyUnknownScripts, unknownScripts } from "../../src/models/scripts.ts";

const model = bundledEmbedding();

describe("scripts that an embedding does not know", () => {
  const cases: [string, string[]][] = [
    ["年休假 annual leave 2024 café ＡＢＣ", []],
    ["", []],
    ["！？ 😀 \ud800 ー々〇", []],
    ["ねんきゅう", ["Hiragana"]],
    ["年次休暇をカレンダーで", ["Hiragana", "Katakana"]],
    ["연차 휴가", ["Hangul"]],
    ["отпуск leave", ["Cyrillic"]],
    ["άδεια", ["Greek"]],
    ["𐌰𐌱", ["other"]],
  ];
  test.each(cases)("%j", (text, scripts) => expect(unknownScripts(text, model)).toEqual(scripts));

  test("are none of a model that does not tell its scripts", () => {
    expect(unknownScripts("отпуск", {})).toEqual([]);
  });

  test("are told of a text when they are a good part of it", () => {
    expect(mostlyUnknownScripts(`the angle α ${"and many words ".repeat(5)}`, model)).toEqual([]);
    expect(mostlyUnknownScripts("Ежегодный отпуск (annual leave)", model)).toEqual(["Cyrillic"]);
  });
});
