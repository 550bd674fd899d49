/**
 * The command `huiliu`. This file knows the commands and their options; what a command does is in `commands/`, loaded when it is called.
 * Results go to standard output, progress and errors to standard error. Exit codes: see `EXIT`.
 */
import { Command, CommanderError, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { filterCondition, nameList, wholeNumber } from "./arguments.ts";
import { addCatalogueCommands } from "./catalogue-commands.ts";
import { type Context, EXIT } from "./context.ts";
import { errorSentence, isAbort, isUsageError } from "./errors.ts";
import { processContext } from "./process.ts";
import { settingsOf, withConfiguredStrategy } from "./settings.ts";

const DEFAULT_DATA = ".huiliu";
const DEFAULT_COLLECTION = "documents";

/** Runs the command line in this process and ends it. */
export async function run(args: readonly string[]): Promise<void> {
  const { context, finish } = processContext();
  await finish(await main(args, context));
}

/** Runs a command line and gives its exit code. */
export async function main(args: readonly string[], context: Context): Promise<number> {
  let exit: number = EXIT.ok;
  const program = commands(context, (code) => {
    exit = code;
  });
  try {
    await withStrategyFlags(program, args);
    if (args.length === 0) {
      context.io.err(program.helpInformation());
      return EXIT.usage;
    }
    await program.parseAsync([...args], { from: "user" });
    return exit;
  } catch (error) {
    return failure(error, context);
  }
}

function failure(error: unknown, { io, signal, outputClosed }: Context): number {
  // Commander has written its message already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (signal.aborted && (isAbort(error) || error === signal.reason)) return EXIT.interrupted;
  if (outputClosed.aborted && isAbort(error)) return EXIT.ok;
  if (io.env["HUILIU_DEBUG"] === "1" && error instanceof Error) io.err(`${error.stack ?? error.message}\n`);
  io.err(`huiliu: ${errorSentence(error)}\n`);
  return isUsageError(error) ? EXIT.usage : EXIT.error;
}

/** The flags of the strategy that is named: the catalogue is loaded where it is asked for. */
async function withStrategyFlags(program: Command, args: readonly string[]): Promise<void> {
  const command = program.commands.find((item) => item.name() === args[0]);
  if (!command?.options.some(({ long }) => long === "--strategy")) return;
  const { addStrategyFlags, strategyIn } = await import("./strategy-flags.ts");
  addStrategyFlags(command, strategyIn(args) ?? "hybrid", args);
}

type Action = (...values: never[]) => Promise<number>;

function commands(context: Context, ended: (exit: number) => void): Command {
  const program = new Command("huiliu")
    .description("Search and answers over your own documents, in Chinese and English.")
    .version(packageJson.version, "-v, --version")
    .helpOption("-h, --help")
    .addHelpText(
      "after",
      `
Examples:
  huiliu add docs/ handbook.pdf                  index folders, files and globs
  huiliu ask "试用期能请婚假吗？"                  an answer with its sources
  huiliu search "annual leave" --top-k 5         the passages themselves
  huiliu COMMAND --help                          options and examples of a command`,
    )
    .configureOutput({ writeOut: context.io.out, writeErr: context.io.err, getOutHelpWidth: () => context.io.columns })
    .showHelpAfterError("(huiliu --help shows the commands, huiliu COMMAND --help the options of one)")
    .exitOverride();

  const command = (usage: string, description: string, examples: string, load: () => Promise<Action>): Command =>
    program
      .command(usage)
      .description(description)
      .addHelpText("after", `\nExamples:\n${examples.replace(/^/gm, "  ")}`)
      .action(async (...values: unknown[]) => {
        // Commander adds options and the command itself to the arguments.
        const settings = await settingsOf(values.at(-1) as Command, context.io);
        const { data = DEFAULT_DATA, collection = DEFAULT_COLLECTION } = settings.config;
        const given = withConfiguredStrategy(values.at(-1) as Command, values.at(-2) as object, settings.config);
        const options = { ...given, data, collection, settings };
        const action = (await load()) as (...given: unknown[]) => Promise<number>;
        ended(await action(context, ...values.slice(0, -2), options));
      });

  onCollection(
    command(
      "add",
      "Index files, folders and globs. Unchanged files are skipped, changed ones replaced.",
      "huiliu add docs/\nhuiliu add 'policies/**/*.pdf' README.md --collection handbook\nhuiliu add docs/ --remove-vanished",
      async () => (await import("./commands/add.ts")).add,
    ).argument("<path...>", "files, folders, globs"),
  )
    .addOption(embeddingOption())
    .option("--remove-vanished", "remove files below these paths that are no longer there")
    .option("-q, --quiet", "no progress and no summary; failed files are still named");

  filtered(
    onCollection(
      command(
        "search",
        "Find the passages that fit a question.",
        "huiliu search 婚假\nhuiliu search 'annual leave' --top-k 3 --strategy bm25\nhuiliu search 婚假 --strategy phrase --slop 1 --highlight\nhuiliu search --strategy rrf --help\nhuiliu search 请假 --filter level=员工 --filter 'effective>=2024-01-01'\nhuiliu search 请假 --json | jq '.hits[].file'",
        async () => (await import("./commands/search.ts")).search,
      ).argument("<question...>", "words or a whole question"),
    ),
    10,
  )
    .addOption(strategyOption())
    .addOption(highlightOption())
    .option("--explain", "show for each passage which terms and lists put it there")
    .addOption(modelOption())
    .addOption(baseUrlOption())
    .addOption(embeddingOption())
    .addOption(rerankerOption());

  filtered(
    onCollection(
      command(
        "ask",
        "Answer a question from the documents, with sources. Without --model the answer is an extract.",
        "huiliu ask '年休假有几天？'\nhuiliu ask 'Who approves two weeks of leave?' --model openai/gpt-4.1-mini\nhuiliu ask '试用期能请婚假吗？' --model local/qwen3 --base-url http://localhost:11434/v1",
        async () => (await import("./commands/ask.ts")).ask,
      ).argument("<question...>", "a question"),
    ),
    5,
  )
    .addOption(strategyOption())
    .addOption(modelOption())
    .addOption(baseUrlOption())
    .addOption(embeddingOption())
    .addOption(rerankerOption());

  onCollection(
    command(
      "list",
      "List the indexed files.",
      "huiliu list\nhuiliu list --json | jq -r .file",
      async () => (await import("./commands/list.ts")).list,
    ),
  );

  onCollection(
    command(
      "remove",
      "Remove files (as list shows them), or all files of a folder, from the index.",
      "huiliu remove docs/old.md\nhuiliu remove docs/drafts",
      async () => (await import("./commands/remove.ts")).remove,
    ).argument("<file...>", "files or folders"),
  );

  onCollection(
    command(
      "status",
      "Show how much is indexed, and how.",
      "huiliu status\nhuiliu status --collection handbook --json",
      async () => (await import("./commands/status.ts")).status,
    ),
  );

  const copying = command(
    "copy",
    "Copy a collection, or any index, between folders and clusters; goes on where it stopped.",
    "huiliu copy .huiliu https://search.example:9200\nhuiliu copy https://search.example:9200 backup --collection handbook\nhuiliu copy .huiliu http://localhost:9200 --index books --as library\nhuiliu copy https://old.example:9200 https://new.example:9200 --from-api-key-env OLD_KEY --to-api-key-env NEW_KEY --to-ca new.crt",
    async () => (await import("./commands/copy.ts")).copy,
  )
    .argument("<from>", "a folder, or a cluster's address")
    .argument("<to>", "the same")
    .option("-c, --collection <name>", "name of the collection", DEFAULT_COLLECTION)
    .option("--index <name>", "an index instead of a collection")
    .option("--as <name>", "name of the copy; the same by default")
    .option("--config <file>", "configuration file; huiliu.config.ts, .js or .json of this folder by default")
    .option("--json", "results as JSON on standard output")
    .option("-q, --quiet", "no progress and no summary");
  for (const [side, place] of Object.entries({ from: "first", to: "second" })) {
    copying
      .option(`--${side}-api-key-env <variable>`, `environment variable with the ${place} cluster's API key`)
      .option(`--${side}-username <name>`, `user of the ${place} cluster`)
      .option(`--${side}-password-env <variable>`, "environment variable with the user's password")
      .option(`--${side}-ca <file>`, `certificate authority of the ${place} cluster in PEM`);
  }

  onFolder(
    command(
      "serve",
      "Serve the data folder over HTTP: Elasticsearch's API, collections and questions at /_huiliu, and agents (MCP) at /_mcp.",
      "huiliu serve\nhuiliu serve --port 9201 --data ./.huiliu\ncurl localhost:9200/documents/_search?q=content:leave",
      async () => (await import("./commands/serve.ts")).serve,
    ),
  )
    .option("-p, --port <number>", "port; 0 picks a free one", wholeNumber(0, 65535), 9200)
    .option("--host <address>", "address to listen on; other than this machine's own needs a key", "127.0.0.1")
    .option("--workers <number>", "threads that search beside the one that writes", wholeNumber(0, 64), 2)
    .option("--request-timeout <seconds>", "most time that a request takes; 0 for any", wholeNumber(0, 86_400), 120)
    .option("--concurrent <number>", "requests that run at once; 1000 more wait", wholeNumber(1, 10_000), 64)
    .option("-c, --collection <name>", "name of the collection behind /_mcp", DEFAULT_COLLECTION)
    .option("--open", "open the playground in the browser")
    .option(
      "--reports <folder>",
      "evaluation reports that the playground shows; reports/ in the data folder by default",
    )
    .addOption(modelOption())
    .addOption(baseUrlOption())
    .addOption(embeddingOption())
    .addOption(rerankerOption());

  onFolder(
    command(
      "keys",
      "Make, list and revoke the keys that a server of the folder asks for. With the first one, requests without a key are refused.",
      `huiliu keys create web\nhuiliu keys create ingest --role write --index 'docs-*'\nhuiliu keys create acme --filter '{"term": {"metadata.tenant.keyword": "acme"}}'\nhuiliu keys list\nhuiliu keys revoke ID`,
      async () => (await import("./commands/keys.ts")).keys,
    )
      .argument("<action>", "create, list or revoke")
      .argument("[name...]", "of the key to create; ids of keys to revoke"),
  )
    .addOption(new Option("--role <role>", "what it may do").choices(["read", "write", "admin"]).default("read"))
    .option("--index <pattern...>", "only these indices; a collection is an index of its name")
    .option("--filter <query>", "only documents that fit a query (JSON); such a key only reads");

  onCollection(
    command(
      "mcp",
      "Serve the collection to an agent over the Model Context Protocol (standard input and output).",
      "huiliu mcp\nhuiliu mcp --collection handbook --model openai/gpt-4.1-mini",
      async () => (await import("./commands/mcp.ts")).mcp,
    ),
  )
    .addOption(modelOption())
    .addOption(baseUrlOption())
    .addOption(embeddingOption())
    .addOption(rerankerOption());

  onFolder(
    command(
      "verify",
      "Check every record and every file of the data folder.",
      "huiliu verify\nhuiliu verify --data ./.huiliu --json",
      async () => (await import("./commands/verify.ts")).verify,
    ),
  );

  onFolder(
    command(
      "distill",
      "Make a small embedding that runs anywhere out of any embedding model.",
      "huiliu distill transformers/multilingual-e5-small --output model.bin\nhuiliu distill dashscope/text-embedding-v3 -o model.bin --dimensions 128\nhuiliu add docs/ --embedding static/model.bin",
      async () => (await import("./commands/distill.ts")).distill,
    ).argument("<provider/name>", "the embedding model to distil; it embeds some 62,000 words, one by one"),
  )
    .requiredOption("-o, --output <file>", "the file to write")
    .option("--dimensions <number>", "length of the new vectors, a multiple of 8", wholeNumber(8, 4096));

  addCatalogueCommands({
    command: (usage, description, examples, load) =>
      command(usage, description, examples, load as () => Promise<Action>),
    onFolder,
    onCollection,
    filtered,
    strategyOption,
    modelOptions: () => [modelOption(), baseUrlOption(), embeddingOption(), rerankerOption()],
  });

  onCollection(
    command(
      "eval",
      "Measure strategies on questions whose answers are known.",
      "huiliu eval questions.jsonl --report report.html\nhuiliu eval questions.jsonl --strategies bm25,hybrid --measures ndcg@10,recall@5 --json\nhuiliu eval folder-in-beir-layout/ --trec runs/",
      async () => (await import("./commands/eval.ts")).evaluate,
    ).argument(
      "<place...>",
      "questions (a JSON object a line) for the collection, or folders with documents, questions and judgements",
    ),
  )
    .option(
      "-s, --strategies <names>",
      'strategies with commas between, options behind colons: bm25,phrase:slop=1; "all" for all that need no model',
      "hybrid,bm25,dense,rrf",
    )
    .option("--measures <names>", "ndcg, mrr, map, precision, recall, hit, f1, each with @k for the first k", nameList)
    .option("--depth <number>", "passages that are looked at", wholeNumber(1, 10_000), 100)
    .option("--sample <number>", "ask so many of the questions, drawn by the seed", wholeNumber(1, 1_000_000))
    .option("--baseline <name>", "the strategy that the others are compared with; bm25 by default")
    .option("--seed <number>", "chance of intervals and tests", wholeNumber(0, 2 ** 32 - 1), 1)
    .option("--report <file>", "write a report with plots as one HTML file, or as JSON where the name ends in .json")
    .option("--trec <folder>", "write runs and judgements as trec_eval reads them")
    .option("--run <file...>", "also compare with runs of other systems, in trec_eval's format")
    .option("--resume <file>", "keep what was found there, and go on from it")
    .option("--answers", "also have --model answer, and judge the answers")
    .option("--judge <provider/name>", "the model that judges; --model by default")
    .option("-q, --quiet", "no progress")
    .addOption(modelOption())
    .addOption(baseUrlOption())
    .addOption(embeddingOption())
    .addOption(rerankerOption());

  onCollection(
    command(
      "questions",
      "Have a language model write questions from the collection's passages, to evaluate and tune with.",
      "huiliu questions --output questions.jsonl --count 60 --model openai/gpt-4.1-mini\nhuiliu questions --output questions.jsonl --count 60 --model openai/gpt-4.1-mini --yes",
      async () => (await import("./commands/questions.ts")).questions,
    ),
  )
    .requiredOption("-o, --output <file>", "the file to write; what it holds is kept, and gone on from")
    .option("--count <number>", "questions at most", wholeNumber(1, 100_000), 50)
    .option("--per-passage <number>", "questions of each passage", wholeNumber(1, 10), 1)
    .option("--seed <number>", "chance of the passages", wholeNumber(0, 2 ** 32 - 1), 1)
    .option("-y, --yes", "begin; without it only the cost is told")
    .option("-q, --quiet", "no progress")
    .addOption(modelOption())
    .addOption(baseUrlOption());

  onCollection(
    command(
      "tune",
      "Choose values that do better, and say on questions that had no part in the choice whether they do.",
      "huiliu tune questions.jsonl --strategy bm25\nhuiliu tune questions.jsonl --parameter weights.bm25=0..1:0.1 --report tuning.html\nhuiliu tune questions.jsonl --strategy bm25 --parameter bm25.k1=0.6..2 --parameter bm25.b=0..1 --random 40 --write\nhuiliu tune questions.jsonl --parameter passages.size=128,256,512 --documents docs/",
      async () => (await import("./commands/tune.ts")).tune,
    ).argument(
      "<place>",
      "questions (a JSON object a line) for the collection, or a folder with documents, questions and judgements",
    ),
  )
    .addOption(strategyOption())
    .option(
      "-p, --parameter <name=values>",
      "bm25.k1, bm25.b, boosts.FIELD, passages.size, passages.overlap, or an option of the strategy; values with commas, from..to:step, or from..to with --random; may be repeated",
      (value: string, before: string[] = []) => [...before, value],
    )
    .option("--random <number>", "try so many points of chance in place of the whole grid", wholeNumber(1, 2000))
    .option("--measure <name>", "what is to be high", "ndcg@10")
    .option(
      "--folds <number>",
      "parts of the questions, each measured with what the others chose",
      wholeNumber(2, 50),
      5,
    )
    .option("--depth <number>", "passages that are looked at", wholeNumber(1, 10_000), 100)
    .option("--seed <number>", "chance of folds, points, intervals and tests", wholeNumber(0, 2 ** 32 - 1), 1)
    .option("--documents <path...>", "the collection's documents, to cut their passages anew")
    .option("--report <file>", "write a report with heat maps as one HTML file")
    .option("--write", "write the chosen values to the configuration, where a gain is shown")
    .option("-q, --quiet", "no progress")
    .addOption(embeddingOption());

  onCollection(
    command(
      "doctor",
      "Say what is configured, what works and what is missing.",
      "huiliu doctor\nhuiliu doctor --call\nhuiliu doctor --model dashscope/qwen-plus --call --json",
      async () => (await import("./commands/doctor.ts")).doctor,
    ),
  )
    .option("--call", "ask each configured model something small, which may cost a little")
    .addOption(modelOption())
    .addOption(baseUrlOption())
    .addOption(embeddingOption())
    .addOption(rerankerOption());
  return program;
}

const strategyOption = () =>
  new Option("-s, --strategy <name>", "how to search; with --help its options are shown too").default("hybrid");
const highlightOption = () => new Option("--highlight", "show the parts that match");
const modelOption = () => new Option("-m, --model <provider/name>", "the language model that writes the answer");
const baseUrlOption = () =>
  new Option(
    "--base-url <url>",
    "a server that speaks OpenAI's API; its key is read from HUILIU_API_KEY or OPENAI_API_KEY",
  );
const embeddingOption = () =>
  new Option("--embedding <provider/name>", "the embedding model of the collection; bundled by default");
const rerankerOption = () =>
  new Option("--reranker <provider/name>", 'puts what was found in a better order; "language" takes --model for it');

function onFolder(command: Command): Command {
  return command
    .option("-d, --data <folder>", "folder of the index", DEFAULT_DATA)
    .option("--config <file>", "configuration file; huiliu.config.ts, .js, .yaml or .json of this folder by default")
    .option("--json", "results as JSON on standard output");
}

function onCollection(command: Command): Command {
  return onFolder(command)
    .option("-c, --collection <name>", "name of the collection", DEFAULT_COLLECTION)
    .option(
      "--elasticsearch <url>",
      "a cluster that has the collection instead of the folder: an address, or a cloud id",
    );
}

function filtered(command: Command, topK: number): Command {
  return command
    .option("-k, --top-k <number>", "most passages", wholeNumber(1, 10_000), topK)
    .option(
      "-f, --filter <condition>",
      "only where metadata fit: key=value, also != > >= < <=; may be repeated",
      filterCondition,
    );
}
