/** Word documents: their headings, paragraphs, lists and tables. */
import { FileError, type Reader } from "../../schema/index.ts";
import { fileDocument } from "./document.ts";
import { htmlText } from "./html-text.ts";
import { checkZip } from "./zip-check.ts";

/** An encrypted document, like one of old Word, is a compound file and no archive. */
const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0];

export const docxReader: Reader = {
  extensions: ["docx"],
  async read(source) {
    const { file, bytes } = source;
    if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte)) {
      throw new FileError(
        "FILE_ENCRYPTED",
        file,
        "is protected by a password, or saved by an old Word: save it without a password as .docx",
      );
    }
    checkZip(source);
    const { default: mammoth } = await import("mammoth");
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      { convertImage: mammoth.images.imgElement(async () => ({ src: "" })), externalFileAccess: false },
    );
    const { text, sections } = htmlText(value);
    return [fileDocument(source, { text, sections })];
  },
};
