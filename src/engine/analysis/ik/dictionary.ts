/** The dictionaries of IK: words, measure words, stop words; and the file that holds all three. */
import { EngineError } from "../../errors.ts";
import { packedSize, packTrie, type Trie, unpackTrie } from "./trie.ts";

export interface IkDictionary {
  readonly words: Trie;
  /** Measure words (个, 公里, 年), which count after a number. */
  readonly quantifiers: Trie;
  readonly stopWords: Trie;
}

/** "HLIK", little endian, then the version of the format. */
const MAGIC = 0x4b494c48;
const VERSION = 1;

export function packDictionary({ words, quantifiers, stopWords }: IkDictionary): Uint8Array {
  const tries = [words, quantifiers, stopWords];
  const bytes = new Uint8Array(tries.reduce((size, trie) => size + packedSize(trie), 8));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, VERSION, true);
  let at = 8;
  for (const trie of tries) at = packTrie(trie, view, at);
  return bytes;
}

/** @throws EngineError where the bytes are not a dictionary of this version */
export function unpackDictionary(bytes: Uint8Array): IkDictionary {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = (cause?: unknown) =>
    new EngineError(
      "illegal_state_exception",
      "the dictionary of IK (assets/ik/ik.dic.bin) is missing or damaged; install the package again",
      {
        status: 500,
        cause,
      },
    );
  if (bytes.byteLength < 8 || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== VERSION) throw damaged();
  try {
    const words = unpackTrie(view, 8);
    const quantifiers = unpackTrie(view, words.end);
    const stopWords = unpackTrie(view, quantifiers.end);
    return { words: words.trie, quantifiers: quantifiers.trie, stopWords: stopWords.trie };
  } catch (error) {
    if (error instanceof RangeError) throw damaged(error);
    throw error;
  }
}
