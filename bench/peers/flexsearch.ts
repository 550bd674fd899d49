import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOP } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Index {
  add(id: number, text: string): void;
  search(query: string, options: object): number[];
  export(keep: (key: string, data: string | undefined) => unknown): unknown;
  import(key: string, data: string): void;
}
interface Module {
  default: { Index: new (options: object) => Index };
}

const OPTIONS = { tokenize: "strict", resolution: 9, cache: false };

export const flexsearch: Peer = {
  name: "FlexSearch",
  module: "flexsearch",
  settings: "Index, tokenize strict, resolution 9, suggest (so that any of the words suffices); it has no BM25",
  kinds: ({ dims }) => (dims > 0 ? [] : ["1 term", "3 terms", "10 terms"]),
  async create(_suite, folder) {
    const { default: FlexSearch } = await load<Module>("flexsearch");
    const index = new FlexSearch.Index(OPTIONS);
    return {
      add(passages) {
        for (const { id, text } of passages) index.add(id, text);
      },
      async save() {
        mkdirSync(join(folder, "parts"));
        await index.export((key, data) => {
          if (data !== undefined) writeFileSync(join(folder, "parts", key), data);
        });
      },
    };
  },
  async open(_suite, folder) {
    const { default: FlexSearch } = await load<Module>("flexsearch");
    const index = new FlexSearch.Index(OPTIONS);
    for (const key of readdirSync(join(folder, "parts")))
      index.import(key, readFileSync(join(folder, "parts", key), "utf8"));
    return {
      prepare({ words }) {
        const text = words.join(" ");
        return () => index.search(text, { limit: TOP, suggest: true });
      },
      read: (raw) => ({ ids: raw as number[] }),
    };
  },
};
