/** Pieces of a fixed range of lengths, counted in code points. */
import { illegalArgument } from "../../errors.ts";
import type { Tokenizer } from "../chain.ts";
import type { ComponentSettings } from "../settings.ts";

const TOKEN_CHARS: Readonly<Record<string, RegExp>> = {
  letter: /\p{L}/u,
  digit: /\p{Nd}/u,
  whitespace: /[\t-\r\x1c-\x1f \u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]/,
  punctuation: /\p{P}/u,
  symbol: /\p{S}/u,
};

/** Java's names of the general categories, each of which is a class as well. */
const CATEGORIES: Readonly<Record<string, string>> = {
  combining_spacing_mark: "Mc",
  connector_punctuation: "Pc",
  control: "Cc",
  currency_symbol: "Sc",
  dash_punctuation: "Pd",
  decimal_digit_number: "Nd",
  enclosing_mark: "Me",
  end_punctuation: "Pe",
  final_quote_punctuation: "Pf",
  format: "Cf",
  initial_quote_punctuation: "Pi",
  letter_number: "Nl",
  line_separator: "Zl",
  lowercase_letter: "Ll",
  math_symbol: "Sm",
  modifier_letter: "Lm",
  modifier_symbol: "Sk",
  non_spacing_mark: "Mn",
  other_letter: "Lo",
  other_number: "No",
  other_punctuation: "Po",
  other_symbol: "So",
  paragraph_separator: "Zp",
  private_use: "Co",
  space_separator: "Zs",
  start_punctuation: "Ps",
  surrogate: "Cs",
  titlecase_letter: "Lt",
  unassigned: "Cn",
  uppercase_letter: "Lu",
};

/** All classes in the order in which Elasticsearch lists them: that of a hash. */
const CLASSES =
  "symbol, private_use, paragraph_separator, start_punctuation, unassigned, enclosing_mark, connector_punctuation, letter_number, other_number, " +
  "math_symbol, lowercase_letter, space_separator, surrogate, initial_quote_punctuation, decimal_digit_number, digit, other_punctuation, " +
  "dash_punctuation, currency_symbol, non_spacing_mark, custom, format, modifier_letter, control, uppercase_letter, other_symbol, end_punctuation, " +
  "modifier_symbol, other_letter, line_separator, titlecase_letter, letter, punctuation, combining_spacing_mark, final_quote_punctuation, whitespace";

/** Which characters belong to tokens: the classes of `token_chars`, all characters without it. */
export function tokenChars(settings: ComponentSettings): (char: string) => boolean {
  const kinds = (settings.list("token_chars") ?? [])
    .map((kind) => kind.trim().toLowerCase())
    .filter((kind) => kind !== "");
  if (kinds.length === 0) return () => true;
  const tests = kinds.map((kind) => {
    if (kind === "custom") {
      const chars = settings.string("custom_token_chars");
      if (chars === undefined) throw illegalArgument("Token type: 'custom' requires setting `custom_token_chars`");
      const custom = new Set(chars);
      return (char: string) => custom.has(char);
    }
    const known = Object.hasOwn(TOKEN_CHARS, kind)
      ? TOKEN_CHARS[kind]
      : Object.hasOwn(CATEGORIES, kind)
        ? new RegExp(`\\p{${CATEGORIES[kind]}}`, "u")
        : undefined;
    if (known === undefined) throw illegalArgument(`Unknown token type: '${kind}', must be one of [${CLASSES}]`);
    return (char: string) => known.test(char);
  });
  return (char) => tests.some((test) => test(char));
}

export interface GramSizes {
  min: number;
  max: number;
}

export function gramSizes(settings: ComponentSettings): GramSizes {
  const min = settings.int("min_gram", 1);
  const max = settings.int("max_gram", 2);
  if (min < 1) throw illegalArgument("minGram must be greater than zero");
  if (min > max) throw illegalArgument("minGram must not be greater than maxGram");
  return { min, max };
}

/** Code points of a text with the offsets where they begin. */
function codePoints(text: string): { chars: string[]; offsets: number[] } {
  const chars = [...text];
  const offsets = [0];
  for (const char of chars) offsets.push(offsets[offsets.length - 1] + char.length);
  return { chars, offsets };
}

/** @param edge only the pieces at the start of each run of token characters */
export function ngramTokenizer(
  name: string,
  { min, max }: GramSizes,
  accepts: (char: string) => boolean,
  edge: boolean,
): Tokenizer {
  return {
    name,
    tokenize(text, push) {
      const { chars, offsets } = codePoints(text);
      for (let start = 0; start < chars.length; start++) {
        if (edge && start > 0 && accepts(chars[start - 1])) continue;
        let end = start;
        while (end < chars.length && end - start < max && accepts(chars[end])) {
          end++;
          if (end - start >= min)
            push(text.slice(offsets[start], offsets[end]), offsets[start], offsets[end], 1, 1, "word", false);
        }
      }
      return { increment: 0, offset: text.length };
    },
  };
}

/** Paths and their parents: /a/b gives /a and /a/b. */
export function pathTokenizer(
  name: string,
  delimiter: string,
  replacement: string,
  skip: number,
  reverse: boolean,
): Tokenizer {
  return {
    name,
    tokenize(text, push) {
      const ends = [...text].length === 0 ? [] : pathEnds(text, delimiter, reverse);
      const whole = delimiter === replacement ? text : text.replaceAll(delimiter, replacement);
      const replaced = (from: number, to: number) => whole.slice(from, to);
      let increment = 1;
      if (!reverse) {
        // Skipped parts are cut off at the front, with the delimiter that ends them left to the rest.
        const from = skip === 0 ? 0 : (ends[skip - 1] ?? text.length);
        for (const end of ends) {
          if (end <= from) continue;
          push(replaced(from, end), from, end, increment, 1, "word", false);
          increment = 0;
        }
      } else {
        const to = skip === 0 ? text.length : (ends[ends.length - skip] ?? 0);
        for (const start of ends) {
          if (start >= to) continue;
          push(replaced(start, to), start, to, increment, 1, "word", false);
          increment = 0;
        }
      }
      return { increment: 0, offset: text.length };
    },
  };
}

/** Forward: where each path of parts ends. Reverse: where each begins. */
function pathEnds(text: string, delimiter: string, reverse: boolean): number[] {
  const places: number[] = [];
  if (reverse) {
    places.push(0);
    for (let i = 0; i < text.length - 1; i++) if (text[i] === delimiter) places.push(i + 1);
    return places;
  }
  for (let i = 1; i < text.length; i++) if (text[i] === delimiter) places.push(i);
  if (places[places.length - 1] !== text.length) places.push(text.length);
  return places;
}
