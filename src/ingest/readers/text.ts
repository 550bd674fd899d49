/** Plain text, in whatever encoding. */
import type { Reader } from "../../schema/index.ts";
import { decodeText } from "./decode.ts";
import { fileDocument } from "./document.ts";

export const textReader: Reader = {
  extensions: ["txt", "text", "log", "rst", "org", "adoc", "asciidoc", "textile", "srt", "vtt"],
  async read(source) {
    return [fileDocument(source, { text: decodeText(source) })];
  },
};
