/** Scripts that an embedding does not know: what is written in them is found by words alone. */
import type { EmbeddingModel } from "../schema/models.ts";

/** By Unicode's names, with the patterns that find them. */
const SCRIPTS = [
  "Hiragana",
  "Katakana",
  "Hangul",
  "Cyrillic",
  "Greek",
  "Arabic",
  "Hebrew",
  "Thai",
  "Devanagari",
  "Bengali",
  "Tamil",
  "Telugu",
  "Georgian",
  "Armenian",
  "Khmer",
  "Lao",
  "Myanmar",
  "Tibetan",
  "Mongolian",
  "Ethiopic",
  "Latin",
  "Han",
] as const;
const PATTERNS = new Map(SCRIPTS.map((name) => [name as string, new RegExp(`\\p{Script=${name}}`, "u")]));
const OTHER = "other";

/** A pattern for letters outside of a model's scripts. */
const outside = new Map<string, RegExp>();

/**
 * The scripts of letters in a text that the model does not know, by Unicode's names (`Cyrillic`); `other` for the rarer ones. Models that do not
 * tell their scripts know all.
 */
export function unknownScripts(text: string, model: Pick<EmbeddingModel, "scripts">): string[] {
  const { scripts } = model;
  if (scripts === undefined) return [];
  const key = scripts.join(",");
  let pattern = outside.get(key);
  if (!pattern) {
    const known = scripts.map((name) => `\\p{Script=${name}}`).join("");
    pattern = new RegExp(`(?![${known}\\p{Script=Common}\\p{Script=Inherited}])\\p{L}`, "gu");
    outside.set(key, pattern);
  }
  const found = new Set<string>();
  for (const [letter] of text.matchAll(pattern)) {
    found.add([...PATTERNS].find(([, script]) => script.test(letter))?.[0] ?? OTHER);
    // A text in five scripts is told of well enough.
    if (found.size === 5) break;
  }
  return [...found];
}

/**
 * The same where they are a good part of a text, a tenth of its letters: a Greek letter in a formula is not told of.
 */
export function mostlyUnknownScripts(text: string, model: Pick<EmbeddingModel, "scripts">): string[] {
  const scripts = unknownScripts(text, model);
  if (scripts.length === 0) return scripts;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return 10 * count(outside.get(model.scripts!.join(","))!) >= count(/\p{L}/gu) ? scripts : [];
}
