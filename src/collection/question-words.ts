/**
 * English words that make a question of what is asked for: question words, pronouns, auxiliaries. Words of another meaning beside it (`may`, `will`,
 * `us`, `it`) are not among them, nor is what turns a meaning round (`no`, `not`, `without`). Lower case, with the straight apostrophe and the
 * typographic one, as the tokenizer leaves them.
 */
const WORDS = [
  "a about am an any are been being can could did do does doing from had has have having",
  "he her him his how i is its many me my our she should than their them there these they this those",
  "was we were what when where which who whom whose why would you your",
];
const CONTRACTIONS = "i'm i've i'll i'd it's what's how's where's who's you're we're they're";

export const QUESTION_WORDS: readonly string[] = [
  ...WORDS.flatMap((line) => line.split(" ")),
  ...CONTRACTIONS.split(" ").flatMap((word) => [word, word.replace("'", "\u2019")]),
];
