/** Reading bytes as if they were a file. */
import { readDocuments } from "../../../src/ingest/index.ts";
import type { Document } from "../../../src/schema/index.ts";

export async function read(file: string, content: string | Uint8Array): Promise<Document> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const documents = await readDocuments({ file, bytes, metadata: { file } });
  if (documents.length !== 1) throw new Error(`${documents.length} documents`);
  return documents[0]!;
}

/** The headings of a document, each with the text that stands at its place. */
export function headings(doc: Document): [string, string][] {
  return (doc.sections ?? []).map((section) => [
    (section.headingPath ?? []).join(" / "),
    doc.text.slice(section.start).split("\n", 1)[0]!,
  ]);
}
