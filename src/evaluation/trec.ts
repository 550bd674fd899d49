/**
 * trec_eval's files. A run has lines of question, `Q0`, document, rank, score and the run's name; qrels have lines of question, `0`, document and
 * relevance. What a run says of ranks is not looked at: documents are ordered by score, as trec_eval does.
 */
import { readFile } from "node:fs/promises";
import { TestCollectionError } from "./beir.ts";
import type { Qrels, Run } from "./evaluate.ts";

/** Bytes of names are compared in this order. */
const bytes = new TextEncoder();

/** Documents by score, best first. Scores are float32, and of equal ones the document with the greater name (by bytes) comes first. */
export function trecOrder(scores: Iterable<readonly [string, number]>): string[] {
  const entries = [...scores].map(([id, score]) => ({ id, score: Math.fround(score), name: bytes.encode(id) }));
  return entries.sort((a, b) => b.score - a.score || compareBytes(b.name, a.name)).map(({ id }) => id);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}

/** A run's file. @throws TestCollectionError for a line that is none of a run, or a document that comes twice */
export async function readTrecRun(file: string): Promise<Map<string, string[]>> {
  const scores = new Map<string, Map<string, number>>();
  for (const { number, fields } of lines(await readFile(file, "utf8"))) {
    const [query, , doc, rank, score] = fields;
    if (fields.length !== 6 || !Number.isFinite(Number(score)) || !Number.isFinite(Number(rank)))
      throw new TestCollectionError(file, number, "a line of a run is: question Q0 document rank score name");
    const known = scores.get(query!) ?? new Map<string, number>();
    if (known.has(doc!)) throw new TestCollectionError(file, number, `${doc} comes twice for ${query}`);
    scores.set(query!, known.set(doc!, Number(score)));
  }
  return new Map([...scores].map(([query, found]) => [query, trecOrder(found)]));
}

/** Qrels' file. @throws TestCollectionError for a line that is none */
export async function readTrecQrels(file: string): Promise<Map<string, Map<string, number>>> {
  const qrels = new Map<string, Map<string, number>>();
  for (const { number, fields } of lines(await readFile(file, "utf8"))) {
    const [query, , doc, relevance] = fields;
    if (fields.length !== 4 || !Number.isInteger(Number(relevance)))
      throw new TestCollectionError(file, number, "a line of qrels is: question 0 document and a whole number");
    qrels.set(query!, (qrels.get(query!) ?? new Map<string, number>()).set(doc!, Number(relevance)));
  }
  return qrels;
}

/** A run as trec_eval reads it. Scores count down from the length of each ranking, so that no two are equal and the order is kept. */
export function trecRun(run: Run, name: string): string {
  const tag = trecName(name);
  const rows = [...run].flatMap(([query, ranking]) =>
    ranking.map((doc, i) => `${trecName(query)} Q0 ${trecName(doc)} ${i + 1} ${ranking.length - i} ${tag}\n`),
  );
  return rows.join("");
}

/** Qrels as trec_eval reads them. */
export function trecQrels(qrels: Qrels): string {
  return [...qrels]
    .flatMap(([query, judgements]) =>
      [...judgements].map(([doc, relevance]) => `${trecName(query)} 0 ${trecName(doc)} ${relevance}\n`),
    )
    .join("");
}

/** A name as it stands in these files, where white space divides: each such character is written as in an address (`%20`). */
export function trecName(name: string): string {
  return name.replace(/\s/gu, encodeURIComponent);
}

function* lines(text: string): Generator<{ number: number; fields: string[] }> {
  let number = 0;
  for (const line of text.split(/\r?\n/)) {
    number++;
    if (line.trim() !== "") yield { number, fields: line.trim().split(/[ \t\r\f\v]+/) };
  }
}
