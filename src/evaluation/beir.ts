/** Test collections in BEIR's layout: corpus.jsonl, queries.jsonl and qrels.tsv in a folder. */
import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Document, document, HuiliuError } from "../schema/index.ts";
import type { Question } from "./questions.ts";

/** A test collection that cannot be read. Code `TEST_COLLECTION_INVALID`. */
export class TestCollectionError extends HuiliuError {
  readonly file: string;
  constructor(file: string, line: number, message: string) {
    super("TEST_COLLECTION_INVALID", `${file}:${line}: ${message}`);
    this.file = file;
  }
}

/** Whether a folder has this layout. */
export function isBeir(folder: string): boolean {
  return ["corpus.jsonl", "queries.jsonl"].every((name) => existsSync(join(folder, name)));
}

/** The documents of a corpus, in order, each under its id; a title stands above its text. */
export async function* beirDocuments(folder: string): AsyncGenerator<Document> {
  for await (const { id, title, text } of jsonLines(join(folder, "corpus.jsonl"))) {
    yield document({ id, text: title ? `${title}\n\n${text}` : text });
  }
}

/** Reads the questions of a folder in BEIR's layout. */
export async function beirQuestions(folder: string): Promise<Question[]> {
  const questions: Question[] = [];
  for await (const { id, text } of jsonLines(join(folder, "queries.jsonl"))) questions.push({ id, text });
  return questions;
}

/** Judgements by question, in qrels.tsv or qrels/test.tsv: lines of question, document and relevance, below a line of titles. */
export async function beirQrels(folder: string): Promise<Map<string, Map<string, number>>> {
  const file = ["qrels.tsv", join("qrels", "test.tsv")]
    .map((name) => join(folder, name))
    .find((path, i) => i === 1 || existsSync(path))!;
  const qrels = new Map<string, Map<string, number>>();
  (await readFile(file, "utf8")).split(/\r?\n/).forEach((line, i) => {
    if (i === 0 || line === "") return;
    const [query, doc, score, ...rest] = line.split("\t");
    const relevance = Number(score);
    if (!query || !doc || !score || rest.length > 0 || !Number.isInteger(relevance))
      throw new TestCollectionError(file, i + 1, "a line is question, document and a whole number, between tabs");
    const judgements = qrels.get(query) ?? new Map<string, number>();
    qrels.set(query, judgements.set(doc, relevance));
  });
  return qrels;
}

async function* jsonLines(file: string): AsyncGenerator<{ id: string; title: string; text: string }> {
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === "") continue;
    yield parsedLine(line, file, number);
  }
}

function parsedLine(line: string, file: string, number: number): { id: string; title: string; text: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new TestCollectionError(file, number, (error as Error).message);
  }
  const { _id: id, title = "", text } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || typeof text !== "string" || typeof title !== "string")
    throw new TestCollectionError(file, number, 'a line needs "_id" and "text", which are strings');
  return { id, title, text };
}
