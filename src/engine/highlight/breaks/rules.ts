/**
 * The rules by which Java's BreakIterator cuts a text into sentences and words. They are its own, not those of Unicode: a machine walks over
 * classes of characters, and another one walks backwards to a place from which the first may begin.
 */

/** Stops the walk. */
export const STOP = 0;
export const START = 1;
/** Characters that no rule sees: they belong to the one before. */
export const IGNORED = -1;

export interface BreakRules {
  /** Class of a code point, or IGNORED. */
  classOf(codePoint: number): number;
  /** State to which a class leads. */
  forward(state: number, category: number): number;
  backward(state: number, category: number): number;
  /** A part may end behind the character that led to the state. */
  ends(state: number): boolean;
  /** A part ends there when what follows bears it out: in a state that both ends and looks ahead. */
  looksAhead(state: number): boolean;
}

/** A row for each state: where each class leads, in base 36. */
type Rows = readonly string[];

function machine(
  classOf: (codePoint: number) => number,
  forward: Rows,
  backward: Rows,
  { ending, looking }: { readonly ending: readonly number[]; readonly looking: readonly number[] },
): BreakRules {
  const read = (rows: Rows) => rows.map((row) => Uint8Array.from(row, (digit) => Number.parseInt(digit, 36)));
  const [ahead, back] = [read(forward), read(backward)];
  const [ends, looks] = [new Set(ending), new Set(looking)];
  return {
    classOf: remembering(classOf),
    forward: (state, category) => ahead[state][category],
    backward: (state, category) => back[state][category],
    ends: (state) => ends.has(state),
    looksAhead: (state) => looks.has(state),
  };
}

/** Classes are found by patterns once, for the characters of the basic plane. */
function remembering(classOf: (codePoint: number) => number): (codePoint: number) => number {
  const unknown = -2;
  const known = new Int8Array(0x10000).fill(unknown);
  return (codePoint) => {
    if (codePoint > 0xffff) return classOf(codePoint);
    if (known[codePoint] === unknown) known[codePoint] = classOf(codePoint);
    return known[codePoint];
  };
}

/** The first pattern that a character matches gives its class. */
function firstOf(patterns: readonly (readonly [RegExp, number])[], otherwise: number): (codePoint: number) => number {
  return (codePoint) => {
    const text = String.fromCodePoint(codePoint);
    for (const [pattern, category] of patterns) if (pattern.test(text)) return category;
    return otherwise;
  };
}

/**
 * Classes: 0 a comma, 1 the paragraph separator, 2 periods, which may end a sentence, 3 straight quotes, which open or close, 4 marks that end
 * one for certain, 5 letters, 6 small letters, 7 dandas, 8 all else, which may begin a sentence, 9 digits, 10 closing marks, 11 opening
 * marks, 12 space. A period ends a sentence where space and something other than a small letter or a digit follow, or two spaces.
 *
 * States: 1 within a sentence, 3 behind a danda, 4 a period has ended one, 5 behind periods, 6 a space after them, 7 more space, 8 an opening
 * mark after them, 9 a quote after them, 10 an opening mark after more space, 11 behind ending marks, 12 space after those.
 */
export const SENTENCES: BreakRules = machine(
  firstOf(
    [
      [/^\u2029$/, 1],
      [/^[.．]$/, 2],
      [/^["']$/, 3],
      [/^[!?。！？]$/, 4],
      // Java's table holds ignored characters of the basic plane only; those beyond it fall under the first class.
      [/^(?:,|[\u{10000}-\u{10ffff}](?<=[\p{Mn}\p{Me}\p{Cf}]))$/u, 0],
      [/^[\u0964\u0965]$/, 7],
      [/^[\p{Mn}\p{Me}\p{Cf}]$/u, IGNORED],
      [/^[\t\n\f\r\u2028\p{Zs}]$/u, 12],
      [/^\p{Ll}$/u, 6],
      [/^\p{L}$/u, 5],
      [/^\p{N}$/u, 9],
      [/^[\p{Pe}\p{Pf}]$/u, 10],
      [/^[\p{Ps}\p{Pi}]$/u, 11],
    ],
    8,
  ),
  [
    "0000000000000",
    "1251b11311111",
    "0000000000000",
    "0000000000003",
    "0000000000000",
    "1259b11881586",
    "1258b41881187",
    "125ab44aa11a7",
    "1258b44881181",
    "1259b44aa15a6",
    "0008044880080",
    "02bbb00000b0c",
    "020000000000c",
  ],
  [
    "0000000000000",
    "9aaaa93443a9a",
    "0000000000000",
    "9aa3293443735",
    "9a24293443846",
    "9aa7293443795",
    "9a28293443896",
    "9aa729344379a",
    "9a2829344389a",
    "90aa093443a9a",
    "90aaa93443a9a",
  ],
  { ending: [1, 2, 3, 4, 11, 12], looking: [4, 5, 6, 7, 9] },
);

/**
 * Classes: 0 controls, 1 marks of kana, 2 the period, 3 ideographs, 4 letters, 5 dandas, 6 marks behind numbers, 7 carriage return, 8 quotes,
 * 9 marks before numbers, 10 signs among kana, 11 combining marks, 12 digits, 13 space, 14 hiragana, 15 katakana, 16 line ends, 17 tab, 18 the
 * soft hyphen, 19 commas, 20 all else, 21 dashes and what else joins the parts of a word.
 *
 * States: 3 in a word, 4 a mark within a word, 5 a danda after it, 6 in a number, 7 a mark within a number, 8 white space, 9 a carriage return
 * after it, a runs of katakana, b of hiragana, c of kana's marks, d of ideographs; the others are single characters with their marks.
 */
export const WORDS: BreakRules = machine(
  firstOf(
    [
      [/^\u00ad$/, 18],
      [/^\p{Cf}$/u, IGNORED],
      [/^\.$/, 2],
      [/^[\u3005\u4e00-\u9fa5\uf900-\ufa2d]$/, 3],
      [/^[\u3099\u309a]$/, 1],
      [/^[\u309b\u309c\u30fb\u30fc]$/, 10],
      [/^[\u3041-\u3094\u309d\u309e]$/, 14],
      [/^[\u30a1-\u30fa\u30fd\u30fe]$/, 15],
      [/^[\u0964\u0965]$/, 5],
      [/^[%&¢\u066a\u2030\u2031]$/, 6],
      [/^\r$/, 7],
      [/^["']$/, 8],
      [/^[#\p{Sc}]$/u, 9],
      [/^[\p{Mn}\p{Me}]$/u, 11],
      [/^\p{N}$/u, 12],
      [/^\p{Zs}$/u, 13],
      [/^[\n\f\u2028\u2029]$/, 16],
      [/^\t$/, 17],
      [/^[,\u066b]$/, 19],
      [/^[\p{L}\p{Mc}]$/u, 4],
      [/^[\p{Pd}\p{Pc}\u2027]$/u, 21],
      [/^\p{Cc}$/u, 0],
    ],
    20,
  ),
  [
    "0000000000000000000000",
    "2cef3gg9geh268ij282ggg",
    "0000000000000000000000",
    "0340350040036000004004",
    "0000300000000000000000",
    "0000000000006000000000",
    "0670302070066000000700",
    "0000000000006000000000",
    "0800000900080800280000",
    "0000000000000000200000",
    "0a00000000a0000a000000",
    "0b00000000b000b0000000",
    "0c00000000c000ba000000",
    "000d000000000000000000",
    "0g000000000g6000000000",
    "0g0d0000000g0000000000",
    "0g000000000g0000000000",
    "0h00000000cg00ba000000",
    "0i00000000bg00b0000000",
    "0j00000000ag000a000000",
  ],
  [
    "0000000000000000000000",
    "2345678942a3b9cde97827",
    "0000000000000000000000",
    "0345678042a3b9cd090827",
    "030060000003b000000000",
    "0005000000000000000000",
    "034060004003b000007007",
    "0300600000030000000000",
    "030000000003b000000000",
    "0300000000030900090000",
    "0300000000a000cd000000",
    "034067004203b000000800",
    "0300000000a000c0000000",
    "0300000000a0000d000000",
    "0300000900030900090000",
  ],
  { ending: [1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], looking: [] },
);
