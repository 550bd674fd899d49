/** How IK sees a character. */

export const USELESS = 0;
export const ARABIC = 1;
export const ENGLISH = 2;
export const CHINESE = 3;
/** Kana, hangul and the characters of full and half width that are not ASCII. */
export const OTHER_CJK = 4;

/** Kind of each UTF-16 unit, after `regularize`. */
export const KINDS = new Uint8Array(0x10000);
for (const [from, to, kind] of [
  [0x30, 0x39, ARABIC],
  [0x41, 0x5a, ENGLISH],
  [0x61, 0x7a, ENGLISH],
  [0x4e00, 0x9fff, CHINESE],
  [0x3400, 0x4dbf, CHINESE],
  [0xf900, 0xfaff, CHINESE],
  [0xff00, 0xffef, OTHER_CJK],
  [0xac00, 0xd7af, OTHER_CJK],
  [0x1100, 0x11ff, OTHER_CJK],
  [0x3130, 0x318f, OTHER_CJK],
  [0x3040, 0x309f, OTHER_CJK],
  [0x30a0, 0x30ff, OTHER_CJK],
  [0x31f0, 0x31ff, OTHER_CJK],
]) {
  KINDS.fill(kind, from, to + 1);
}

/** Full-width ASCII to ASCII; capitals to small letters, but not both at once: full-width capitals become capitals. */
export function regularize(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 32;
  if (code === 0x3000) return 0x20;
  return code > 0xff00 && code < 0xff5f ? code - 0xfee0 : code;
}

const flags = (text: string) => {
  const table = new Uint8Array(0x10000);
  for (let i = 0; i < text.length; i++) table[text.charCodeAt(i)] = 1;
  return table;
};

/** What may stand between letters and digits of one word (`hr@example.test`). */
export const LETTER_CONNECTORS = flags("#&+-.@_");
/** What may stand between the digits of one number. */
export const NUMBER_CONNECTORS = flags(",.");
/** Chinese digits. */
export const CHINESE_NUMBERS = flags("一二两三四五六七八九十零壹贰叁肆伍陆柒捌玖拾百千万亿仟佰萬億兆卅廿");
