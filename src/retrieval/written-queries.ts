/** Questions that a language model writes beside the user's, for fusion. */
import {
  type AnswerLanguage,
  askModel,
  type CallOptions,
  inLanguage,
  type LanguageModel,
  type PromptOption,
  questionLanguage,
  type Verbose,
} from "../schema/index.ts";

/** `{num_queries}` and `{query}` are filled in. */
export const QUERY_PROMPT: Readonly<Record<AnswerLanguage, string>> = {
  en:
    "Write {num_queries} search queries that together cover what the question below asks for: other words for the same thing, and the parts " +
    "it consists of. One query a line, in the question's language, without numbers or remarks.\n\nQuestion: {query}\nQueries:\n",
  zh:
    "写 {num_queries} 个搜索词句，合起来覆盖下面问题所问的内容：同一件事的其他说法，以及问题的各个部分。每行一个，用提问的语言，" +
    "不要编号和说明。\n\n问题：{query}\n搜索词句：\n",
};

/** Asks the model for `count` queries and reads them from its answer. */
export async function writeQueries(
  model: LanguageModel,
  query: string,
  count: number,
  template: PromptOption,
  options: CallOptions,
  verbose?: Verbose,
): Promise<string[]> {
  const values = { num_queries: String(count), query };
  const prompt = inLanguage(template, questionLanguage(query));
  return parseQueries(await askModel({ model, prompt, values, purpose: "queries", verbose }, options), count);
}

/** Characters of a query: what is longer is something else. */
const LONGEST = 1000;

const LIST_MARK = /^(?:[-*+•·▪◦●]\s*|\(?\d{1,3}[.)、．：:](?!\d)\s*|\d{1,3}\s*[-–—]\s+)/;
const QUOTES: Record<string, string> = {
  '"': '"',
  "'": "'",
  "“": "”",
  "‘": "’",
  "「": "」",
  "『": "』",
  "`": "`",
  "《": "》",
};
/** A fence, with the name of a language or without. */
const FENCE = /^```[a-z]{0,12}$/;

/**
 * The queries in a model's answer, one a line, `count` at most. What models put around them is taken off: fences with their language,
 * numbers and bullets, quotation marks, and a first line that only announces what follows.
 */
export function parseQueries(answer: string, count: number): string[] {
  const lines = answer
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => !FENCE.test(line))
    .map((line) => line.replace(/^`+|`+$/g, "").trim())
    .filter((line) => line !== "");
  const announced = lines.length > 1 && /[:：]$/.test(lines[0]!);
  return (announced ? lines.slice(1) : lines)
    .map((line) => unquoted(line.replace(LIST_MARK, "").trim()))
    .filter((line) => line !== "" && line.length <= LONGEST)
    .slice(0, Math.max(0, count));
}

function unquoted(line: string): string {
  const close = QUOTES[line[0] ?? ""];
  return close && line.length > 1 && line.endsWith(close) ? line.slice(1, -1).trim() : line;
}
