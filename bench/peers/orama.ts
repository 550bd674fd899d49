import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { type Question, type Suite, TOP } from "../workload/types.ts";
import { load, type Peer } from "./types.ts";

interface Results {
  hits: { id: string }[];
  facets?: { group?: { values: Record<string, number> } };
}
interface Module {
  create(options: object): object;
  insertMultiple(db: object, documents: readonly object[], batch?: number): Promise<unknown> | unknown;
  search(db: object, options: object): Promise<Results> | Results;
  save(db: object): object;
  load(db: object, saved: object): void;
}

const schemaOf = ({ text, dims }: Suite) => ({
  tag: "enum",
  ...(text ? { text: "string", group: "string" } : {}),
  ...(dims > 0 ? { vector: `vector[${dims}]` } : {}),
});

/** Its English tokenizer leaves Chinese words out; they come with a space between them. */
const WORDS = {
  language: "words",
  normalizationCache: new Map<string, string>(),
  tokenize: (text: string) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])],
};

const settingsOf = (suite: Suite) => ({
  schema: schemaOf(suite),
  ...(suite.language === "zh" ? { components: { tokenizer: WORDS } } : {}),
});

function optionsOf({ kind, words, tag, vector }: Question): object {
  const term = words.join(" ");
  const near = { vector: { value: vector, property: "vector" }, similarity: 0, limit: TOP, includeVectors: false };
  if (kind === "kNN") return { ...near, mode: "vector" };
  if (kind === "kNN, filtered") return { ...near, mode: "vector", where: { tag: { eq: tag } } };
  if (kind === "hybrid") return { ...near, mode: "hybrid", term, properties: ["text"] };
  const text = { term, properties: ["text"], limit: TOP, threshold: 1 };
  if (kind === "fuzzy") return { ...text, tolerance: 1 };
  if (kind === "filtered") return { ...text, where: { tag: { eq: tag } } };
  return kind === "aggregated" ? { ...text, facets: { group: { limit: 50 } }, limit: 1 } : text;
}

export const orama: Peer = {
  name: "Orama",
  module: "@orama/orama",
  settings:
    "English tokenizer without stems, any of the words, which it takes for beginnings of words (its `exact` wants all of them); vectors are compared one by one; saved with v8.serialize, as a JSON text has a greatest length",
  kinds: ({ dims, text }) => {
    if (dims > 0) return text ? ["hybrid"] : ["kNN", "kNN, filtered"];
    return ["1 term", "3 terms", "10 terms", "fuzzy", "prefix", "filtered", "aggregated"];
  },
  async create(suite, folder) {
    const { create, insertMultiple, save } = await load<Module>("@orama/orama");
    const db = create(settingsOf(suite));
    return {
      add: (passages) =>
        insertMultiple(
          db,
          passages.map(({ id, text, tag, vector }) => ({
            id: String(id),
            tag,
            ...(suite.text ? { text, group: tag } : {}),
            ...(suite.dims > 0 ? { vector: Array.from(vector) } : {}),
          })),
          1000,
        ),
      save: () => writeFileSync(join(folder, "index"), serialize(save(db))),
    };
  },
  async open(suite, folder) {
    const { create, search, load: restore } = await load<Module>("@orama/orama");
    const db = create(settingsOf(suite));
    restore(db, deserialize(readFileSync(join(folder, "index"))) as object);
    return {
      prepare(question) {
        const options = optionsOf(question);
        return () => search(db, options);
      },
      read(raw) {
        const { hits, facets } = raw as Results;
        return { ids: hits.map(({ id }) => Number(id)), ...(facets?.group ? { buckets: facets.group.values } : {}) };
      },
    };
  },
};
