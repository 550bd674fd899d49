/** A passage by its id, or by its file and its number in it: `docs/leave.md#2`. */
import { dslRetriever, filtersToQuery, type StrategyTarget } from "../retrieval/index.ts";
import { type CallOptions, HuiliuError, InvalidArgumentError, type NodeWithScore } from "../schema/index.ts";

/** Files that a name may end. */
const MOST_FILES = 5;
const MOST_PASSAGES = 10_000;

/** There is no such passage. Code `PASSAGE_NOT_FOUND`. */
export class PassageNotFoundError extends HuiliuError {
  readonly passage: string;
  constructor(passage: string, index: string) {
    super(
      "PASSAGE_NOT_FOUND",
      `there is no passage "${passage.slice(0, 200)}" in ${index}: give its id (huiliu search --json shows it), or its file and number, such as docs/leave.md#1`,
    );
    this.passage = passage;
  }
}

/** @throws PassageNotFoundError; InvalidArgumentError where several files end like this */
/** Finds a passage by its id, or by `file#n` with n from 1. Throws where there is none. */
export async function findPassage(target: StrategyTarget, passage: string, call: CallOptions): Promise<NodeWithScore> {
  const always = filtersToQuery(target.filters);
  const filter = always ? [always] : [];
  const search = async (query: object, size: number) =>
    dslRetriever(target, () => ({ query: { bool: { filter: [query, ...filter] } }, size }), { follow: false }).retrieve(
      "",
      call,
    );
  const [byId] = passage === "" ? [] : await search({ ids: { values: [passage] } }, 1);
  if (byId) return byId;
  const { file, number } = filePart(passage);
  if (file === "") throw new PassageNotFoundError(passage, target.index);
  const field = "metadata.file.keyword";
  let found = await search({ term: { [field]: { value: file } } }, MOST_PASSAGES);
  if (found.length === 0 && file.length <= 1000) {
    const value = `*/${file.replace(/[\\*?]/g, "\\$&")}`;
    found = await search({ wildcard: { [field]: { value } } }, MOST_PASSAGES);
  }
  const files = [...new Set(found.map(({ node }) => String(node.metadata["file"])))];
  if (files.length > 1) {
    throw new InvalidArgumentError(
      "passage",
      passage,
      `several files end with "${file}": ${files.slice(0, MOST_FILES).join(", ")}${files.length > MOST_FILES ? ", …" : ""}; give more of the path`,
    );
  }
  const place = ({ node }: NodeWithScore) => node.startCharIdx ?? 0;
  const hit = found.sort((a, b) => place(a) - place(b))[number - 1];
  if (!hit) throw new PassageNotFoundError(passage, target.index);
  return hit;
}

function filePart(passage: string): { file: string; number: number } {
  const match = /^(.*)#(\d{1,6})$/s.exec(passage);
  return match ? { file: match[1]!, number: Number(match[2]) } : { file: passage, number: 1 };
}
