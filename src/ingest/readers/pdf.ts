/** PDF: the text of its pages. What it shows as a picture is not read. */
import { inflateSync } from "node:zlib";
import { type CallOptions, FileError, type FileSource, type Reader, type Section } from "../../schema/index.ts";
import { fileDocument } from "./document.ts";

const MOST_MILLISECONDS = 120_000;
const MOST_PAGES = 20_000;
const MOST_CHARACTERS = 100_000_000;
/** Bytes of one unpacked stream: what draws a page, or a font. Pictures are not unpacked. */
const MOST_UNPACKED = 64 * 1024 * 1024;
/** Deflate packs at most 1 : 1032, so that shorter streams need not be tried. */
const SHORT_STREAM = MOST_UNPACKED / 1032;

export const pdfReader: Reader = {
  extensions: ["pdf"],
  async read(source, { signal } = {}) {
    checkStreams(source);
    const { getDocumentProxy } = await import("unpdf");
    const within = deadline(source.file, signal);
    // The parser takes the bytes for itself: it gets a copy.
    const opening = getDocumentProxy(new Uint8Array(source.bytes), {
      verbosity: 0,
      isEvalSupported: false,
      stopAtErrors: false,
    });
    const pdf = await within(opening).catch((error: unknown) => {
      throw openError(source.file, error);
    });
    try {
      if (pdf.numPages > MOST_PAGES) {
        throw new FileError("FILE_TOO_LARGE", source.file, `has more than ${MOST_PAGES} pages: split it`);
      }
      const { info } = await within(pdf.getMetadata()).catch(() => ({ info: {} }));
      const title = (info as { Title?: unknown }).Title;
      let text = "";
      const sections: Section[] = [];
      for (let page = 1; page <= pdf.numPages; page++) {
        const { items } = await within(pdf.getPage(page).then((proxy) => proxy.getTextContent()));
        const content = pageText(items);
        if (content === "") continue;
        if (text !== "") text += "\n\n";
        sections.push({ start: text.length, page });
        text += content;
        if (text.length > MOST_CHARACTERS) {
          throw new FileError("FILE_TOO_LARGE", source.file, `holds more than ${MOST_CHARACTERS} characters: split it`);
        }
      }
      const named = typeof title === "string" ? { title } : {};
      return [fileDocument(source, { text, sections, ...named }, "no page holds text: a scan needs OCR first")];
    } finally {
      await pdf.destroy().catch(() => undefined);
    }
  },
};

/** A function that waits for a step, but not beyond the time that the whole file has, nor beyond an abort. */
function deadline(file: string, signal: CallOptions["signal"]): <T>(step: Promise<T>) => Promise<T> {
  const end = performance.now() + MOST_MILLISECONDS;
  return async (step) => {
    signal?.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let onAbort: (() => void) | undefined;
    const stopped = new Promise<never>((_, reject) => {
      const late = () =>
        reject(new FileError("FILE_DAMAGED", file, `reading it takes longer than ${MOST_MILLISECONDS / 1000} s`));
      timer = setTimeout(late, Math.max(0, end - performance.now()));
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    try {
      return await Promise.race([step, stopped]);
    } finally {
      clearTimeout(timer);
      if (onAbort) signal?.removeEventListener("abort", onAbort);
    }
  };
}

function openError(file: string, cause: unknown): unknown {
  if (cause instanceof FileError) return cause;
  const { name, message } = cause instanceof Error ? cause : { name: "", message: String(cause) };
  if (name === "PasswordException") {
    return new FileError("FILE_ENCRYPTED", file, "is protected by a password: save it without one", { cause });
  }
  return new FileError("FILE_DAMAGED", file, `cannot be read as PDF (${message.slice(0, 200)})`, { cause });
}

/** Refuses a stream that unpacks to more than memory should hold, and streams packed twice, where the first layer tells nothing. */
function checkStreams({ file, bytes }: FileSource): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let last = 0;
  for (let at = buffer.indexOf("stream"); at >= 0; at = buffer.indexOf("stream", at + 6)) {
    const start =
      at + 6 + (buffer[at + 6] === 0x0d ? 1 : 0) + (buffer[at + 6] === 0x0a || buffer[at + 7] === 0x0a ? 1 : 0);
    const dictionary = buffer.toString("latin1", Math.max(last, at - 400), at);
    last = at;
    if (/(?:FlateDecode|\/Fl)\s*\/(?:FlateDecode|Fl)\b/.test(dictionary)) {
      throw new FileError("FILE_TOO_LARGE", file, "holds a stream that is packed twice");
    }
    if (/\/Subtype\s*\/Image\b/.test(dictionary)) continue;
    const end = buffer.indexOf("endstream", start);
    if (buffer[start] !== 0x78 || (end >= 0 ? end : buffer.length) - start < SHORT_STREAM) continue;
    try {
      inflateSync(buffer.subarray(start), { maxOutputLength: MOST_UNPACKED });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ERR_BUFFER_TOO_LARGE") continue;
      throw new FileError("FILE_TOO_LARGE", file, `holds a stream that unpacks to more than ${MOST_UNPACKED} bytes`);
    }
  }
}

/** The items of a page in the order in which they are written; lines end where the PDF says so. */
function pageText(items: readonly object[]): string {
  const parts: string[] = [];
  for (const item of items) {
    if (!("str" in item)) continue;
    const { str, hasEOL } = item as { str: string; hasEOL: boolean };
    parts.push(str.replaceAll("\0", ""));
    if (hasEOL) parts.push("\n");
  }
  return parts
    .join("")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
