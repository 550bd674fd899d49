/** Lines and columns as Jackson counts them: from 1, a column for each byte of UTF-8, a line after `\n`, `\r` or both. */
import { utf8Length } from "./utf8.ts";

export interface Location {
  readonly line: number;
  readonly col: number;
}

/** Place of an offset (in UTF-16 units) in a text. */
export function locationAt(text: string, offset: number): Location {
  let line = 1;
  let rowStart = 0;
  for (let i = 0; i < offset; i++) {
    const code = text.charCodeAt(i);
    if (code !== 10 && code !== 13) continue;
    if (code === 13 && text.charCodeAt(i + 1) === 10 && i + 1 < offset) i++;
    line++;
    rowStart = i + 1;
  }
  return { line, col: utf8Length(text, rowStart, offset) + 1 };
}
