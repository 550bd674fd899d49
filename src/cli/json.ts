/** JSON for other programs, that does no harm on a terminal either. */

/** One line of JSON. Control characters that JSON allows as they are (DEL, C1) and line separators are escaped. */
export function jsonLine(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029]/g, escaped)}\n`;
}
