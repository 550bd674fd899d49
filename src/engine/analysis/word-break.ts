/** The automaton of the standard tokenizer, unpacked from its compact form when it is first used. */
import { ACCEPTED, CLASS_COUNT, CLASSES, STATE_COUNT, TRANSITIONS } from "./word-break-data.ts";

export interface WordBreaks {
  /** Class of a code point below 0x40000, then those of plane 14: see `wordClass`. */
  readonly classes: Uint8Array;
  readonly classCount: number;
  /** Next state by `state * classCount + class`. State 0 is dead, 1 the start. */
  readonly transitions: Uint8Array;
  /** By state: 0, or the index in `TYPES` of the token that ends there. */
  readonly accepted: Uint8Array;
}

/** Planes 0 to 3 have characters; of the others only plane 14 has (tags, variation selectors). */
const DENSE_END = 0x40000;
const PLANE_14 = 0xe0000;

function unhex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

let loaded: WordBreaks | undefined;

export function wordBreaks(): WordBreaks {
  if (loaded !== undefined) return loaded;
  const classes = new Uint8Array(DENSE_END + 0x10000);
  let at = 0;
  for (const [, length, kind] of CLASSES.matchAll(/([0-9a-z]+)([^0-9a-z])/g)) {
    const end = at + Number.parseInt(length, 36);
    const value = kind.charCodeAt(0) - 65;
    if (value !== 0) {
      classes.fill(value, Math.min(at, DENSE_END), Math.min(end, DENSE_END));
      if (end > PLANE_14 && at < PLANE_14 + 0x10000)
        classes.fill(value, DENSE_END + Math.max(at - PLANE_14, 0), DENSE_END + end - PLANE_14);
    }
    at = end;
  }
  const transitions = unhex(TRANSITIONS);
  if (transitions.length !== STATE_COUNT * CLASS_COUNT)
    throw new Error("word-break-data.ts is damaged: build it again");
  loaded = { classes, classCount: CLASS_COUNT, transitions, accepted: unhex(ACCEPTED) };
  return loaded;
}

/** Class of a code point beyond the BMP. */
export function supplementaryClass(classes: Uint8Array, codePoint: number): number {
  if (codePoint < DENSE_END) return classes[codePoint];
  return codePoint >= PLANE_14 && codePoint < PLANE_14 + 0x10000 ? classes[DENSE_END + codePoint - PLANE_14] : 0;
}
