/**
 * Reads rankings as language models write them: the lines that were asked for, or numbered and bulleted lists, tables, JSON, "8/10",
 * Chinese words and signs, an order without marks ("[3] > [1]"), in a code block, with sentences before and after.
 */

export interface Marked {
  /** As the passage was numbered, from 1. */
  number: number;
  /** 0 … 10. */
  score: number;
}

const MOST = 10;
/** A number's label, and the number. */
const LABELLED =
  /(?:doc(?:ument)?s?|passages?|sources?|texts?|文档|文件|段落|资料|片段|第)\s*(?:no\.?|id|number|编号)?["'*_`\s]*[#:：.=-]?["'*_`\s]*[[(（]?(\d{1,6})(?![\d.])[\])）]?|[[【](\d{1,6})[\]】]/giu;
/** A mark with its label; or the first number that follows. */
const SCORE_LABELLED =
  /(?:relevance|relevancy|score|rating|mark|相关性|相关度|相关|得分|分数|评分|打分)[^\d\n-]{0,20}(\d+(?:\.\d+)?)\s*(%)?/iu;
const NUMBER = /(\d+(?:\.\d+)?)\s*(%)?/u;
/** "3: 8", "3. 8/10", "| 3 | 8 |", "- 3 — 7.5": a line of two numbers. */
const PAIR =
  /^[\s|*_>#•·-]*(\d{1,6})["'*_`\s]*(?:[:：.)）|,，=—–-]|->|→|\s)[\s|*_=:：.—–>-]*(?:relevance|score|相关性|得分)?[\s:：=]*(\d+(?:\.\d+)?)\s*(%)?(?:\s*(?:\/|out of)\s*\d+)?\s*(?:分|points?)?[\s|*_.,;，；。]*$/iu;
/** Numbers with nothing but signs between them. */
const ORDER =
  /^[\s[\](（）)*_.>＞→,，、;；-]*\d{1,6}(?:[\s[\](（）)*_>＞→,，、;；=-]+\d{1,6})*[\s[\](（）)*_.,，。;；]*$/u;
const NONE =
  /(?:^|[^\p{L}])(?:none|no (?:relevant|helpful|matching)|nothing|not? (?:any|one)|n\/a)(?:$|[^\p{L}])|没有|无相关|均不相关|都不|^\s*无\s*[。.]?\s*$/iu;

/** The marks in the order of the answer, each passage once; an empty list for "none"; undefined for what cannot be understood. */
export function parseRanking(answer: string, count: number): Marked[] | undefined {
  const text = answer.replace(/```[a-z]*\n?/gi, "").trim();
  const found = fromJson(text) ?? fromLabels(text) ?? fromPairs(text) ?? fromOrder(text);
  const valid = new Map<number, number>();
  for (const { number, score } of found ?? []) {
    if (Number.isInteger(number) && number >= 1 && number <= count && Number.isFinite(score) && !valid.has(number))
      valid.set(number, Math.min(MOST, Math.max(0, score)));
  }
  if (valid.size > 0) return [...valid].map(([number, score]) => ({ number, score }));
  return /^\[\s*\]$|^\{\s*\}$/.test(text) || NONE.test(text) ? [] : undefined;
}

/** Marks out of a hundred count a tenth. */
function scored(text: string, percent: string | undefined): number {
  const score = Number(text);
  return percent || score > MOST ? score / 10 : score;
}

function fromJson(text: string): Marked[] | undefined {
  const start = text.search(/[[{]/);
  if (start < 0) return undefined;
  const end = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start, end + 1));
  } catch {
    return fromJsonLines(text);
  }
  // "[3] 8/10" is a label and a mark.
  const bare = Array.isArray(value) && value.every((item) => typeof item === "number");
  return bare && /\d/.test(text.slice(0, start) + text.slice(end + 1)) ? undefined : marksOf(value);
}

/** One JSON object a line. */
function fromJsonLines(text: string): Marked[] | undefined {
  const marks: Marked[] = [];
  for (const line of text.split("\n")) {
    if (!line.trim().startsWith("{")) continue;
    try {
      marks.push(...(marksOf([JSON.parse(line.trim().replace(/,$/, ""))]) ?? []));
    } catch {
      // Not JSON, and so not for this reader.
    }
  }
  return marks.length > 0 ? marks : undefined;
}

function marksOf(value: unknown): Marked[] | undefined {
  if (Array.isArray(value)) {
    // A list of numbers is an order.
    if (value.length > 0 && value.every((item) => typeof item === "number")) return inOrder(value);
    const marks = value.map(markOf);
    return marks.length > 0 && marks.every((mark) => mark !== undefined) ? marks : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const single = markOf(value);
  if (single) return [single];
  const entries = Object.entries(value);
  const inner = entries.find(([, item]) => Array.isArray(item));
  if (inner) return marksOf(inner[1]);
  const marks = entries.map(([key, score]) => ({ number: Number(/\d+/.exec(key)?.[0]), score: Number(score) }));
  return marks.length > 0 && marks.every(({ number, score }) => !Number.isNaN(number + score)) ? marks : undefined;
}

function markOf(item: unknown): Marked | undefined {
  if (Array.isArray(item)) return item.length === 2 ? mark(item[0], item[1]) : undefined;
  if (typeof item !== "object" || item === null) return undefined;
  const field = (pattern: RegExp) => Object.entries(item).find(([key]) => pattern.test(key))?.[1] as unknown;
  return mark(
    field(/^(doc|document|passage|id|index|number|source|文档|编号)/i),
    field(/relevan|score|rating|mark|相关|得分|分数|评分/i),
  );
}

function mark(number: unknown, score: unknown): Marked | undefined {
  const parsed = { number: Number(/\d+/.exec(String(number))?.[0]), score: scored(String(score), undefined) };
  return Number.isNaN(parsed.number + parsed.score) ? undefined : parsed;
}

/** "Doc 3 … 8": each label rules up to the next. Labels without any mark are an order. */
function fromLabels(text: string): Marked[] | undefined {
  const labels = [...text.matchAll(LABELLED)];
  const marks: Marked[] = [];
  const order: number[] = [];
  for (const [i, label] of labels.entries()) {
    const number = Number(label[1] ?? label[2]);
    order.push(number);
    const rest = text.slice(label.index + label[0].length, labels[i + 1]?.index ?? text.length);
    const said = SCORE_LABELLED.exec(rest) ?? NUMBER.exec(rest.split("\n")[0]!.replace(/\d+[.)]\s*$/, ""));
    if (said) marks.push({ number, score: scored(said[1]!, said[2]) });
  }
  if (marks.length > 0) return marks;
  return order.length > 0 ? inOrder(order) : undefined;
}

function fromPairs(text: string): Marked[] | undefined {
  const marks: Marked[] = [];
  for (const line of text.split("\n")) {
    const pair = PAIR.exec(line);
    if (pair) marks.push({ number: Number(pair[1]), score: scored(pair[2]!, pair[3]) });
  }
  return marks.length > 0 ? marks : undefined;
}

function fromOrder(text: string): Marked[] | undefined {
  const numbers = text
    .split("\n")
    .filter((line) => ORDER.test(line))
    .flatMap((line) => line.match(/\d+/g)!.map(Number));
  return numbers.length > 0 ? inOrder(numbers) : undefined;
}

/** Marks for an order: from the most downwards, none of them 0. */
function inOrder(numbers: readonly number[]): Marked[] {
  return numbers.map((number, i) => ({ number, score: MOST - (MOST * i) / (numbers.length + 1) }));
}
