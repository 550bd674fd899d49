/**
 * The file of a segment: a head (magic, format version), sections that begin at multiples of 8, a table of contents as JSON, and a tail
 * (length and checksum of the table, magic). Each section has its CRC-32, its padding included, so that no byte of the file is unguarded.
 * Numbers are little-endian, as every JavaScript engine's typed arrays are.
 */
import { corrupt, EngineError } from "../errors.ts";
import type { Slices } from "../slices.ts";
import { counted } from "../work.ts";
import { ByteCursor } from "./bytes.ts";
import { crc32 } from "./crc32.ts";
import type { FieldMeta, SegmentMeta } from "./meta.ts";

/**
 * 3: what completions are suggested from lies in a field of its own, in which each has its place among those of its document. Without it
 * nothing would be suggested, so what was written before, by builds ahead of the first release, is refused.
 */
const FORMAT_VERSION = 3;
const OLDEST_VERSION = 3;
const HEAD_MAGIC = [0x48, 0x4c, 0x53, 0x45, 0x47, 0x0d, 0x0a, 0x1a];
const TAIL_MAGIC = [0x48, 0x4c, 0x45, 0x4e, 0x44, 0x0d, 0x0a, 0x1a];
const HEAD_LENGTH = 16;
const TAIL_LENGTH = 16;
/** Bytes whose checksum is computed before looking whether the slice is used up. */
const CRC_STEP = 1 << 20;

/** Name, offset, length without padding, checksum. */
type SectionEntry = readonly [name: string, offset: number, length: number, crc: number];

interface Toc extends SegmentMeta {
  readonly sections: readonly SectionEntry[];
}

/** A section to be written: its bytes may come in several parts. */
export interface SectionData {
  readonly name: string;
  readonly parts: readonly Uint8Array[];
}

const padding = (length: number): number => -length & 7;

/** Lays out a segment's file and computes its checksums. The parts are not copied. */
export async function writeFile(
  meta: SegmentMeta,
  sections: readonly SectionData[],
  slices: Slices | undefined,
): Promise<Uint8Array[]> {
  const head = new Uint8Array(HEAD_LENGTH);
  head.set(HEAD_MAGIC);
  new DataView(head.buffer).setUint32(8, FORMAT_VERSION, true);
  const chunks: Uint8Array[] = [head];
  const entries: SectionEntry[] = [];
  let offset = HEAD_LENGTH;
  for (const { name, parts } of sections) {
    let length = 0;
    let crc = 0;
    for (const part of parts) {
      for (let from = 0; from < part.length; from += CRC_STEP) {
        crc = crc32(part.subarray(from, from + CRC_STEP), crc);
        if (slices?.due()) await slices.pause();
      }
      length += part.length;
      chunks.push(part);
    }
    const pad = new Uint8Array(padding(length));
    if (pad.length > 0) {
      crc = crc32(pad, crc);
      chunks.push(pad);
    }
    entries.push([name, offset, length, crc]);
    offset += length + pad.length;
  }
  const toc: Toc = { ...meta, sections: entries };
  const json = new TextEncoder().encode(JSON.stringify(toc));
  const tail = new Uint8Array(TAIL_LENGTH);
  const view = new DataView(tail.buffer);
  view.setUint32(0, json.length, true);
  view.setUint32(4, crc32(json), true);
  tail.set(TAIL_MAGIC, 8);
  chunks.push(json, tail);
  return chunks;
}

/** Where a segment's bytes come from. `read` gives a copy of its own, aligned to 8 bytes. */
export interface SegmentSource {
  readonly size: number;
  read(offset: number, length: number): Uint8Array;
  crc32(bytes: Uint8Array): number;
  /** The file's place, for error messages. */
  readonly location: string;
}

/** An opened file: its table of contents, and sections that are read and checked when they are first asked for. */
export interface SegmentFile {
  readonly meta: SegmentMeta;
  has(section: string): boolean;
  /** The bytes of a section, kept from then on. Throws corrupt() when they are not what was written. */
  section(name: string): Uint8Array;
  /** The same, not kept. */
  read(name: string): Uint8Array;
  /** Some bytes of a section, read where they lie. @param crc their own checksum */
  part(name: string, offset: number, length: number, crc: number): Uint8Array;
  /** A cursor over a section. */
  cursor(name: string): ByteCursor;
  /** `count` numbers at `offset` of a section, as a view; corrupt() when the section is too short. */
  view<T>(name: string, type: ViewType<T>, offset: number, count: number): T;
  fail(section: string, what: string): never;
  residentBytes(): number;
  verify(): void;
}

type ViewType<T> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T;
};

/** Reads the head, the tail and the table of contents. */
export function openFile(source: SegmentSource): SegmentFile {
  const { size, location } = source;
  const fail = (section: string, what: string): never => {
    throw corrupt(`${location}, ${section}`, what);
  };
  const read = (offset: number, length: number, section: string): Uint8Array => {
    const bytes = source.read(offset, length);
    if (counted !== undefined) counted.bytes += length;
    if (bytes.length !== length) fail(section, `${bytes.length} of ${length} bytes could be read`);
    return bytes;
  };
  if (size < HEAD_LENGTH + TAIL_LENGTH) fail("head", `a segment cut down to ${size} bytes`);
  const head = read(0, HEAD_LENGTH, "head");
  if (!HEAD_MAGIC.every((byte, i) => head[i] === byte)) fail("head", "bytes that are not a segment's");
  const version = new DataView(head.buffer, head.byteOffset).getUint32(8, true);
  if (version < OLDEST_VERSION) {
    throw new EngineError(
      "index_format_too_old_exception",
      `segment [${location}] has format ${version}, this version reads formats from ${OLDEST_VERSION} on; index the documents again`,
      { status: 500 },
    );
  }
  if (version > FORMAT_VERSION) {
    throw new EngineError(
      "index_format_too_new_exception",
      `segment [${location}] has format ${version}, this version reads formats up to ${FORMAT_VERSION}; open it with the version that wrote it`,
      { status: 500 },
    );
  }
  if (head.subarray(12).some((byte) => byte !== 0)) fail("head", "bytes that are not a segment's");
  const toc = readToc(source, read, fail);
  const entries = new Map(toc.sections.map((entry) => [entry[0], entry]));
  const loaded = new Map<string, Uint8Array>();

  const load = (name: string): Uint8Array => {
    const entry = entries.get(name) ?? fail(name, "a missing section");
    const [, offset, length, crc] = entry;
    const bytes = read(offset, length + padding(length), name);
    if (source.crc32(bytes) >>> 0 !== crc) fail(name, "a wrong checksum");
    return bytes.subarray(0, length);
  };
  const section = (name: string): Uint8Array => {
    let bytes = loaded.get(name);
    if (bytes === undefined) {
      bytes = load(name);
      loaded.set(name, bytes);
    }
    return bytes;
  };
  return {
    meta: toc,
    has: (name) => entries.has(name),
    section,
    read: (name) => loaded.get(name) ?? load(name),
    part(name, offset, length, crc) {
      const whole = loaded.get(name);
      if (whole) return whole.subarray(offset, offset + length);
      const [, start, size] = entries.get(name) ?? fail(name, "a missing section");
      if (offset + length > size) fail(name, "a section that is too short");
      const bytes = read(start + offset, length, name);
      if (source.crc32(bytes) >>> 0 !== crc) fail(name, "a wrong checksum");
      return bytes;
    },
    cursor: (name) => new ByteCursor(section(name), () => fail(name, "a record that ends too early")),
    view(name, type, offset, count) {
      const bytes = section(name);
      if (offset + count * type.BYTES_PER_ELEMENT > bytes.length) fail(name, "a section that is too short");
      return new type(bytes.buffer, bytes.byteOffset + offset, count);
    },
    fail,
    residentBytes() {
      let sum = 0;
      for (const bytes of loaded.values()) sum += bytes.length;
      return sum;
    },
    verify() {
      for (const name of entries.keys()) load(name);
    },
  };
}

function readToc(
  source: SegmentSource,
  read: (offset: number, length: number, section: string) => Uint8Array,
  fail: (section: string, what: string) => never,
): Toc {
  const place = "table of contents";
  const tailOffset = source.size - TAIL_LENGTH;
  const tail = read(tailOffset, TAIL_LENGTH, place);
  if (!TAIL_MAGIC.every((byte, i) => tail[8 + i] === byte)) fail(place, "an end that is missing");
  const view = new DataView(tail.buffer, tail.byteOffset);
  const length = view.getUint32(0, true);
  if (length > tailOffset - HEAD_LENGTH) fail(place, "a wrong length");
  const json = read(tailOffset - length, length, place);
  if (source.crc32(json) >>> 0 !== view.getUint32(4, true)) fail(place, "a wrong checksum");
  const toc = JSON.parse(new TextDecoder().decode(json)) as Toc;
  // The sections must fill the file without a gap: then no byte is unguarded, and none lies outside.
  let offset = HEAD_LENGTH;
  for (const [name, start, size] of toc.sections) {
    if (start !== offset || !Number.isSafeInteger(size) || size < 0) fail(place, `a wrong place of section ${name}`);
    offset += size + padding(size);
  }
  if (offset !== tailOffset - length) fail(place, "a file that is longer or shorter than its sections");
  return toc;
}

/** Name of a field's section. */
export const sectionName = (field: FieldMeta | string, part: string): string =>
  `${part} of field ${typeof field === "string" ? field : field.info.name}`;
