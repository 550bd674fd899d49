/** docs/strategies.md, made from the registry and the examples. */
import { type AnyStrategy, STRATEGIES, STRATEGY_NAMES } from "../../src/catalogue/index.ts";
import { optionRows } from "../../src/cli/commands/strategies.ts";
import { flagOf, valueText } from "../../src/cli/strategy-flags.ts";
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

export function strategiesPage(): string {
  const rows = STRATEGY_NAMES.map(
    (name) => `| [\`${name}\`](#${name}) | ${STRATEGIES[name].title} | ${STRATEGIES[name].goodFor} |`,
  );
  const table = ["| strategy | what it does | good for |", "|---|---|---|", ...rows].join("\n");
  const sections = STRATEGY_NAMES.map((name) =>
    section(STRATEGIES[name] as unknown as AnyStrategy, STRATEGY_EXAMPLES[name]),
  );
  return `${HEAD}\n${table}\n\n${sections.join("\n")}`;
}

function section(strategy: AnyStrategy, example: StrategyExample): string {
  const { name, title, needs = [] } = strategy;
  const options = optionRows(strategy);
  const parts = [
    `## ${name}\n`,
    `${title[0]!.toUpperCase()}${title.slice(1)}.${needs.length > 0 ? ` Needs a ${needs.join(" and a ")}.` : ""}\n`,
  ];
  for (const note of example.notes) parts.push(`${note}\n`);
  if (options.length > 0) {
    parts.push("| option | value | default | |", "|---|---|---|---|");
    for (const { name: key, kind, default: value, description } of options)
      parts.push(
        `| \`${key}\` | ${cell(kind)} | ${value === undefined ? "" : `\`${cell(valueText(value))}\``} | ${cell(description)} |`,
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
