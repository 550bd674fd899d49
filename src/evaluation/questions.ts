/**
 * Questions with what answers them, a JSON object a line:
 *
 *   {"id": "q1", "question": "年休假有几天？", "relevant": ["docs/leave.md#年休假天数"], "answer": "七天"}
 *
 * `relevant` names what should be found: a file (as `list` shows it, or the end of its path, with or without its extension), a file and a heading in
 * it, a document's id, or `passage:ID`; as an object it holds grades ({"docs/leave.md": 2}). `sections` of files named after sections is the same,
 * below a folder named `lang` where there is one. `id` is the line's number where none is given; `answer` is what judges compare with.
 */
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { type NodeWithScore, sourceId } from "../schema/index.ts";
import { TestCollectionError } from "./beir.ts";
import type { Judgements } from "./measures.ts";

/** A question of a question set or a test collection. */
export interface Question {
  id: string;
  text: string;
  /** What a good answer says. */
  answer?: string;
  /** Language, where the set has several. */
  lang?: string;
  /** Kind of question, for tables by kind. */
  kind?: string;
}

/** Questions, as a file or a folder held them. */
export interface QuestionSet {
  questions: Question[];
  /** Question id → what is relevant → how much. */
  qrels: Map<string, Map<string, number>>;
}

const LINE = z
  .object({
    id: z.union([z.string().min(1), z.number().transform(String)]).optional(),
    question: z.string().trim().min(1),
    relevant: z.union([z.string().min(1), z.array(z.string().min(1)), z.record(z.string().min(1), z.int())]).optional(),
    sections: z.array(z.string().min(1)).optional(),
    answer: z.string().optional(),
    lang: z.string().optional(),
    kind: z.string().optional(),
  })
  .refine(({ relevant, sections }) => relevant !== undefined || sections !== undefined, {
    message: 'says nothing of what answers it: "relevant" names files',
  });

/** @throws TestCollectionError for a line that is none of these, or an id that comes twice */
/** Reads a set of questions: a JSON object a line. Throws with the line of what cannot be read. */
export async function readQuestions(file: string): Promise<QuestionSet> {
  const set: QuestionSet = { questions: [], qrels: new Map() };
  (await readFile(file, "utf8")).split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === "") return;
    const { id = String(i + 1), question: text, relevant, sections, ...rest } = parsedLine(line, file, i + 1);
    if (set.qrels.has(id)) throw new TestCollectionError(file, i + 1, `the id ${id} comes twice`);
    set.questions.push({ id, text, ...rest });
    set.qrels.set(id, judgementsOf(relevant, sections, rest.lang));
  });
  if (set.questions.length === 0) throw new TestCollectionError(file, 1, "it holds no question");
  return set;
}

function parsedLine(line: string, file: string, number: number): z.output<typeof LINE> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new TestCollectionError(file, number, (error as Error).message);
  }
  const parsed = LINE.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new TestCollectionError(file, number, path.length > 0 ? `"${path.join(".")}": ${message}` : message);
}

function judgementsOf(
  relevant: z.output<typeof LINE>["relevant"],
  sections: string[] = [],
  lang?: string,
): Map<string, number> {
  const folder = lang === undefined ? "" : `${lang}/`;
  const named = typeof relevant === "string" ? [relevant] : Array.isArray(relevant) ? relevant : [];
  const grades = typeof relevant === "object" && !Array.isArray(relevant) ? Object.entries(relevant) : [];
  const ones = [...named, ...sections.map((section) => folder + section)].map((name) => [name, 1] as const);
  return new Map<string, number>([...ones, ...grades]);
}

/** Before a passage's own id in `relevant`. */
const PASSAGE = "passage:";

/**
 * Which of the judged things a passage is: itself, a heading of its file, its document or its file. A passage that is none of them counts for
 * its own place of the finest kind that is judged, so that ranks are counted alike whether a question's passages are found or not.
 */
export function judgedName({ node }: NodeWithScore, judgements: Judgements): string | undefined {
  const { file, heading } = node.metadata;
  const source = sourceId(node);
  const title = typeof heading === "string" ? heading : undefined;
  const places = [...(typeof file === "string" ? pathEnds(file) : []), ...(source === undefined ? [] : [source])];
  const names = [
    PASSAGE + node.id,
    ...(title === undefined ? [] : places.map((place) => `${place}#${title}`)),
    ...places,
  ];
  const known = names.find((name) => judgements.has(name));
  if (known !== undefined) return known;
  const judged = [...judgements.keys()];
  if (judged.some((name) => name.startsWith(PASSAGE))) return PASSAGE + node.id;
  const place = source ?? places[0];
  return title !== undefined && judged.some((name) => name.includes("#")) ? `${place}#${title}` : place;
}

/** `a/b/c.md` → itself, `a/b/c`, `b/c.md`, `b/c`, `c.md`, `c`. */
export function pathEnds(file: string): string[] {
  const parts = file.replaceAll("\\", "/").split("/");
  return parts.flatMap((_, i) => {
    const end = parts.slice(i).join("/");
    const bare = end.replace(/(?<=[^/])\.[^./]+$/, "");
    return bare === end ? [end] : [end, bare];
  });
}
