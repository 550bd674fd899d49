/** Identifiers made here: of indices, and of documents that bring none. */

/** URL-safe, and in the order of their bytes, so that ids sort by the time they were made. */
const ALPHABET = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";

function letters(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const group = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const count = Math.min(3, bytes.length - i) + 1;
    for (let j = 0; j < count; j++) text += ALPHABET[(group >>> (18 - 6 * j)) & 63];
  }
  return text;
}

/** 22 random letters: 16 bytes, as Elasticsearch's index UUIDs. */
export function randomUuid(): string {
  return letters(crypto.getRandomValues(new Uint8Array(16)));
}

/** A generator of document ids of 20 letters: 6 bytes of time, 3 of a counter, 6 at random for this process. */
export function idGenerator(now: () => number = Date.now): () => string {
  const process = crypto.getRandomValues(new Uint8Array(6));
  let last = 0;
  let counter = 0;
  return () => {
    const time = Math.max(now(), last);
    if (time === last) counter++;
    else counter = 0;
    last = time;
    // More than 2^24 ids in one millisecond borrow from the next.
    if (counter > 0xffffff) {
      last++;
      counter = 0;
    }
    const bytes = new Uint8Array(15);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, Math.floor(last / 2 ** 32));
    view.setUint32(2, last % 2 ** 32);
    bytes[6] = counter >>> 16;
    bytes[7] = counter >>> 8;
    bytes[8] = counter;
    bytes.set(process, 9);
    return letters(bytes);
  };
}
