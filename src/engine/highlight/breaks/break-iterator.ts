/**
 * Where a text may be cut: Java's RuleBasedBreakIterator. A search begins at the last place that was found, or where walking backwards finds one:
 * the answer may depend on what was asked before, as it does in Java.
 */
import { type BreakRules, IGNORED, START, STOP } from "./rules.ts";

/** There is no such place. */
export const DONE = -1;
/** Java's mark of the end of a text, which the character U+FFFF is mistaken for. */
const END = 0xffff;

export interface BreakIterator {
  setText(text: string): void;
  /** The last place before an offset. */
  preceding(offset: number): number;
  /** The first place behind an offset. */
  following(offset: number): number;
}

export function ruleBreaks(rules: BreakRules): BreakIterator {
  let text = "";
  /** Where the walk stands. */
  let at = 0;
  let known = DONE;

  const current = () => (at < text.length ? text.codePointAt(at)! : END);
  const width = (codePoint: number) => (codePoint > 0xffff ? 2 : 1);
  const nextIndex = () => Math.min(text.length, at + (at < text.length ? width(current()) : 1));
  const toNext = (): number => {
    if (at >= text.length || at + width(current()) >= text.length) return END;
    at += width(current());
    return current();
  };
  const toPrevious = (): number => {
    if (at === 0) return END;
    const isPair = at > 1 && text.codePointAt(at - 2)! > 0xffff;
    at -= isPair ? 2 : 1;
    return isPair ? text.codePointAt(at)! : text.charCodeAt(at);
  };

  /** From one place to the next. */
  const forward = (): number => {
    if (at === text.length) return DONE;
    let result = nextIndex();
    let ahead = 0;
    let state = START;
    let c = current();
    while (c !== END && state !== STOP) {
      const category = rules.classOf(c);
      if (category !== IGNORED) state = rules.forward(state, category);
      if (rules.looksAhead(state)) {
        if (rules.ends(state)) result = ahead;
        else ahead = nextIndex();
      } else if (rules.ends(state)) result = nextIndex();
      c = toNext();
    }
    if (c === END && ahead === text.length) result = ahead;
    at = result;
    return result;
  };

  /** To a place from which walking forward is right. */
  const backward = (): number => {
    let state = START;
    let category = 0;
    let before = 0;
    let c = current();
    while (c !== END && state !== STOP) {
      before = category;
      category = rules.classOf(c);
      if (category !== IGNORED) state = rules.backward(state, category);
      c = toPrevious();
    }
    if (c !== END) {
      toNext();
      if (before !== IGNORED) toNext();
    }
    return at;
  };

  return {
    setText(next) {
      text = next;
      at = 0;
      known = DONE;
    },
    preceding(offset) {
      at = offset;
      if (offset === 0) return DONE;
      let last = known;
      if (last >= offset || last === DONE) {
        toPrevious();
        last = backward();
      } else at = last;
      for (let next = last; next !== DONE && next < offset; next = forward()) last = next;
      known = last;
      return last;
    },
    following(offset) {
      at = offset;
      if (offset === 0) return (known = forward());
      let result = known;
      if (result >= offset || result === DONE) result = backward();
      else at = result;
      while (result !== DONE && result <= offset) result = forward();
      return (known = result);
    },
  };
}
