/** UTF-8 as Jackson reads it: overlong forms and encoded surrogates pass, broken sequences do not. */

export interface DecodedText {
  readonly text: string;
  /** What ends the text before its bytes end: Jackson's words, and how many bytes of the sequence it had read. */
  readonly broken?: { readonly message: string; readonly extra: number };
}

/** A text as it comes back from UTF-8: halves of characters are no characters. */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array): DecodedText {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    return decodeLeniently(bytes);
  }
}

function decodeLeniently(bytes: Uint8Array): DecodedText {
  const parts: string[] = [];
  let codes: number[] = [];
  const flush = () => {
    parts.push(String.fromCharCode(...codes));
    codes = [];
  };
  const end = (message: string, extra: number): DecodedText => {
    flush();
    return { text: parts.join(""), broken: { message, extra } };
  };
  let at = 0;
  while (at < bytes.length) {
    const from = at;
    const lead = bytes[at++];
    if (lead < 0x80) {
      codes.push(lead);
    } else {
      const more = (lead & 0xe0) === 0xc0 ? 1 : (lead & 0xf0) === 0xe0 ? 2 : (lead & 0xf8) === 0xf0 ? 3 : 0;
      if (more === 0) return end(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, at - from);
      let code = lead & (0x3f >> more);
      for (let k = 0; k < more; k++) {
        if (at >= bytes.length) return end("Unexpected end-of-input in a multi-byte character", at - from);
        const next = bytes[at++];
        if ((next & 0xc0) !== 0x80) return end(`Invalid UTF-8 middle byte 0x${next.toString(16)}`, at - from);
        code = (code << 6) | (next & 0x3f);
      }
      if (more === 3) {
        const rest = code - 0x10000;
        codes.push((0xd800 | (rest >> 10)) & 0xffff, 0xdc00 | (rest & 0x3ff));
      } else {
        codes.push(code);
      }
    }
    if (codes.length > 4096) flush();
  }
  flush();
  return { text: parts.join("") };
}

/** Bytes that a part of a text takes in UTF-8; a lone surrogate counts as the three bytes that stand for it. */
export function utf8Length(text: string, from = 0, to = text.length): number {
  let length = to - from;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) length += 1;
    else if (code >= 0xd800 && code < 0xdc00 && i + 1 < to && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      // Two units, four bytes.
      length += 2;
      i++;
    } else length += 2;
  }
  return length;
}
