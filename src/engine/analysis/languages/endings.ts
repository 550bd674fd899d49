/** Rules about the ends of words, as light stemmers have them. */

/**
 * The lengths in the rules are those of the word before the ending is taken off: a word must be longer than `longerThan` (in UTF-16
 * units). `$1` in the replacement stands for the first group of the ending.
 */
export type EndingRule = readonly [longerThan: number, ending: RegExp, replacement: string];

/** Applies the first rule that fits; `undefined` where none does. */
export function replaceEnding(word: string, rules: readonly EndingRule[]): string | undefined {
  for (const [longerThan, ending, replacement] of rules)
    if (word.length > longerThan && ending.test(word)) return word.replace(ending, replacement);
  return undefined;
}

/** Maps single characters: the first string's to those of the second, place by place. */
export function characterMap(from: string, to: string): (word: string) => string {
  const map = new Map([...from].map((char, i) => [char, to[i]]));
  const any = new RegExp(`[${from}]`, "g");
  return (word) => word.replace(any, (char) => map.get(char) as string);
}
