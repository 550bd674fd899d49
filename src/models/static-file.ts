/**
 * The file of a static embedding: reading it apart and writing it.
 *
 * File (`STEMB001`, little-endian): magic, length of the header (u32), header (JSON), then sections at the header's
 * offsets: vocabulary (entries joined by newlines; line i is row i), scores (u16, thousandths of negative natural log
 * probability), traditional-to-simplified pairs, row scales (f32), and the matrix with two 4-bit values a byte (even
 * dimension in the low nibble, each stored as value + 8).
 */

import { HuiliuError } from "../schema/errors.ts";

const MAGIC = "STEMB001";
/** Where the sections begin, so that numbers of four bytes can be read in place. */
const ALIGNMENT = 4;

export type SectionName = "vocab" | "scores" | "t2s" | "scales" | "matrix";

export interface StaticHeader {
  bits: number;
  dims: number;
  rows: number;
  tf: number;
  maxHan: number;
  maxPiece: number;
  maxWord: number;
  unknown: number;
  zhChars: boolean;
  name: string;
  sections: Record<SectionName, [number, number]>;
}

/** The parts of a file's bytes, which are not copied. */
export function parseStaticFile(bytes: Uint8Array): {
  header: StaticHeader;
  section: (name: SectionName) => Uint8Array;
} {
  const decoder = new TextDecoder();
  if (bytes.length < 12 || decoder.decode(bytes.subarray(0, 8)) !== MAGIC)
    throw invalidFile(`it does not start with ${MAGIC}`);
  const headerLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
  const start = 12 + headerLength;
  let header: StaticHeader;
  try {
    header = JSON.parse(decoder.decode(bytes.subarray(12, start))) as StaticHeader;
  } catch (error) {
    throw invalidFile("its header is not JSON", error);
  }
  if (header.bits !== 4 || header.dims % 8 !== 0)
    throw invalidFile("only 4-bit values in a multiple of 8 dimensions are supported");
  return {
    header,
    section(name) {
      const [offset, size] = header.sections[name];
      if (start + offset + size > bytes.length) throw invalidFile(`it ends before its section ${name} does`);
      return bytes.subarray(start + offset, start + offset + size);
    },
  };
}

/** A copy at an address that typed arrays of wider elements accept. */
export function aligned(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** A file of the given parts. */
export function writeStaticFile(
  header: Omit<StaticHeader, "sections">,
  sections: Record<SectionName, Uint8Array>,
): Uint8Array {
  // Numbers first, the widest foremost: each section begins where its numbers may.
  const order: SectionName[] = ["matrix", "scales", "scores", "vocab", "t2s"];
  const places = {} as StaticHeader["sections"];
  let size = 0;
  for (const name of order) {
    places[name] = [size, sections[name].length];
    size += sections[name].length;
  }
  const encoder = new TextEncoder();
  let json = JSON.stringify({ ...header, sections: places });
  while ((12 + encoder.encode(json).length) % ALIGNMENT !== 0) json += " ";
  const head = encoder.encode(json);
  const file = new Uint8Array(12 + head.length + size);
  file.set(encoder.encode(MAGIC));
  new DataView(file.buffer).setUint32(8, head.length, true);
  file.set(head, 12);
  for (const name of order) file.set(sections[name], 12 + head.length + places[name][0]);
  return file;
}

export function invalidFile(what: string, cause?: unknown): HuiliuError {
  return new HuiliuError("MODEL_FILE_INVALID", `this is not a usable embedding file: ${what}`, { cause });
}
