import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type Question, TOP } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Found {
  id: number;
  score: number;
  tag: string;
}
interface Index {
  addAll(documents: readonly object[]): void;
  search(query: string, options: object): Found[];
  toJSON(): object;
}
interface Module {
  default: { new (options: object): Index; loadJS(from: object, options: object): Index };
}

const OPTIONS = { fields: ["text"], storeFields: ["tag"] };

function searchOptions({ kind, tag }: Question): object {
  if (kind === "fuzzy") return { fuzzy: 1 };
  if (kind === "prefix") return { prefix: true };
  return kind === "filtered" ? { filter: (found: Found) => found.tag === tag } : {};
}

function counted(found: readonly Found[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tag } of found) counts[tag] = (counts[tag] ?? 0) + 1;
  return counts;
}

export const minisearch: Peer = {
  name: "MiniSearch",
  module: "minisearch",
  settings:
    "tags stored; its defaults otherwise (BM25+ with k 1.2, b 0.7, d 0.5); saved with v8.serialize, as a JSON text has a greatest length",
  kinds: ({ dims }) => (dims > 0 ? [] : ["1 term", "3 terms", "10 terms", "fuzzy", "prefix", "filtered", "aggregated"]),
  async create(_suite, folder) {
    const { default: MiniSearch } = await load<Module>("minisearch");
    const index = new MiniSearch(OPTIONS);
    return {
      add: (passages) => index.addAll(passages.map(({ id, text, tag }) => ({ id, text, tag }))),
      save: () => writeFileSync(join(folder, "index"), serialize(JSON.parse(JSON.stringify(index.toJSON())))),
    };
  },
  async open(_suite, folder) {
    const { default: MiniSearch } = await load<Module>("minisearch");
    const index = MiniSearch.loadJS(deserialize(readFileSync(join(folder, "index"))) as object, OPTIONS);
    return {
      prepare(question) {
        const text = question.words.join(" ");
        const options = searchOptions(question);
        if (question.kind === "aggregated") return () => counted(index.search(text, options));
        return () => index.search(text, options).slice(0, TOP);
      },
      read: (raw, { kind }) =>
        kind === "aggregated"
          ? { ids: [], buckets: raw as Record<string, number> }
          : { ids: (raw as Found[]).map(({ id }) => id) },
    };
  },
};
