/**
 * A whole storage as one stream of bytes, and back: what an engine in memory is saved as. After the mark come entries (kind, length of the
 * name, length of the content, CRC-32 of all, name, content): each record under its encoded key, each blob in pieces, and at last the number of
 * entries, so that a file that was cut is known as one.
 */
import { corrupt } from "../engine/errors.ts";
import { decodeKey, encodeKey } from "../engine/storage/keys.ts";
import type { Storage, StorageKey, StorageWrite } from "../engine/storage/types.ts";

const MARK = new TextEncoder().encode("huiliu archive 1\n");
const [END, RECORD, BLOB] = [0, 1, 2];
const HEAD = 16;
const PIECE = 1 << 20;
/** Records of one transaction when they are read back. */
const BATCH = 1000;
/** Bytes of a name: a key's most is smaller. */
const LONGEST_NAME = 4096;
const LONGEST_CONTENT = 2 ** 31;

/** A blob that the snapshot names was merged away meanwhile. */
class BlobGone extends Error {}

/** The storage at one moment. Throws `BlobGone` where a merge was faster; then it is begun again. */
async function* entries(storage: Storage, pause: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const snapshot = storage.snapshot();
  try {
    const names = storage.listBlobs("");
    const sizes = names.map((name) => storage.blobSize(name)!);
    let count = 0;
    yield MARK;
    for (const { key, value } of snapshot.range([])) {
      yield entry(storage, RECORD!, encodeKey(key), value);
      if (++count % BATCH === 0) await pause();
    }
    const encoder = new TextEncoder();
    for (const [i, name] of names.entries()) {
      for (let at = 0; at === 0 || at < sizes[i]!; at += PIECE) {
        await pause();
        if (storage.blobSize(name) === undefined) throw new BlobGone();
        yield entry(storage, BLOB!, encoder.encode(name), storage.readBlob(name, at, Math.min(PIECE, sizes[i]! - at)));
        count++;
      }
    }
    yield entry(storage, END!, new Uint8Array(0), new Uint8Array(new Float64Array([count]).buffer));
  } finally {
    snapshot.close();
  }
}

const ATTEMPTS = 10;

/**
 * Writes the storage as it is at one moment, while others go on.
 *
 * @param open begins the file, and begins it again where a merge came between
 */
export async function writeArchive(
  storage: Storage,
  open: () => Promise<(bytes: Uint8Array) => Promise<void>>,
  pause: () => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const write = await open();
    try {
      for await (const bytes of entries(storage, pause)) await write(bytes);
      return;
    } catch (error) {
      if (!(error instanceof BlobGone) || attempt === ATTEMPTS) throw error;
    }
  }
}

function entry(storage: Storage, kind: number, name: Uint8Array, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD + name.length + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, name.length, true);
  view.setUint32(8, content.length, true);
  bytes.set(name, HEAD);
  bytes.set(content, HEAD + name.length);
  // Over everything, with zeros in its own place.
  view.setUint32(12, storage.crc32(bytes), true);
  return bytes;
}

/** Puts what was written into an empty storage. @throws EngineError naming `file` where it is cut, changed or something else */
export async function readArchive(storage: Storage, chunks: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const take = reader(chunks, file);
  if (!equal(await take(MARK.length), MARK)) throw corrupt(file, "this is not a saved engine");
  let writes: StorageWrite[] = [];
  let blob: { name: string; pieces: Uint8Array[] } | undefined;
  const closeBlob = async () => {
    if (blob) await storage.writeBlob(blob.name, blob.pieces);
    blob = undefined;
  };
  for (let count = 0; ; count++) {
    const head = new DataView((await take(HEAD)).slice().buffer);
    const [kind, nameLength, length] = [head.getUint32(0, true), head.getUint32(4, true), head.getUint32(8, true)];
    if (nameLength > LONGEST_NAME || length > LONGEST_CONTENT) throw corrupt(file, `entry ${count} is damaged`);
    const body = await take(nameLength + length);
    const [name, content] = [body.slice(0, nameLength), body.slice(nameLength)];
    const again = new DataView(entry(storage, kind!, name, content).buffer);
    if (again.getUint32(12, true) !== head.getUint32(12, true)) throw corrupt(file, `entry ${count} is damaged`);
    if (kind === END) {
      if (new Float64Array(content.slice().buffer)[0] !== count) throw corrupt(file, "entries are missing");
      await closeBlob();
      return storage.transact(writes);
    }
    if (kind === RECORD) {
      writes.push({ put: decodeKey(name) as StorageKey, value: content });
      if (writes.length === BATCH) {
        await storage.transact(writes);
        writes = [];
      }
      continue;
    }
    if (kind !== BLOB) throw corrupt(file, `entry ${count} is of an unknown kind`);
    const text = new TextDecoder().decode(name);
    if (blob?.name !== text) {
      await closeBlob();
      blob = { name: text, pieces: [] };
    }
    blob.pieces.push(content);
  }
}

/** Takes bytes off a stream, as many as are asked for. */
function reader(chunks: AsyncIterable<Uint8Array>, file: string): (length: number) => Promise<Uint8Array> {
  const source = chunks[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  return async (length) => {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (rest.length === 0) {
        const next = await source.next();
        if (next.done) throw corrupt(file, "the file ends too early");
        // A plain array: `slice` of Node's buffers copies nothing.
        rest = new Uint8Array(next.value.buffer, next.value.byteOffset, next.value.byteLength);
        continue;
      }
      parts.push(rest.subarray(0, missing));
      rest = rest.subarray(parts.at(-1)!.length);
      missing -= parts.at(-1)!.length;
    }
    if (parts.length === 1) return parts[0]!;
    const out = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      out.set(part, at);
      at += part.length;
    }
    return out;
  };
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
