/** PDF files written by hand: a page for each list of lines. */

export interface PdfOptions {
  title?: string;
  /** Entries added to the trailer. */
  trailer?: string;
  /** The first page's stream, with the entries of its dictionary, in place of the text. */
  stream?: { dictionary: string; bytes: Buffer };
}

export function pdf(pages: readonly string[][], options: PdfOptions = {}): Uint8Array {
  const kids = pages.map((_, i) => `${4 + 2 * i} 0 R`).join(" ");
  const objects: Buffer[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((text) => Buffer.from(text));
  for (const [i, lines] of pages.entries()) {
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents ${5 + 2 * i} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
    );
    const text = `BT /F1 12 Tf 20 250 Td ${lines.map((line) => `(${line}) Tj 0 -20 Td`).join(" ")} ET`;
    const { dictionary, bytes } = (i === 0 && options.stream) || { dictionary: "", bytes: Buffer.from(text) };
    const head = `<< /Length ${bytes.length} ${dictionary} >>\nstream\n`;
    objects.push(Buffer.concat([Buffer.from(head), bytes, Buffer.from("\nendstream")]));
  }
  objects.push(Buffer.from(`<< /Title (${options.title ?? ""}) >>`));
  let file = Buffer.from("%PDF-1.4\n");
  const offsets = objects.map((object, i) => {
    const offset = file.length;
    file = Buffer.concat([file, Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer << /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R ${options.trailer ?? ""} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([file, Buffer.from(end)]));
}
