/** The commands that show strategies: what there is, why a passage ranks where it does, several side by side, and how text is cut. */
import { type Command, Option } from "commander";
import { wholeNumber } from "./arguments.ts";

export interface Helpers {
  command(usage: string, description: string, examples: string, load: () => Promise<unknown>): Command;
  onFolder(command: Command): Command;
  onCollection(command: Command): Command;
  filtered(command: Command, topK: number): Command;
  strategyOption(): Option;
  /** Of language, embedding and reranking models. */
  modelOptions(): Option[];
}

export function addCatalogueCommands({
  command,
  onFolder,
  onCollection,
  filtered,
  strategyOption,
  modelOptions,
}: Helpers) {
  onFolder(
    command(
      "strategies [name]",
      "List the strategies with what each is good for; one with its options.",
      "huiliu strategies\nhuiliu strategies phrase\nhuiliu strategies --json | jq -r '.[].name'",
      async () => (await import("./commands/strategies.ts")).strategies,
    ),
  );

  const explain = filtered(
    onCollection(
      command(
        "explain",
        "Show why a passage ranks where it does for a question, list by list and term by term.",
        "huiliu explain 婚假有几天 --passage zh/marriage-leave.md#1\nhuiliu explain 'annual leave' --passage leave.md --strategy rrf --json",
        async () => (await import("./commands/explain.ts")).explain,
      )
        .argument("<question...>", "words or a whole question")
        .requiredOption("-p, --passage <id|file#n>", "the passage: its id, or its file and number in it"),
    ),
    10,
  ).addOption(strategyOption());
  for (const option of modelOptions()) explain.addOption(option);

  const compare = filtered(
    onCollection(
      command(
        "compare",
        "Ask several strategies the same and show their passages side by side, with how ranks move.",
        "huiliu compare 请假需要谁批准 --strategies bm25,dense,weighted,rrf\nhuiliu compare 婚假 --strategies bm25,phrase:slop=1,metric:metric=l2_norm --json",
        async () => (await import("./commands/compare.ts")).compare,
      ).argument("<question...>", "words or a whole question"),
    ),
    5,
  ).option("-s, --strategies <list>", "with commas between, options behind colons", "bm25,dense,hybrid,rrf");
  for (const option of modelOptions()) compare.addOption(option);

  onFolder(
    command(
      "analyze",
      "Show how analyzers cut a text, side by side.",
      "huiliu analyze 员工年休假须提前申请\nhuiliu analyze 'annual leaves' --analyzers standard,english --json",
      async () => (await import("./commands/analyze.ts")).analyze,
    ).argument("<text...>", "the text"),
  )
    .option("-a, --analyzers <list>", "names with commas between", "standard,cjk,ik_smart,ik_max_word")
    .addOption(
      new Option("--tokens <number>", "most tokens that are shown").default(200).argParser(wholeNumber(1, 10_000)),
    );
}
