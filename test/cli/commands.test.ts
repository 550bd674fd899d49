import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { Collection, CollectionStatus, DocumentRecord } from "../../src/collection/types.ts";
import {
  FileError,
  HuiliuError,
  type NodeWithScore,
  numberSources,
  response,
  textNode,
} from "../../src/schema/index.ts";
import { terminal } from "./fixtures.ts";

const status: CollectionStatus = {
  name: "documents",
  place: ".huiliu",
  documents: 2,
  passages: 5,
  embedding: { name: "huiliu/stemb-zh-en", dimensions: 256 },
  analysis: "default",
  weights: { bm25: 0.7, dense: 0.3 },
  storeBytes: 1_234_567,
};

const hit = (text: string, metadata: Record<string, string>, score = 0.5): NodeWithScore => ({
  node: textNode({ id: "p1", text, metadata }),
  score,
  ranks: [
    { list: "bm25", rank: 1, score: 3.2 },
    { list: "dense", rank: 4, score: 0.7 },
  ],
});

const leave = hit("员工享受带薪年休假，每年七天。", { file: "docs/leave.md", heading: "年休假天数" }, 0.912);

describe("the command line itself", () => {
  test("without arguments shows the help and is a usage error", async () => {
    const { context, err, out } = terminal();
    expect(await main([], context)).toBe(2);
    expect(err()).toContain("Usage: huiliu");
    expect(out()).toBe("");
  });
  test("--help shows every command, with examples, on standard output", async () => {
    const { context, out } = terminal();
    expect(await main(["--help"], context)).toBe(0);
    for (const name of ["add", "search", "ask", "list", "remove", "status", "serve", "verify"]) {
      expect(out()).toMatch(new RegExp(`^ {2}${name} `, "m"));
      const help = terminal();
      expect(await main([name, "--help"], help.context)).toBe(0);
      expect(help.out()).toMatch(/Examples:\n {2}(huiliu|curl) /);
      expect(help.out()).toContain("--data <folder>");
    }
  });
  test("--version is the package's", async () => {
    const { context, out } = terminal();
    expect(await main(["--version"], context)).toBe(0);
    expect(out()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
  test.each([
    [["serach", "x"], "unknown command 'serach'"],
    [["search"], "missing required argument 'question'"],
    [["search", "x", "--top-k", "0"], "It must be a whole number from 1 to 10000."],
    [["search", "x", "--top-k", "1e3"], "It must be a whole number"],
    [["search", "x", "--strategy", "magic"], 'unknown strategy "magic": known are hybrid, bm25'],
    [["search", "x", "--strategy", "phrase", "--slpo", "1"], "Did you mean --slop?"],
    [["search", "x", "--slop", "1"], "--slop is no option of the strategy hybrid: fields, phrase have it"],
    [["search", "x", "-s", "phrase", "--slop=-1"], 'the option "slop" of the strategy phrase'],
    [["search", "x", "--filter", "level"], "It must be KEY=VALUE"],
    [["search", "x", "--filter", "=5"], "It must be KEY=VALUE"],
    [["search", "x", "--filter", "paid>true"], "> compares numbers and text"],
    [["search", "x", "--weights", "1"], "must be two numbers"],
    [["search", "x", "--weights", "0,0"], "must be two numbers"],
    [["search", "x", "--weights=-1,2"], "must be two numbers"],
    [["ask", "x", "--base-url", "http://localhost"], "--base-url needs --model"],
    [["ask", "x", "--model", "nonsense"], "a model's name is provider/model"],
    [["serve", "--port", "99999"], "It must be a whole number from 0 to 65535."],
    [["add"], "missing required argument 'path'"],
  ])("%j is a usage error that says what is wrong", async (args, message) => {
    const { context, out, err } = terminal();
    expect(await main(args, context)).toBe(2);
    expect(err()).toContain(message);
    expect(err()).not.toMatch(/^ +at /m);
    expect(out()).toBe("");
  });
});

describe("errors", () => {
  const failing = (error: unknown): Partial<Collection> => ({ search: () => Promise.reject(error) });
  test("are one sentence, without a stack", async () => {
    const { context, err } = terminal(
      failing(new HuiliuError("COLLECTION_NOT_FOUND", "there is no\n\u001b[31mcollection")),
    );
    expect(await main(["search", "x"], context)).toBe(1);
    expect(err()).toBe("huiliu: there is no ␛[31mcollection\n");
  });
  test("show their stack when HUILIU_DEBUG is 1", async () => {
    const { context, err } = terminal(failing(new Error("broken")), { env: { HUILIU_DEBUG: "1" } });
    expect(await main(["search", "x"], context)).toBe(1);
    expect(err()).toMatch(/Error: broken\n +at /);
  });
  test("of the environment name the remedy", async () => {
    const { context, err } = terminal(failing(Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" })));
    expect(await main(["search", "x"], context)).toBe(1);
    expect(err()).toContain("make room and run the command again");
  });
});

describe("search", () => {
  const found = (...hits: NodeWithScore[]): Partial<Collection> & { asked: unknown[] } => {
    const asked: unknown[] = [];
    return {
      asked,
      async search(query, { signal: _, ...options } = {}) {
        asked.push({ query, ...options });
        return hits;
      },
      status: async () => status,
    };
  };
  test("shows rank, score, file, heading, ranks and the matching text", async () => {
    const { context, out, err } = terminal(found(leave));
    expect(await main(["search", "年休假", "几天"], context)).toBe(0);
    expect(out()).toBe(
      "1  0.912  docs/leave.md › 年休假天数  (bm25 #1, dense #4)\n   员工享受带薪年休假，每年七天。\n",
    );
    expect(err()).toBe("");
  });
  test("does not show a heading twice", async () => {
    const text = "# 年休假天数\n\n每年七天。";
    const { context, out } = terminal(
      found(hit(text, { file: "a.md", heading: "年休假天数" }), hit("# 年休假天数\n", { heading: "年休假天数" })),
    );
    await main(["search", "x"], context);
    expect(out().match(/年休假天数/g)).toHaveLength(3);
    expect(out()).toContain("   每年七天。\n");
  });
  test("opens the collection for reading only", async () => {
    const { context, opened } = terminal(found(leave));
    await main(["search", "x", "--data", "d", "--collection", "handbook"], context);
    expect(opened).toEqual([{ name: "handbook", options: { data: "d", readOnly: true } }]);
  });
  test("passes on every option", async () => {
    const collection = found(leave);
    const args =
      "search 年休假 天数 -k 3 --strategy weighted --weights dense=1,bm25=.5 --depth 20 -f level=员工 -f year>=2024 -f paid!=true -f id=007";
    expect(await main([...args.split(" "), "-f", 'code="12"'], terminal(collection).context)).toBe(0);
    expect(collection.asked).toEqual([
      {
        query: "年休假 天数",
        topK: 3,
        strategy: "weighted",
        weights: { bm25: 0.5, dense: 1 },
        depth: 20,
        onNotice: expect.any(Function),
        onAggregations: expect.any(Function),
        filters: {
          filters: [
            { key: "level", operator: "==", value: "员工" },
            { key: "year", operator: ">=", value: 2024 },
            { key: "paid", operator: "!=", value: true },
            { key: "id", operator: "==", value: "007" },
            { key: "code", operator: "==", value: "12" },
          ],
        },
      },
    ]);
  });
  test("gives one JSON document with the whole text", async () => {
    const { context, out } = terminal(found(leave));
    expect(await main(["search", "年休假", "--json"], context)).toBe(0);
    expect(out().trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out())).toEqual({
      query: "年休假",
      strategy: "hybrid",
      hits: [
        {
          rank: 1,
          score: 0.912,
          id: "p1",
          file: "docs/leave.md",
          heading: "年休假天数",
          text: "员工享受带薪年休假，每年七天。",
          metadata: { file: "docs/leave.md", heading: "年休假天数" },
          ranks: leave.ranks,
        },
      ],
    });
  });
  test("marks matches on a terminal only, and not when NO_COLOR is set", async () => {
    const onTerminal = terminal(found(leave), { outIsTerminal: true });
    await main(["search", "年休假"], onTerminal.context);
    expect(onTerminal.out()).toContain("\u001b[1;33m年休假\u001b[22;39m，每年");
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
      const plain = terminal(found(leave), { outIsTerminal: true, env });
      await main(["search", "年休假"], plain.context);
      expect(plain.out()).not.toContain("\u001b");
    }
  });
  test("shows hostile text harmlessly", async () => {
    const hostile = hit("\u001b]0;owned\u0007 年休假 \u202e\ud800", { file: "\u001b[2J\n.md", heading: "a\u009b31m" });
    const { context, out } = terminal(found(hostile));
    await main(["search", "年休假"], context);
    expect(out()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\p{Surrogate}]/u);
    expect(out().split("\n")).toHaveLength(3);
  });
  test("fits the terminal", async () => {
    const long = hit(`${"无关的话，".repeat(60)}年休假在这里。${"words and words ".repeat(60)}`, {
      file: "目录/".repeat(40),
      heading: "标题",
    });
    const { context, out } = terminal(found(long), { outIsTerminal: true, columns: 50, env: { NO_COLOR: "1" } });
    await main(["search", "年休假"], context);
    const { width } = await import("../../src/cli/terminal/text.ts");
    const lines = out().trimEnd().split("\n");
    for (const line of lines) expect(width(line)).toBeLessThanOrEqual(50);
    expect(lines.length).toBeLessThanOrEqual(5);
    expect(out()).toContain("年休假在这里");
  });
  test("says when there is nothing, and why", async () => {
    const nothing = terminal(found());
    expect(await main(["search", "x"], nothing.context)).toBe(0);
    expect(nothing.err()).toBe("Nothing found.\n");
    expect(nothing.out()).toBe("");
    const empty = terminal({ ...found(), status: async () => ({ ...status, documents: 0 }) });
    await main(["search", "x"], empty.context);
    expect(empty.err()).toContain("is empty: add files to it with huiliu add PATH");
    const filtered = terminal(found());
    await main(["search", "x", "--filter", "a=b"], filtered.context);
    expect(filtered.err()).toContain("filters");
  });
});

describe("ask", () => {
  const answers = (
    text: string | AsyncIterable<string>,
    kind: "extract" | "generated",
    metadata = {},
  ): Partial<Collection> => ({
    ask: async () => response({ text, kind, sources: numberSources([leave]), metadata }),
    status: async () => status,
  });
  test("shows the text, that it is an extract, and the sources", async () => {
    const { context, out } = terminal(answers("每年七天。 [1]", "extract"));
    expect(await main(["ask", "年休假有几天？"], context)).toBe(0);
    const [text, , note, , source] = out().split("\n");
    expect(text).toBe("每年七天。 [1]");
    expect(note).toMatch(/^An extract: /);
    expect(source).toBe("[1] docs/leave.md › 年休假天数 (0.912)");
  });
  test("streams what a model writes, harmlessly, pairs and line ends cut in two included", async () => {
    async function* pieces() {
      yield "甲\ud83d";
      yield "\ude00乙\r";
      yield "\n\u001b[31m丙";
    }
    const { context, out } = terminal(answers(pieces(), "generated", { unknownCitations: [7] }));
    expect(await main(["ask", "x"], context)).toBe(0);
    expect(out()).toBe("甲😀乙\n␛[31m丙\n\n[1] docs/leave.md › 年休假天数 (0.912)\n");
  });
  test("reports citations that point nowhere", async () => {
    const { context, err } = terminal(answers("a [7]", "generated", { unknownCitations: [7] }));
    await main(["ask", "x"], context);
    expect(err()).toContain("cites sources that do not exist: [7]");
  });
  test("gives one JSON document", async () => {
    const { context, out } = terminal(answers("每年七天。 [1]", "extract", { cited: [1] }));
    expect(await main(["ask", "年休假", "--json"], context)).toBe(0);
    expect(JSON.parse(out())).toMatchObject({
      question: "年休假",
      kind: "extract",
      answer: "每年七天。 [1]",
      sources: [{ n: 1, file: "docs/leave.md", heading: "年休假天数", score: 0.912, id: "p1" }],
      cited: [1],
    });
  });
  test("keeps what came before a failure, and says what failed", async () => {
    async function* pieces() {
      yield "Half of";
      throw new HuiliuError("MODEL_FAILED", "the model stopped");
    }
    const { context, out, err } = terminal(answers(pieces(), "generated"));
    expect(await main(["ask", "x"], context)).toBe(1);
    expect(out()).toBe("Half of\n");
    expect(err()).toBe("huiliu: the model stopped\n");
  });
  test("ends quietly when nobody reads any more", async () => {
    const closed: Partial<Collection> = {
      ask: async (_, { signal } = {}) => {
        async function* pieces() {
          yield "a";
          shell.outputClosed.abort();
          signal?.throwIfAborted();
        }
        return response({ text: pieces(), kind: "generated", sources: [leave] });
      },
    };
    const shell = terminal(closed);
    expect(await main(["ask", "x"], shell.context)).toBe(0);
    expect(shell.err()).toBe("");
  });
});

describe("add", () => {
  const nothing = { added: 0, replaced: 0, unchanged: 0, removed: 0, failed: [], passages: 0, aborted: false };
  test("reports each failed file with its reason once, and counts the rest", async () => {
    const error = new FileError("FILE_DAMAGED", "b.pdf", "it is damaged");
    const { context, out, err, opened } = terminal({
      async add(paths, { onFile, removeVanished } = {}) {
        expect([paths, removeVanished]).toEqual([["docs", "x.md"], true]);
        onFile?.({ file: "a.md", outcome: "added", passages: 3 });
        onFile?.({ file: "b.pdf", outcome: "failed", error });
        return { ...nothing, added: 1, unchanged: 2, failed: [{ file: "b.pdf", error }], passages: 3 };
      },
    });
    expect(await main(["add", "docs", "x.md", "--remove-vanished"], context)).toBe(3);
    expect(out()).toBe("1 added, 2 unchanged, 1 failed: 3 passages in 0.0 s\n");
    expect(err()).toBe("failed: b.pdf: it is damaged\n");
    expect(opened).toEqual([{ name: "documents", options: { data: ".huiliu" } }]);
  });
  test("names metadata that filters cannot see, and in how many files", async () => {
    const { context, err } = terminal({
      async add(_, { onFile } = {}) {
        onFile?.({ file: "a.md", outcome: "added", passages: 1, unfiltered: ["author", "\u001b[2J"] });
        onFile?.({ file: "b.md", outcome: "added", passages: 1, unfiltered: ["author"] });
        return { ...nothing, added: 2, passages: 2 };
      },
    });
    expect(await main(["add", "docs"], context)).toBe(0);
    expect(err()).toBe(
      "note: metadata that --filter cannot see, as other files have another kind of value there: author (2 files), ␛[2J (1 file)\n",
    );
  });
  test("gives a line of JSON a file, then the summary", async () => {
    const error = new FileError("FILE_EMPTY", "b.md", "it is empty");
    const { context, out } = terminal({
      async add(_, { onFile } = {}) {
        onFile?.({ file: "a.md", outcome: "added", passages: 3 });
        onFile?.({ file: "b.md", outcome: "failed", error });
        return { ...nothing, added: 1, failed: [{ file: "b.md", error }], passages: 3 };
      },
    });
    expect(await main(["add", "docs", "--json"], context)).toBe(3);
    expect(
      out()
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { type: "file", file: "a.md", outcome: "added", passages: 3 },
      { type: "file", file: "b.md", outcome: "failed", error: { code: "FILE_EMPTY", message: "b.md: it is empty" } },
      {
        type: "summary",
        ...nothing,
        added: 1,
        failed: [{ file: "b.md", error: { code: "FILE_EMPTY", message: "b.md: it is empty" } }],
        passages: 3,
        seconds: 0,
      },
    ]);
  });
  test("--quiet says nothing when all is well", async () => {
    const { context, out, err } = terminal({
      async add(_, { onProgress } = {}) {
        expect(onProgress).toBeUndefined();
        return { ...nothing, added: 1 };
      },
    });
    expect(await main(["add", "docs", "--quiet"], context)).toBe(0);
    expect(out() + err()).toBe("");
  });
  test("stopped by Ctrl-C it says what is indexed and how to go on", async () => {
    const shell = terminal({
      async add(_, { signal } = {}) {
        shell.interrupt.abort();
        expect(signal?.aborted).toBe(true);
        return { ...nothing, added: 2, passages: 4, aborted: true };
      },
      status: async () => status,
    });
    expect(await main(["add", "docs"], shell.context)).toBe(130);
    expect(shell.err()).toBe("stopped: 2 files are indexed; run the same command to go on\n");
    expect(shell.out()).toContain("2 added");
  });
});

describe("list, remove and status", () => {
  const records: DocumentRecord[] = [
    { id: "1", file: "docs/leave.md", title: "年休假", passages: 3, bytes: 2345, added: "2024-05-06T07:08:09.000Z" },
    { id: "2", file: "docs/\u001b[31m.md", passages: 12, bytes: 99, added: "2024-05-06T07:08:09.000Z" },
  ];
  const listing: Partial<Collection> = {
    async *list() {
      yield* records;
    },
    status: async () => status,
  };
  test("list shows a table", async () => {
    const { context, out } = terminal(listing);
    expect(await main(["list"], context)).toBe(0);
    const lines = out().trimEnd().split("\n");
    expect(lines[0]).toBe("file           title   passages    size  indexed");
    expect(lines[1]).toMatch(/^docs\/leave\.md {2}年休假 {9}3 {2}2\.3 kB {2}2024-05-0\d \d\d:\d\d$/);
    expect(lines[2]).toMatch(/^docs\/␛\[31m\.md /);
  });
  test("list gives a line of JSON a file", async () => {
    const { context, out } = terminal(listing);
    await main(["list", "--json"], context);
    const lines = out().trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(records);
  });
  test("list of nothing says how to begin", async () => {
    const { context, err } = terminal({ ...listing, async *list() {} });
    expect(await main(["list"], context)).toBe(0);
    expect(err()).toContain("huiliu add PATH");
  });
  test("remove names what it removed and what is not there", async () => {
    const { context, out, err, opened } = terminal({ remove: async () => ({ removed: ["a.md"], missing: ["b.md"] }) });
    expect(await main(["remove", "a.md", "b.md"], context)).toBe(3);
    expect(out()).toBe("removed a.md\n");
    expect(err()).toContain("b.md is not in the index");
    expect(opened[0]!.options).toEqual({ data: ".huiliu", create: false });
  });
  test("status shows what there is", async () => {
    const { context, out } = terminal(listing);
    expect(await main(["status"], context)).toBe(0);
    expect(out()).toContain("passages    5\n");
    expect(out()).toContain("size        1.2 MB\n");
    const json = terminal(listing);
    await main(["status", "--json"], json.context);
    expect(JSON.parse(json.out())).toEqual(status);
  });
});
