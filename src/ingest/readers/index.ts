/** Which reader reads which file. A reader's module, and the parser it stands on, is loaded when the first file of its kind comes. */
import { type CallOptions, type Document, FileError, type FileSource, type Reader } from "../../schema/index.ts";

interface Kind {
  extensions: readonly string[];
  load: () => Promise<Reader>;
}

const KINDS: readonly Kind[] = [
  { extensions: ["md", "mdx", "markdown"], load: async () => (await import("./markdown.ts")).markdownReader },
  {
    extensions: ["txt", "text", "log", "rst", "org", "adoc", "asciidoc", "textile", "srt", "vtt"],
    load: async () => (await import("./text.ts")).textReader,
  },
  { extensions: ["html", "htm", "xhtml"], load: async () => (await import("./html.ts")).htmlReader },
  { extensions: ["pdf"], load: async () => (await import("./pdf.ts")).pdfReader },
  { extensions: ["docx"], load: async () => (await import("./docx.ts")).docxReader },
  { extensions: ["csv", "tsv"], load: async () => (await import("./table.ts")).tableReader },
  { extensions: ["json", "jsonl", "ndjson"], load: async () => (await import("./json.ts")).jsonReader },
];

/** Extensions of files that can be read: lower-case, without the dot. */
export const KNOWN_EXTENSIONS: readonly string[] = KINDS.flatMap((kind) => kind.extensions);

const KNOWN = new Set(KNOWN_EXTENSIONS);

export function isKnownExtension(extension: string): boolean {
  return KNOWN.has(extension);
}

/**
 * The documents of a file, read as its extension says.
 *
 * @throws FileError for a file of unknown kind, without text, encrypted, damaged, or too large when unpacked
 */
export async function readDocuments(source: FileSource, options: CallOptions = {}): Promise<Document[]> {
  const { signal } = options;
  signal?.throwIfAborted();
  const extension = /\.([^./\\]+)$/.exec(source.file)?.[1]?.toLowerCase() ?? "";
  const kind = KINDS.find(({ extensions }) => extensions.includes(extension));
  if (!kind) {
    throw new FileError(
      "FILE_TYPE_UNKNOWN",
      source.file,
      `files of this kind cannot be read: readable are .${KNOWN_EXTENSIONS.join(", .")}`,
    );
  }
  if (source.bytes.length === 0) throw new FileError("FILE_EMPTY", source.file, "the file is empty");
  const reader = await kind.load();
  try {
    const documents = await reader.read(source, options);
    signal?.throwIfAborted();
    return documents;
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof FileError) throw error;
    // A parser stumbled over what it did not expect: deep nesting, wrong lengths, missing parts.
    const why = error instanceof Error ? error.message : String(error);
    throw new FileError("FILE_DAMAGED", source.file, `cannot be read as .${extension} (${why.slice(0, 300)})`, {
      cause: error,
    });
  }
}
