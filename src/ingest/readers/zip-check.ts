/**
 * Whether an archive may be unpacked. A few kilobytes can unpack to terabytes, so the sizes in its directory are added up first, and
 * each entry is unpacked once with its size as the limit: a directory may lie. (Format: PKWARE's APPNOTE, 4.3.)
 */
import { inflateRawSync } from "node:zlib";
import { FileError, type FileSource } from "../../schema/index.ts";

const MOST_BYTES = 256 * 1024 * 1024;
const MOST_ENTRIES = 20_000;
const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
/** The end record has 22 bytes and a comment of at most 65,535. */
const END_RECORD = 22;

interface Entry {
  method: number;
  encrypted: boolean;
  packed: number;
  unpacked: number;
  /** Of its local header. */
  offset: number;
}

/** @throws FileError for an archive that is damaged, encrypted, or too large when unpacked */
export function checkZip({ file, bytes }: FileSource): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let entries: Entry[];
  try {
    entries = directory(view);
  } catch (cause) {
    throw new FileError("FILE_DAMAGED", file, "is no whole archive: copy or save it again", { cause });
  }
  if (entries.some((entry) => entry.encrypted)) {
    throw new FileError("FILE_ENCRYPTED", file, "is protected by a password: save it without one");
  }
  const total = entries.reduce((sum, entry) => sum + entry.unpacked, 0);
  if (total > MOST_BYTES || entries.length > MOST_ENTRIES) {
    throw new FileError(
      "FILE_TOO_LARGE",
      file,
      `unpacks to ${entries.length} parts of ${total} bytes together, more than ${MOST_ENTRIES} parts or ${MOST_BYTES} bytes`,
    );
  }
  for (const entry of entries) {
    try {
      unpack(bytes, view, entry);
    } catch (cause) {
      throw new FileError("FILE_DAMAGED", file, "a part of it is not what its directory says", { cause });
    }
  }
}

function directory(view: DataView): Entry[] {
  const end = endOfDirectory(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  // The count is of 16 bits and may lie as well: what is read is what the directory holds.
  while (at + 46 <= end && view.getUint32(at, true) === DIRECTORY_ENTRY) {
    entries.push({
      encrypted: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  if (entries.length === 0 || entries.length < count) throw new Error("the directory is cut short");
  return entries;
}

function endOfDirectory(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_RECORD - 0xffff);
  for (let at = view.byteLength - END_RECORD; at >= lowest; at--) {
    if (view.getUint32(at, true) === END_OF_DIRECTORY) return at;
  }
  throw new Error("there is no directory");
}

function unpack(bytes: Uint8Array, view: DataView, entry: Entry): void {
  if (view.getUint32(entry.offset, true) !== LOCAL_ENTRY) throw new Error("an entry is missing");
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true);
  if (start + entry.packed > bytes.length) throw new Error("an entry is cut short");
  if (entry.method === STORED) return;
  if (entry.method !== DEFLATED) throw new Error(`compression method ${entry.method}`);
  if (entry.packed === 0) return;
  inflateRawSync(bytes.subarray(start, start + entry.packed), { maxOutputLength: Math.max(1, entry.unpacked) });
}
