/** docs/strategies.md and docs/zh/strategies.md, made from the registry and the examples. */
import { type AnyStrategy, STRATEGIES, STRATEGY_NAMES } from "../../src/catalogue/index.ts";
import { optionRows } from "../../src/cli/commands/strategies.ts";
import { flagOf, valueText } from "../../src/cli/strategy-flags.ts";
import { inChinese, kindInChinese } from "./chinese.ts";
import { STRATEGY_EXAMPLES, type StrategyExample } from "./strategy-examples.ts";

const HEAD = `# Strategies

*Made from the code by \`npm run docs:strategies\`.*

A strategy is a way to search by name, with options of its own. In code they stand beside the options of every search, and TypeScript completes them:

\`\`\`js
await collection.search("带薪婚假", { strategy: "phrase", slop: 1, topK: 5 });
\`\`\`

On the command line they are flags; \`huiliu strategies NAME\` shows them, and \`huiliu search --strategy NAME --help\`. An unknown option is an error that names
the near ones. What a strategy costs or could not do is told through \`onNotice\`, and on standard error.

- Every strategy takes \`topK\`, \`filters\`, \`highlight\`, \`reranker\`, \`rerankDepth\`, \`model\` and \`signal\`.
- Strategies work on strategies: \`of\` and \`strategies\` take a name, or an object \`{ strategy, ...options }\`; on the command line \`phrase:slop=1\`.
- \`strategyRetriever(collection, { strategy })\` is a retriever to compose with other parts.
- \`compareStrategies\` (\`huiliu compare\`) shows several side by side; \`explainHit\` (\`huiliu explain\`) why a passage ranks where it does.
- All find the same on the embedded engine and on Elasticsearch 8: a test compares passages, scores and fragments.
`;

const HEAD_ZH = `# 策略

*由 \`npm run docs:strategies\` 根据代码生成。*

策略是按名称选用的检索方式，各有自己的选项。在代码里，它们与每次检索都有的选项写在一起，TypeScript 会补全：

\`\`\`js
await collection.search("带薪婚假", { strategy: "phrase", slop: 1, topK: 5 });
\`\`\`

在命令行上它们是选项；\`huiliu strategies 名称\` 和 \`huiliu search --strategy 名称 --help\` 会列出来。未知的选项是错误，并指出相近的。策略要付的代价、没能做到的事，通过
\`onNotice\` 和标准错误说明。

- 每种策略都接受 \`topK\`、\`filters\`、\`highlight\`、\`reranker\`、\`rerankDepth\`、\`model\` 和 \`signal\`。
- 策略可以套策略：\`of\` 和 \`strategies\` 接受名称，或对象 \`{ strategy, ...options }\`；命令行上写 \`phrase:slop=1\`。
- \`strategyRetriever(collection, { strategy })\` 是可与其他部件组合的检索器。
- \`compareStrategies\`（\`huiliu compare\`）并排显示几种策略；\`explainHit\`（\`huiliu explain\`）说明段落为何排在那里。
- 在内嵌引擎和 Elasticsearch 8 上，所有策略找到的相同：有测试比较段落、得分和片段。
`;

export type PageLanguage = "en" | "zh";

interface Words {
  head: string;
  table: string;
  options: string;
  text(english: string): string;
  kind(english: string): string;
  sentence(english: string, needs: readonly string[]): string;
}

const WORDS: Record<PageLanguage, Words> = {
  en: {
    head: HEAD,
    table: "| strategy | what it does | good for |",
    options: "| option | value | default | |",
    text: (english) => english,
    kind: (english) => english,
    sentence: (english, needs) =>
      `${english[0]!.toUpperCase()}${english.slice(1)}.${needs.length > 0 ? ` Needs a ${needs.join(" and a ")}.` : ""}`,
  },
  zh: {
    head: HEAD_ZH,
    table: "| 策略 | 做什么 | 适合 |",
    options: "| 选项 | 值 | 默认 | |",
    text: inChinese,
    kind: kindInChinese,
    sentence: (english, needs) =>
      `${inChinese(english)}。${needs.length > 0 ? `需要${needs.map(inChinese).join("和")}。` : ""}`,
  },
};

export function strategiesPage(language: PageLanguage = "en"): string {
  const words = WORDS[language];
  const rows = STRATEGY_NAMES.map((name) => {
    const { title, goodFor } = STRATEGIES[name];
    return `| [\`${name}\`](#${name}) | ${words.text(title)} | ${words.text(goodFor)} |`;
  });
  const table = [words.table, "|---|---|---|", ...rows].join("\n");
  const sections = STRATEGY_NAMES.map((name) =>
    section(STRATEGIES[name] as unknown as AnyStrategy, STRATEGY_EXAMPLES[name], words),
  );
  return `${words.head}\n${table}\n\n${sections.join("\n")}`;
}

function section(strategy: AnyStrategy, example: StrategyExample, words: Words): string {
  const { name, title, needs = [] } = strategy;
  const options = optionRows(strategy);
  const parts = [`## ${name}\n`, `${words.sentence(title, needs)}\n`];
  for (const note of example.notes) parts.push(`${words.text(note)}\n`);
  if (options.length > 0) {
    parts.push(words.options, "|---|---|---|---|");
    for (const { name: key, kind, default: value, description } of options)
      parts.push(
        `| \`${key}\` | ${cell(words.kind(kind))} | ${value === undefined ? "" : `\`${cell(valueText(value))}\``} | ${cell(words.text(description))} |`,
      );
    parts.push("");
  }
  parts.push("```js", codeOf(name, example), "```", "", "```text", commandOf(name, example), "```", "");
  return parts.join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function codeOf(name: string, { question, options }: StrategyExample): string {
  const entries = Object.entries({ strategy: name, ...options }).map(([key, value]) => `${key}: ${literal(value)}`);
  return `await collection.search(${JSON.stringify(question)}, { ${entries.join(", ")} });`;
}

/** A value as JavaScript. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${literal(inner)}`)
    .join(", ")} }`;
}

/** The same on the command line. */
export function commandWords(name: string, { question, options }: StrategyExample): string[] {
  const flags = Object.entries(options).flatMap(([key, value]) => {
    const repeated = ["must", "should", "mustNot", "synonyms"].includes(key) && Array.isArray(value);
    if (repeated) return (value as string[]).flatMap((item) => [flagOf(key), item]);
    if (key === "where")
      return Object.entries(value as object).flatMap(([field, wanted]) => [flagOf(key), `${field}=${wanted}`]);
    return [flagOf(key), flagValue(value)];
  });
  return ["search", question, "--strategy", name, ...flags];
}

function flagValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .map(([key, inner]) => `${key}=${inner}`)
      .join(",");
  return String(value);
}

function commandOf(name: string, example: StrategyExample): string {
  const quoted = commandWords(name, example).map((word) => (/^[\w\p{L}.,:=/-]+$/u.test(word) ? word : `'${word}'`));
  return `huiliu ${quoted.join(" ")}`;
}
