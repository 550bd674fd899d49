/** Numbers, sizes and dates for people. */

export function byteSize(bytes: number, locale: string): string {
  const units = ["B", "kB", "MB", "GB"];
  let unit = 0;
  let size = bytes;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${size.toLocaleString(locale, { maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0 })} ${units[unit]}`;
}

export function dateText(iso: string, locale: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleDateString(locale, { year: "numeric", month: "short", day: "numeric" });
}

/** A score with what tells it from others. */
export function scoreText(score: number): string {
  if (score === 0) return "0";
  const size = Math.abs(score);
  return size >= 1000
    ? score.toFixed(0)
    : size >= 10
      ? score.toFixed(2)
      : size >= 0.001
        ? score.toFixed(3)
        : score.toExponential(1);
}

/** A probability in words that do not say more than is known. */
export const probability = (p: number): string => (p < 0.001 ? "< 0.001" : p.toFixed(3));
