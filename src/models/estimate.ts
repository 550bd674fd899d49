/** Tokens without a tokenizer: an upper bound that holds for common vocabularies, for limits that are another's. */

/**
 * A token has at least one character outside ASCII, and of ASCII text at least two on average (four in English prose; code and numbers have
 * the shortest ones).
 */
export function tokensAtMost(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 128) ascii++;
  return Math.ceil(ascii / 2) + text.length - ascii;
}
