/** Texts in the order of their UTF-8 bytes, which is that of terms. */

/** Order of a UTF-16 unit among those of UTF-8: surrogates stand for what comes after all others. */
const rank = (unit: number) => (unit < 0xd800 ? unit : unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

/** Compares texts in the order of their UTF-8 bytes. */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = rank(a.charCodeAt(i)) - rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
