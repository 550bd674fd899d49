/** Synonyms: rules in Solr's format, and the filters that apply them. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { type CharFilter, runChain, type Stage, type TokenFilter, type Tokenizer } from "../chain.ts";

/** What a term, or a sequence of terms, stands for. */
interface Entry {
  readonly next: Map<string, Entry>;
  /** Sequences of terms, each once, in the order of the rules; undefined where no rule ends. */
  outputs: Map<string, string[]> | undefined;
  /** The terms stay beside their synonyms. */
  keepsOriginal: boolean;
}

const entry = (): Entry => ({ next: new Map(), outputs: undefined, keepsOriginal: false });

function add(root: Entry, input: readonly string[], output: string[], keepsOriginal: boolean): void {
  let at = root;
  for (const term of input) {
    let next = at.next.get(term);
    if (next === undefined) {
      next = entry();
      at.next.set(term, next);
    }
    at = next;
  }
  at.outputs ??= new Map();
  const key = output.join("\0");
  if (!at.outputs.has(key)) at.outputs.set(key, output);
  at.keepsOriginal ||= keepsOriginal;
}

/** Splits at a separator that no backslash stands before; empty parts are no parts. */
function splitUnescaped(text: string, separator: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith(separator, i)) {
      parts.push(part);
      part = "";
      i += separator.length - 1;
    } else if (text[i] === "\\" && i + 1 < text.length) {
      part += text.slice(i, i + 2);
      i++;
    } else part += text[i];
  }
  parts.push(part);
  return parts.filter((value) => value !== "");
}

const unescaped = (text: string) => text.replace(/\\(.)/gs, "$1");

export interface SynonymOptions {
  rules: readonly string[];
  /** Equivalent words stand for each other; otherwise all stand for the first. */
  expand: boolean;
  /** The rules may be changed later. */
  updateable: boolean;
  /** Leaves out terms that the chain refuses or drops. */
  lenient: boolean;
}

/** Reads the rules; their terms go through the same chain as the text. A lenient reader leaves out the terms that do not get through. */
function parseRules({ rules, expand, lenient }: SynonymOptions, analyze: (text: string) => string[]): Entry {
  const root = entry();
  const read = (text: string): string[] => {
    try {
      return analyze(text);
    } catch (error) {
      if (lenient && error instanceof EngineError && error.type === "illegal_argument_exception") return [];
      throw error;
    }
  };
  const addRule = (input: readonly string[], output: string[], keepsOriginal: boolean) => {
    if (input.length > 0 && output.length > 0) add(root, input, output, keepsOriginal);
  };
  // A line break within a rule ends it.
  const lines = rules.join("\n").split(/\r\n|\r|\n/);
  lines.forEach((rule, line) => {
    if (rule === "" || rule.startsWith("#")) return;
    try {
      const sides = splitUnescaped(rule, "=>");
      if (sides.length > 2) throw illegalArgument("more than one explicit mapping specified on the same line");
      // An arrow without a side is part of a word.
      const [inputs, outputs] = (sides.length === 2 ? sides : [rule]).map((side) =>
        splitUnescaped(side, ",").map((part) => read(unescaped(part).trim())),
      );
      if (outputs !== undefined) {
        for (const input of inputs) for (const output of outputs) addRule(input, output, false);
      } else if (expand) {
        inputs.forEach((input, i) => {
          inputs.forEach((output, j) => {
            if (i !== j) addRule(input, output, true);
          });
        });
      } else for (const input of inputs) addRule(input, inputs[0], false);
    } catch (cause) {
      if (!(cause instanceof EngineError) || cause.type === "unsupported_feature_exception") throw cause;
      throw illegalArgument("failed to build synonyms", {
        cause: new EngineError("parse_exception", `Invalid synonym rule at line ${line + 1}`, { cause }),
      });
    }
  });
  return root;
}

/** Terms of a rule. Each must be one position after its predecessor. */
function analyzer(
  charFilters: readonly CharFilter[],
  tokenizer: Tokenizer,
  filters: readonly TokenFilter[],
): (text: string) => string[] {
  return (text) => {
    const terms: string[] = [];
    runChain(charFilters, tokenizer, filters, text, (term, _start, _end, increment, length) => {
      if (term === "") throw illegalArgument(`term: ${text} analyzed to a zero-length token`);
      if (increment !== 1) {
        throw illegalArgument(
          `term: ${text} analyzed to a token (${term}) with position increment != 1 (got: ${increment})`,
        );
      }
      if (length !== 1)
        throw illegalArgument(`term: ${text} analyzed to a token (${term}) with position length != 1 (got: ${length})`);
      terms.push(term);
    });
    if (terms.length === 0) throw illegalArgument(`term: ${text} was completely eliminated by analyzer`);
    return terms;
  };
}

interface Held {
  term: string;
  start: number;
  end: number;
  increment: number;
  length: number;
  type: string;
  keyword: boolean;
}

/** The longest rule that begins at a token. */
function longestMatch(root: Entry, tokens: readonly Held[], from: number): { found: Entry; count: number } | undefined {
  let at: Entry | undefined = root;
  let match: { found: Entry; count: number } | undefined;
  for (let i = from; i < tokens.length; i++) {
    at = at.next.get(tokens[i].term);
    if (at === undefined) break;
    if (at.outputs !== undefined) match = { found: at, count: i - from + 1 };
  }
  return match;
}

/**
 * Lucene's SynonymGraphFilter: positions are nodes of a graph; a match adds a path for each synonym, and the tokens' position lengths say
 * where their paths join again. Gaps before a match are lost, as they are in Lucene.
 */
function graphStage(root: Entry, { push, end }: Stage): Stage {
  const tokens: Held[] = [];
  return {
    push: (term, start, stop, increment, length, type, keyword) => {
      tokens.push({ term, start, end: stop, increment, length, type, keyword });
    },
    end(increment, offset) {
      let last = -1;
      let free = 0;
      for (let i = 0; i < tokens.length; ) {
        const match = longestMatch(root, tokens, i);
        if (match === undefined) {
          const t = tokens[i++];
          last += t.increment;
          free = last + t.length;
          push(t.term, t.start, t.end, t.increment, t.length, t.type, t.keyword);
          continue;
        }
        const matched = tokens.slice(i, i + match.count);
        const { start } = matched[0];
        const stop = matched[matched.length - 1].end;
        const paths: Held[][] = [...(match.found.outputs as Map<string, string[]>).values()].map((terms) =>
          terms.map((term) => ({ term, start, end: stop, increment: 1, length: 1, type: "SYNONYM", keyword: false })),
        );
        if (match.found.keepsOriginal) paths.push(matched);
        const from = free;
        // Each path but its first node has nodes of its own, numbered path by path.
        const to = from + 1 + paths.reduce((sum, path) => sum + path.length - 1, 0);
        const pushAt = (t: Held, node: number, next: number) => {
          push(t.term, t.start, t.end, node - last, next - node, t.type, t.keyword);
          last = node;
        };
        let inner = from + 1;
        const firstInner = paths.map((path) => {
          const first = inner;
          inner += path.length - 1;
          return first;
        });
        paths.forEach((path, p) => {
          pushAt(path[0], from, path.length === 1 ? to : firstInner[p]);
        });
        paths.forEach((path, p) => {
          for (let k = 1; k < path.length; k++) {
            const node = firstInner[p] + k - 1;
            pushAt(path[k], node, k === path.length - 1 ? to : node + 1);
          }
        });
        free = to;
        i += match.count;
      }
      return end(increment, offset);
    },
  };
}

/** Synonyms that start at one token of the text. */
interface Slot {
  matched: boolean;
  keepsOriginal: boolean;
  /** Terms with the end of their match where they are its only one, and the positions that they span. */
  readonly outputs: { term: string; end: number | undefined; length: number }[];
}

const slot = (): Slot => ({ matched: false, keepsOriginal: false, outputs: [] });

/**
 * Lucene's SynonymFilter, which knows no graph: the terms of a synonym are laid over the tokens from the match's first one on, one beside
 * the other, and may reach over what follows the match and over the end of the text.
 */
function flatStage(root: Entry, { push, end }: Stage): Stage {
  const tokens: Held[] = [];
  return {
    push: (term, start, stop, increment, length, type, keyword) => {
      tokens.push({ term, start, end: stop, increment, length, type, keyword });
    },
    end(increment, offset) {
      const slots: Slot[] = [];
      const slotAt = (index: number) => (slots[index] ??= slot());
      const emit = (index: number) => {
        const token = tokens[index] as Held | undefined;
        const { matched, keepsOriginal, outputs } = slotAt(index);
        let step = 1;
        if (token !== undefined && (keepsOriginal || !matched)) {
          push(token.term, token.start, token.end, token.increment, token.length, token.type, token.keyword);
          step = 0;
        }
        // Terms beyond the end have the offsets of the last token.
        const at = token ?? tokens[tokens.length - 1];
        for (const output of outputs) {
          const stop = token === undefined ? at.end : (output.end ?? at.end);
          push(output.term, at.start, stop, step, token === undefined ? 1 : output.length, "SYNONYM", false);
          step = 0;
        }
      };
      for (let i = 0; i < tokens.length; ) {
        const match = longestMatch(root, tokens, i);
        if (match === undefined) {
          emit(i++);
          continue;
        }
        const { found, count } = match;
        const single = { end: tokens[i + count - 1].end, length: found.keepsOriginal ? count : 1 };
        for (const terms of (found.outputs as Map<string, string[]>).values()) {
          terms.forEach((term, k) => {
            slotAt(i + k).outputs.push({ term, ...(terms.length === 1 ? single : { end: undefined, length: 1 }) });
          });
        }
        for (let k = 0; k < count; k++) {
          slotAt(i + k).matched = true;
          slotAt(i + k).keepsOriginal ||= found.keepsOriginal;
        }
        for (const last = i + count; i < last; i++) emit(i);
      }
      for (let i = tokens.length; i < slots.length; i++) emit(i);
      return end(increment, offset);
    },
  };
}

/**
 * The filter for a place in a chain.
 *
 * @param graph `synonym_graph`, otherwise `synonym`
 */
export function synonymFilter(
  name: string,
  graph: boolean,
  options: SynonymOptions,
  charFilters: readonly CharFilter[],
  tokenizer: Tokenizer,
  before: readonly TokenFilter[],
): TokenFilter {
  for (const filter of before) {
    if (filter.severalTokens === true)
      throw illegalArgument(`Token filter [${filter.name}] cannot be used to parse synonyms`);
  }
  // The synonyms of a `synonym` filter before these are not applied to the rules; those of a graph are.
  const filters = before.filter((filter) => filter.synonyms !== true).map((filter) => filter.forSynonyms ?? filter);
  const root = parseRules(options, analyzer(charFilters, tokenizer, filters));
  return {
    name,
    ...(graph ? {} : { synonyms: true }),
    ...(options.updateable ? { searchTimeOnly: true } : {}),
    create: (next) => (root.next.size === 0 ? next : graph ? graphStage(root, next) : flatStage(root, next)),
  };
}
