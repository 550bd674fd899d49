/** Chinese, Japanese and Korean without a dictionary: widths made equal, neighbours paired. */
import { mapFilter, type TokenFilter } from "../chain.ts";

/** Full-width forms of half-width katakana U+FF65 to U+FF9F. */
const KATAKANA =
  "・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a";
/** Katakana that take a voiced sound mark; the combined character follows the plain one but for these. */
const VOICED = new Map<string, string>(
  [..."カキクケコサシスセソタチツテトハヒフヘホ"].map((c) => [c, String.fromCharCode(c.charCodeAt(0) + 1)]),
);
VOICED.set("ウ", "ヴ").set("ワ", "ヷ").set("ヲ", "ヺ").set("ヽ", "ヾ");
const SEMI_VOICED = new Map<string, string>(
  [..."ハヒフヘホ"].map((c) => [c, String.fromCharCode(c.charCodeAt(0) + 2)]),
);

/** Full-width ASCII becomes ASCII, half-width katakana full-width, sound marks join the character before them. */
export function foldWidth(term: string): string {
  let plain = true;
  for (let i = 0; i < term.length && plain; i++) {
    const code = term.charCodeAt(i);
    plain = code < 0xff01 || code > 0xff9f;
  }
  if (plain) return term;
  let folded = "";
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    if (code >= 0xff01 && code <= 0xff5e) folded += String.fromCharCode(code - 0xfee0);
    else if (code >= 0xff65 && code <= 0xff9f) {
      const marked = code === 0xff9e ? VOICED : code === 0xff9f ? SEMI_VOICED : undefined;
      const combined = i > 0 ? marked?.get(folded.charAt(folded.length - 1)) : undefined;
      if (combined !== undefined) folded = folded.slice(0, -1) + combined;
      else folded += KATAKANA.charAt(code - 0xff65);
    } else folded += term.charAt(i);
  }
  return folded;
}

export const cjkWidthFilter = (name = "cjk_width"): TokenFilter => mapFilter(name, foldWidth, { normalizing: true });

const SCRIPTS = { han: "<IDEOGRAPHIC>", hiragana: "<HIRAGANA>", katakana: "<KATAKANA>", hangul: "<HANGUL>" };
const SINGLE = "<SINGLE>";
const DOUBLE = "<DOUBLE>";

/**
 * Pairs neighbouring characters of the standard tokenizer's CJK tokens; a character without a neighbour stays alone. As in Lucene, each
 * pair is one position after its predecessor, whatever was dropped between them before.
 *
 * @param options.outputUnigrams single characters as well, the pairs at their positions
 * @param options.ignoredScripts of `han`, `hiragana`, `katakana`, `hangul`: left as they are
 */
export function cjkBigramFilter(
  name = "cjk_bigram",
  options: { outputUnigrams?: boolean; ignoredScripts?: readonly string[] } = {},
): TokenFilter {
  const { outputUnigrams = false, ignoredScripts = [] } = options;
  const types = new Set(
    Object.entries(SCRIPTS)
      .filter(([script]) => !ignoredScripts.includes(script))
      .map(([, type]) => type),
  );
  return {
    name,
    ...(outputUnigrams ? { severalTokens: true } : {}),
    create({ push, end }) {
      // The run of characters: code points with their offsets, as long as each begins where its predecessor ends.
      let chars: string[] = [];
      let starts: number[] = [];
      let ends: number[] = [];
      let last = -1;
      const pushRun = () => {
        const count = chars.length;
        for (let i = 0; i < count; i++) {
          if (outputUnigrams || count === 1) push(chars[i], starts[i], ends[i], 1, 1, SINGLE, false);
          if (i + 1 < count)
            push(
              chars[i] + chars[i + 1],
              starts[i],
              ends[i + 1],
              outputUnigrams ? 0 : 1,
              outputUnigrams ? 2 : 1,
              DOUBLE,
              false,
            );
        }
        chars = [];
        starts = [];
        ends = [];
      };
      return {
        push(term, start, stop, inc, length, type, keyword) {
          if (!types.has(type)) {
            pushRun();
            last = -1;
            push(term, start, stop, inc, length, type, keyword);
            return;
          }
          if (start !== last) pushRun();
          last = stop;
          if (stop - start === term.length) {
            let at = start;
            for (const c of term) {
              chars.push(c);
              starts.push(at);
              at += c.length;
              ends.push(at);
            }
          } else {
            // A character filter or cjk_width changed the length: all characters have the token's offsets.
            for (const c of term) {
              chars.push(c);
              starts.push(start);
              ends.push(stop);
            }
          }
        },
        end(inc, offset) {
          pushRun();
          return end(inc, offset);
        },
      };
    },
  };
}
