/** What a reader found in a file, as a document with its metadata. */
import {
  type Document,
  document,
  FileError,
  type FileSource,
  type Metadata,
  type Section,
} from "../../schema/index.ts";
import { isBlank } from "../passages.ts";

/** Known of every file, and of no use to a model. */
const TECHNICAL_KEYS = ["file", "extension", "folder", "modified"];
const LONGEST_TITLE = 300;

export interface ReadText {
  text: string;
  title?: string;
  /** What the file says of itself; it cannot override `file` and its like. */
  metadata?: Metadata;
  /** In the order of their starts. */
  sections?: Section[];
}

/**
 * The document of a file. Its title is the given one, else the first heading.
 *
 * @throws FileError when there is no text
 */
export function fileDocument(source: FileSource, read: ReadText, emptyRemedy = "the file holds no text"): Document {
  if (isBlank(read.text)) throw new FileError("FILE_EMPTY", source.file, emptyRemedy);
  const { sections = [] } = read;
  const title = oneLine(read.title ?? "") || oneLine(sections.find(({ heading }) => heading)?.heading ?? "");
  const own = Object.entries(read.metadata ?? {}).filter(([key]) => !TECHNICAL_KEYS.includes(key) && key !== "title");
  return document({
    id: source.file,
    // Halves of surrogate pairs, which JSON can hold and UTF-8 cannot. The length stays the same.
    text: read.text.replace(/\p{Surrogate}/gu, "\ufffd"),
    metadata: { ...source.metadata, ...(title === "" ? {} : { title }), ...Object.fromEntries(own) },
    excludedEmbedMetadataKeys: TECHNICAL_KEYS,
    excludedLlmMetadataKeys: TECHNICAL_KEYS,
    ...(sections.length > 0 ? { sections } : {}),
  });
}

/** Without line breaks and double spaces, of bearable length. */
export function oneLine(text: string): string {
  return text
    .slice(0, 4 * LONGEST_TITLE)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LONGEST_TITLE);
}

/** The headings above, kept while the headings of a file go by. */
export function headingTrail(): (heading: string, level: number) => string[] {
  let trail: { heading: string; level: number }[] = [];
  return (heading, level) => {
    trail = [...trail.filter((above) => above.level < level), { heading, level }];
    return trail.map((above) => above.heading);
  };
}
