/** Synonyms: rules in Solr's format, and the filters that apply them. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { type CharFilter, runChain, type Stage, type TokenFilter, type Tokenizer } from "../chain.ts";

/** What a term, or a sequence of terms, stands for. */
interface Entry {
  readonly next: Map<string, Entry>;
  /** Sequences of terms, in the order of the rules; undefined where no rule ends. */
  outputs: string[][] | undefined;
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
  at.outputs ??= [];
  if (!at.outputs.some((known) => known.join("\0") === output.join("\0"))) at.outputs.push(output);
  at.keepsOriginal ||= keepsOriginal;
}

/** Splits at a separator that no backslash stands before. */
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
  // Empty parts are no parts, but for an empty side of an arrow.
  return separator === "," ? parts.filter((value, i) => value !== "" || (i === 0 && parts.length === 1)) : parts;
}

const unescaped = (text: string) => text.replace(/\\(.)/gs, "$1");

export interface SynonymOptions {
  rules: readonly string[];
  /** Equivalent words stand for each other; otherwise all stand for the first. */
  expand: boolean;
  /** Leaves out rules that cannot be read. */
  lenient: boolean;
}

/** Reads the rules; their terms go through the same chain as the text. */
function parseRules({ rules, expand, lenient }: SynonymOptions, analyze: (text: string) => string[]): Entry {
  const root = entry();
  rules.forEach((rule, line) => {
    if (rule === "" || rule.startsWith("#")) return;
    try {
      const sides = splitUnescaped(rule, "=>");
      if (sides.length > 2) throw illegalArgument("more than one explicit mapping specified on the same line");
      const [inputs, outputs] = sides.map((side) =>
        splitUnescaped(side, ",").map((part) => analyze(unescaped(part).trim())),
      );
      if (outputs !== undefined) {
        for (const input of inputs) for (const output of outputs) add(root, input, output, false);
      } else if (expand) {
        inputs.forEach((input, i) => {
          inputs.forEach((output, j) => {
            if (i !== j) add(root, input, output, true);
          });
        });
      } else for (const input of inputs) add(root, input, inputs[0], false);
    } catch (cause) {
      if (!(cause instanceof EngineError) || cause.type === "unsupported_feature_exception") throw cause;
      if (lenient) return;
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
        const paths: Held[][] = (match.found.outputs as string[][]).map((terms) =>
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

/** Synonyms of single words at the word's own position: Lucene's SynonymFilter where no rule has several words. */
function flatStage(root: Entry, { push, end }: Stage): Stage {
  return {
    push(term, start, stop, increment, length, type, keyword) {
      const found = root.next.get(term);
      if (found?.outputs === undefined) {
        push(term, start, stop, increment, length, type, keyword);
        return;
      }
      let step = increment;
      if (found.keepsOriginal) {
        push(term, start, stop, step, length, type, keyword);
        step = 0;
      }
      for (const [synonym] of found.outputs) {
        push(synonym, start, stop, step, 1, "SYNONYM", false);
        step = 0;
      }
    },
    end,
  };
}

function hasPhrases(at: Entry, depth = 0): boolean {
  if (at.outputs?.some((output) => output.length > 1)) return true;
  for (const next of at.next.values()) if (depth > 0 || hasPhrases(next, depth + 1)) return true;
  return false;
}

/**
 * The filter for a place in a chain.
 *
 * @param graph `synonym_graph`; otherwise `synonym`, which takes single words only
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
  // Synonyms before these are not applied to the rules.
  const filters = before.filter((filter) => filter.synonyms !== true);
  const root = parseRules(options, analyzer(charFilters, tokenizer, filters));
  if (!graph && hasPhrases(root)) throw unsupported("synonym filter with rules of several words (use synonym_graph)");
  return {
    name,
    synonyms: true,
    create: (next) => (root.next.size === 0 ? next : graph ? graphStage(root, next) : flatStage(root, next)),
  };
}
