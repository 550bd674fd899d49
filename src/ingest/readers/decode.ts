/**
 * Bytes to text when nobody says in which encoding: a byte order mark, else UTF-8 (or CESU-8) if all of it is, else GB18030 (Chinese Windows), else
 * Windows-1252 (Western Windows).
 */
import { FileError, type FileSource } from "../../schema/index.ts";

/** Bytes looked at to tell text from other data. */
const SAMPLE = 65_536;
/** Share of control characters that no text has. */
const MOST_CONTROLS = 0.01;
/** Share of bytes that may be wrong in what else is UTF-8. */
const MOST_ERRORS = 0.001;

/**
 * The text of a file, with `\n` as line ends and without a byte order mark.
 *
 * @throws FileError `FILE_BINARY` for what is not text
 */
export function decodeText({ file, bytes }: FileSource): string {
  const text = decoded(bytes);
  if (text === undefined || controlShare(text) > MOST_CONTROLS) {
    throw new FileError("FILE_BINARY", file, "is not text: rename it if its extension is wrong, or save it as UTF-8");
  }
  return (text.startsWith("\ufeff") ? text.slice(1) : text).replace(/\r\n?/g, "\n");
}

function decoded(bytes: Uint8Array): string | undefined {
  const marked = byMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  return (
    tryDecode("utf-8", bytes) ??
    asCesu8(bytes) ??
    almostUtf8(bytes) ??
    asGb18030(bytes) ??
    tryDecode("windows-1252", bytes)
  );
}

function byMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function tryDecode(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-8 in which each half of a surrogate pair stands as a character of its own, as some databases export emoji. */
function asCesu8(bytes: Uint8Array): string | undefined {
  let text = "";
  let from = 0;
  for (let i = bytes.indexOf(0xed); i >= 0; i = bytes.indexOf(0xed, i + 1)) {
    const [second = 0, third = 0] = bytes.subarray(i + 1, i + 3);
    // In UTF-8 nothing follows 0xED that is above 0x9F.
    if ((second & 0xe0) !== 0xa0 || (third & 0xc0) !== 0x80) continue;
    const before = tryDecode("utf-8", bytes.subarray(from, i));
    if (before === undefined) return undefined;
    text += before + String.fromCharCode(0xd000 | ((second & 0x3f) << 6) | (third & 0x3f));
    from = i + 3;
  }
  const rest = from === 0 ? undefined : tryDecode("utf-8", bytes.subarray(from));
  return rest === undefined ? undefined : (text + rest).replace(/\p{Surrogate}/gu, "\ufffd");
}

/** A log with a torn character is still UTF-8: most of its longer characters are right. */
function almostUtf8(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8").decode(bytes);
  let wrong = 0;
  let right = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd) wrong++;
    else if (code > 0x7f) right++;
  }
  return wrong <= text.length * MOST_ERRORS && right > 4 * wrong ? text : undefined;
}

/**
 * GB18030 is so wide that other encodings often pass for it. In Chinese text the second byte of a character is mostly above 0x7F; in
 * Western text, what follows an accented letter is mostly ASCII.
 */
function asGb18030(bytes: Uint8Array): string | undefined {
  let high = 0;
  let low = 0;
  for (let i = 0; i + 1 < bytes.length; i++) {
    if (bytes[i]! < 0x80) continue;
    if (bytes[i + 1]! >= 0x80) high++;
    else low++;
    i++;
  }
  return high > low ? tryDecode("gb18030", bytes) : undefined;
}

function controlShare(text: string): number {
  const length = Math.min(text.length, SAMPLE);
  let controls = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    // Tab, line ends, form feed and the escape of coloured logs belong to texts.
    if (code < 0x20 && !(code >= 0x09 && code <= 0x0d) && code !== 0x1b) controls++;
  }
  return length === 0 ? 0 : controls / length;
}
