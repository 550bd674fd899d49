/** Text files line by line, and parts of files of vectors. */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

export function* lines(file: string): Generator<string> {
  const fd = openSync(file, "r");
  try {
    const chunk = Buffer.alloc(1 << 20);
    const decoder = new StringDecoder("utf8");
    let rest = "";
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      const parts = (rest + decoder.write(chunk.subarray(0, read))).split("\n");
      rest = parts.pop()!;
      yield* parts;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(fd);
  }
}

/** Writes what it is given in large pieces. */
export function fileWriter(file: string): { write(text: string): void; close(): void } {
  const fd = openSync(file, "w");
  let held: string[] = [];
  let length = 0;
  const flush = () => {
    const bytes = Buffer.from(held.join(""));
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    held = [];
    length = 0;
  };
  return {
    write(text) {
      held.push(text);
      length += text.length;
      if (length > 1 << 20) flush();
    },
    close() {
      flush();
      closeSync(fd);
    },
  };
}

/** Vectors `from` (included) to `to` of a file, one after the other. */
export function vectorsOf(file: string, dims: number, from: number, to: number): Float32Array {
  const all = new Float32Array((to - from) * dims);
  const bytes = new Uint8Array(all.buffer);
  const fd = openSync(file, "r");
  try {
    const start = from * dims * 4;
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(fd, bytes, at, bytes.length - at, start + at);
      if (read === 0) throw new Error(`${file} ends before vector ${to}`);
      at += read;
    }
    return all;
  } finally {
    closeSync(fd);
  }
}
