/** A corpus for measuring: passages out of a vocabulary with Zipf frequencies, the same for the same seed. */
import { seededRandom } from "../test/random.ts";

/** A pronounceable word for each rank, shorter for frequent ones. */
function wordOf(rank: number): string {
  const consonants = "bcdfghjklmnpqrstvwz";
  const vowels = "aeiou";
  let word = "";
  for (let n = rank + 1; n > 0; n = Math.floor(n / 95)) {
    word += consonants[n % 19] + vowels[Math.floor(n / 19) % 5];
  }
  return word;
}

export interface ZipfOptions {
  readonly vocabulary?: number;
  /** Frequency of the word of rank r is proportional to 1 / (r + 2)^exponent. */
  readonly exponent?: number;
  readonly meanLength?: number;
  readonly seed?: number;
}

/** Passages as lists of words. */
export function* zipfPassages(count: number, options: ZipfOptions = {}): Generator<string[]> {
  const { vocabulary = 200_000, exponent = 1, meanLength = 80, seed = 1 } = options;
  const random = seededRandom(seed);
  const cumulative = new Float64Array(vocabulary);
  let sum = 0;
  for (let rank = 0; rank < vocabulary; rank++) {
    sum += 1 / (rank + 2) ** exponent;
    cumulative[rank] = sum;
  }
  const words = Array.from({ length: vocabulary }, (_, rank) => wordOf(rank));
  for (let doc = 0; doc < count; doc++) {
    const length = Math.max(5, Math.round(meanLength * (0.4 + 1.2 * random())));
    const passage: string[] = [];
    while (passage.length < length) {
      const target = random() * sum;
      let low = 0;
      let high = vocabulary - 1;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (cumulative[middle] < target) low = middle + 1;
        else high = middle;
      }
      passage.push(words[low]);
      // Words come in bursts: what a passage is about is said more than once.
      if (random() < 0.15) passage.push(passage[Math.floor(random() * passage.length)]);
    }
    yield passage;
  }
}
