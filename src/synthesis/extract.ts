/**
 * The answer without a language model: the sentences of the found passages that answer best, word for word, each with the number of its
 * source. It says of itself that it is an extract (`kind: "extract"`).
 */
import { sentences } from "../ingest/sentences.ts";
import {
  type CallOptions,
  cosine,
  type EmbeddingModel,
  type NodeWithScore,
  numberSources,
  type Response,
  response,
  type Source,
} from "../schema/index.ts";
import { emptyAnswer } from "./empty.ts";
import { quantityAsked, statesQuantity } from "./quantity.ts";
import { questionTerms, termWeights } from "./terms.ts";

/** Shares of the three signs that a sentence answers: the question's words, its meaning, and the rank of its passage. */
const WORDS = 0.45;
const MEANING = 0.4;
const PASSAGE = 0.15;
/** Weight of a word that only the heading has. */
const HEADING = 0.75;
/** How much more the words and meaning of a sentence count that has a number where the question asks for one. */
const QUANTITY = 0.6;

/** Sentences below this share of the best one's score are left out. */
const RELATIVE_CUTOFF = 0.72;
/** Two sentences this close say the same. */
const SAME_MEANING = 0.93;
/** Bounds of the work on hostile input: sentences looked at, and characters of each. */
const MAX_CANDIDATES = 400;
const MAX_SENTENCE = 600;

/** How sentences are chosen for an extract. */
export interface ExtractOptions extends CallOptions {
  question: string;
  nodes: NodeWithScore[];
  /** Compares meanings. Without one only words and ranks count. */
  embedding?: EmbeddingModel;
  /** Default 3. */
  maxSentences?: number;
}

interface Candidate {
  text: string;
  source: Source;
  /** Place among the source's sentences. */
  position: number;
  /** The heading that stands over it, which belongs to what it says. */
  context: string;
  score: number;
  vector?: Float32Array;
}

/** An answer without a model: sentences of the nodes, word for word, with the numbers of their sources. */
export async function extractiveAnswer(options: ExtractOptions): Promise<Response> {
  const { question, nodes, maxSentences = 3, signal } = options;
  const sources = numberSources(nodes);
  const candidates = sources.flatMap(sourceSentences).slice(0, MAX_CANDIDATES);
  if (candidates.length === 0) return emptyAnswer(question);
  scoreByWords(question, candidates);
  await scoreByMeaning(options, candidates);
  const units = quantityAsked(question);
  const best = Math.max(...nodes.map((item) => item.score ?? 0));
  for (const candidate of candidates) {
    if (units) candidate.score *= 1 + QUANTITY * statesQuantity(candidate.text, units);
    if (best > 0) candidate.score += (PASSAGE * (candidate.source.score ?? 0)) / best;
  }
  signal?.throwIfAborted();
  const chosen = choose(candidates, maxSentences);
  return response({ text: written(chosen), sources, kind: "extract", metadata: { cited: cited(chosen) } });
}

/** The sentences of a passage, without markup that only a renderer understands; headings give context and are not answers. */
function sourceSentences(source: Source): Candidate[] {
  const { text } = source.node;
  const out: Candidate[] = [];
  let context = source.heading ?? "";
  sentences(text).forEach(({ start, end }, position) => {
    for (const line of text.slice(start, end).split("\n")) {
      const heading = /^\s*#{1,6}\s+(.+)$/.exec(line);
      if (heading) {
        context = heading[1]!.trim();
        continue;
      }
      const plain = plainText(line);
      // A line without a letter or a digit says nothing.
      if (/[\p{L}\p{N}]/u.test(plain))
        out.push({ text: plain.slice(0, MAX_SENTENCE), source, position, context, score: 0 });
    }
  });
  return out;
}

/** A line of Markdown as it reads: no list marks, emphasis, rules or link targets. */
function plainText(line: string): string {
  return line
    .replace(/^\s*(?:[-*+>]|\d{1,3}[.)])\s+/, "")
    .replace(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)/g, "$1")
    .replace(/(\*\*|__|`)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function scoreByWords(question: string, candidates: Candidate[]): void {
  const terms = questionTerms(question);
  const texts = candidates.map((item) => new Set(questionTerms(item.text)));
  const contexts = candidates.map((item) => new Set(questionTerms(item.context)));
  const weights = termWeights(terms, texts);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return;
  candidates.forEach((candidate, i) => {
    let found = 0;
    for (const [term, weight] of weights) {
      // What the heading says need not be said again in the sentence; it counts a little less.
      if (texts[i]!.has(term)) found += weight;
      else if (contexts[i]!.has(term)) found += weight * HEADING;
    }
    candidate.score += (WORDS * found) / total;
  });
}

async function scoreByMeaning({ question, embedding, signal }: ExtractOptions, candidates: Candidate[]): Promise<void> {
  if (!embedding) return;
  const call = signal ? { signal } : {};
  const [query] = await embedding.embed([question], { ...call, kind: "query" });
  const size = embedding.maxBatch ?? candidates.length;
  for (let i = 0; i < candidates.length; i += size) {
    const batch = candidates.slice(i, i + size);
    const vectors = await embedding.embed(
      batch.map((item) => item.text),
      { ...call, kind: "document" },
    );
    batch.forEach((candidate, j) => {
      candidate.vector = vectors[j]!;
      candidate.score += MEANING * Math.max(0, cosine(query!, vectors[j]!));
    });
  }
}

/** The best sentences that do not repeat each other, in the order in which they are read. */
function choose(candidates: Candidate[], maxSentences: number): Candidate[] {
  const ranked = [...candidates].sort((a, b) => b.score - a.score);
  const cutoff = ranked[0]!.score * RELATIVE_CUTOFF;
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length >= maxSentences || candidate.score < cutoff) break;
    if (!chosen.some((other) => repeats(candidate, other))) chosen.push(candidate);
  }
  return chosen.sort((a, b) => a.source.n - b.source.n || a.position - b.position);
}

function repeats(a: Candidate, b: Candidate): boolean {
  if (a.text === b.text || a.text.includes(b.text) || b.text.includes(a.text)) return true;
  return a.vector !== undefined && b.vector !== undefined && cosine(a.vector, b.vector) > SAME_MEANING;
}

function written(chosen: Candidate[]): string {
  return chosen.map((item) => `${item.text} [${item.source.n}]`).join("\n");
}

function cited(chosen: Candidate[]): number[] {
  return [...new Set(chosen.map((item) => item.source.n))];
}
