import { join } from "node:path";
import { type Question, TOP } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Statement {
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown[];
}
interface Database {
  pragma(text: string): unknown;
  exec(text: string): unknown;
  prepare(text: string): Statement;
  transaction<T>(work: (value: T) => void): (value: T) => void;
  close(): void;
}
interface Module {
  default: new (file: string, options?: object) => Database;
}

const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;

function matching({ kind, words }: Question): string {
  if (kind === "phrase") return quoted(words.join(" "));
  if (kind === "prefix") return `${quoted(words[0])} *`;
  return words.map(quoted).join(" OR ");
}

const RANKED = `SELECT rowid AS id FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ${TOP}`;
const FILTERED = `SELECT texts.rowid AS id FROM texts JOIN passages ON passages.id = texts.rowid WHERE texts MATCH ? AND passages.tag = ? ORDER BY texts.rank LIMIT ${TOP}`;
const COUNTED =
  "SELECT passages.tag AS tag, count(*) AS count FROM texts JOIN passages ON passages.id = texts.rowid WHERE texts MATCH ? GROUP BY passages.tag";

export const sqlite: Peer = {
  name: "SQLite FTS5",
  module: "better-sqlite3",
  settings:
    "FTS5 without contents, unicode61, prefix index of 4 characters, a table with an index of tags beside it; WAL, synchronous=NORMAL, transactions of 1,000; optimize after writing; bm25 with k1 1.2, b 0.75 and whole lengths",
  kinds: ({ dims }) =>
    dims > 0 ? [] : ["1 term", "3 terms", "10 terms", "phrase", "prefix", "filtered", "aggregated"],
  async create(_suite, folder) {
    const { default: Sqlite } = await load<Module>("better-sqlite3");
    const db = new Sqlite(join(folder, "texts.db"));
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = NORMAL");
    db.exec("CREATE VIRTUAL TABLE texts USING fts5(text, content='', prefix='4')");
    db.exec("CREATE TABLE passages (id INTEGER PRIMARY KEY, tag TEXT)");
    const text = db.prepare("INSERT INTO texts (rowid, text) VALUES (?, ?)");
    const tag = db.prepare("INSERT INTO passages (id, tag) VALUES (?, ?)");
    return {
      add: db.transaction((passages) => {
        for (const passage of passages) {
          text.run(passage.id, passage.text);
          tag.run(passage.id, passage.tag);
        }
      }),
      finish: () => db.exec("CREATE INDEX tags ON passages (tag)"),
      optimize: () => db.exec("INSERT INTO texts (texts) VALUES ('optimize')"),
      save: () => db.pragma("wal_checkpoint(TRUNCATE)"),
      close: () => db.close(),
    };
  },
  async open(_suite, folder) {
    const { default: Sqlite } = await load<Module>("better-sqlite3");
    const db = new Sqlite(join(folder, "texts.db"), { readonly: true });
    db.pragma("mmap_size = 1073741824");
    const [ranked, filtered, counted] = [RANKED, FILTERED, COUNTED].map((text) => db.prepare(text));
    return {
      prepare(question) {
        const text = matching(question);
        if (question.kind === "filtered") return () => filtered.all(text, question.tag);
        return question.kind === "aggregated" ? () => counted.all(text) : () => ranked.all(text);
      },
      read(raw, { kind }) {
        const rows = raw as { id: number; tag: string; count: number }[];
        if (kind !== "aggregated") return { ids: rows.map(({ id }) => id) };
        return { ids: [], buckets: Object.fromEntries(rows.map(({ tag, count }) => [tag, count])) };
      },
      close: () => db.close(),
    };
  },
};
