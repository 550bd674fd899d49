/** HTML pages. */
import { FileError, type FileSource, type Reader } from "../../schema/index.ts";
import { decodeText } from "./decode.ts";
import { fileDocument } from "./document.ts";
import { htmlText } from "./html-text.ts";

/** Bytes in which a page says how it is encoded, as in a browser. */
const DECLARATION = 1024;

export const htmlReader: Reader = {
  extensions: ["html", "htm", "xhtml"],
  async read(source) {
    const { text, title, sections } = htmlText(declaredText(source) ?? decodeText(source));
    return [fileDocument(source, { text, sections, ...(title === undefined ? {} : { title }) })];
  },
};

/** The text in the encoding that the page declares; undefined where it declares none, or not its own. */
function declaredText({ file, bytes }: FileSource): string | undefined {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, DECLARATION));
  const charset = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(head)?.[1];
  if (charset === undefined || /^utf-?16/i.test(charset)) return undefined;
  if (head.includes("\0")) throw new FileError("FILE_BINARY", file, "is not text");
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes).replace(/\r\n?/g, "\n");
  } catch {
    return undefined;
  }
}
