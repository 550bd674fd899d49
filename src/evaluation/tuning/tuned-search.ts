/**
 * An index whose parameters can be changed: a copy in memory, so that the user's own stays as it is. `passages.size` and `passages.overlap` cut
 * the documents anew, `bm25.k1` and `bm25.b` are settings of the index, `boosts.FIELD` weigh the fields of the words; every other parameter is an
 * option of the strategy (`weights.bm25`, `cutoff`, `slop` …).
 */
import type { Client } from "@elastic/elasticsearch";
import { strategyRetriever } from "../../catalogue/index.ts";
import { bm25Of, boostedFields, setBm25 } from "../../collection/tuning.ts";
import type { Collection } from "../../collection/types.ts";
import { bareField } from "../../retrieval/index.ts";
import { type CallOptions, InvalidArgumentError } from "../../schema/index.ts";
import type { Run } from "../evaluate.ts";
import type { Question } from "../questions.ts";
import { type DocumentOf, rankDocuments } from "../run.ts";
import type { Values } from "./space.ts";

/** A collection that may be changed, and how to let it go. */
export interface ScratchCollection {
  collection: Collection;
  client: Client;
  close(): Promise<void>;
}

/** The collection, the strategy and the parameters that a tuning searches with. */
export interface TunedSearchOptions {
  /** The collection as it is; searched where no parameter changes the index. */
  collection: Collection;
  /** A copy to change, with its passages cut to a size where one is given. Missing where the documents cannot be had again. */
  scratch(passages: { size?: number; overlap?: number }, options: CallOptions): Promise<ScratchCollection>;
  strategy: string;
  strategyOptions?: Readonly<Record<string, unknown>>;
  questions: readonly Question[];
  documentOf: DocumentOf;
  /** Default 100. */
  depth?: number;
}

const INDEX_PARAMETERS = ["bm25.k1", "bm25.b", "passages.size", "passages.overlap"];

/** Whether a parameter changes how documents are cut. */
export const cutsPassages = (name: string): boolean => name.startsWith("passages.");

/** @throws InvalidArgumentError for parameters of the index, or fields, that there are not */
/** Throws an InvalidArgumentError for a parameter that cannot be tuned. */
export function checkParameter(name: string, collection: Pick<Collection, "textFields">): void {
  const [group] = name.split(".");
  if ((group === "bm25" || group === "passages") && !INDEX_PARAMETERS.includes(name)) {
    throw new InvalidArgumentError(
      "parameter",
      name,
      `unknown parameter "${name}": known are ${INDEX_PARAMETERS.join(", ")}`,
    );
  }
  if (group !== "boosts") return;
  const fields = collection.textFields.map(bareField);
  if (!fields.includes(name.slice("boosts.".length))) {
    throw new InvalidArgumentError(
      "parameter",
      name,
      `there is no field for "${name}": known are ${fields.map((field) => `boosts.${field}`).join(", ")}`,
    );
  }
}

/** Candidates in an order in which what is costly to change changes seldom. */
export function inOrderOfCost(candidates: readonly Values[]): Values[] {
  const key = (values: Values) => INDEX_PARAMETERS.toReversed().map((name) => values[name] ?? Number.NEGATIVE_INFINITY);
  return [...candidates].sort((a, b) => {
    const [ka, kb] = [key(a), key(b)];
    const differs = ka.findIndex((value, i) => value !== kb[i]);
    return differs < 0 ? 0 : ka[differs]! - kb[differs]!;
  });
}

/** Makes rankings with parameters changed. Close it when all is done. */
export function tunedSearch(options: TunedSearchOptions) {
  const { questions, documentOf, depth = 100 } = options;
  let present: { k1: number; b: number } | undefined;
  let held: { key: string; scratch: ScratchCollection } | undefined;

  async function indexFor(values: Values, call: CallOptions): Promise<Collection> {
    if (!INDEX_PARAMETERS.some((name) => values[name] !== undefined)) return options.collection;
    const [size, overlap] = [values["passages.size"], values["passages.overlap"]];
    const passages = { ...(size === undefined ? {} : { size }), ...(overlap === undefined ? {} : { overlap }) };
    const key = JSON.stringify(passages);
    if (held?.key !== key) {
      await held?.scratch.close();
      held = undefined;
      held = { key, scratch: await options.scratch(passages, call) };
    }
    const { collection, client } = held.scratch;
    present ??= await bm25Of(options.collection.client, options.collection.index);
    const [k1 = present.k1, b = present.b] = [values["bm25.k1"], values["bm25.b"]];
    await setBm25(client, collection.index, { k1, b });
    return collection;
  }

  return {
    async run(values: Values, call: CallOptions = {}): Promise<Run> {
      const collection = await indexFor(values, call);
      const search = { ...strategyOptions(options.strategyOptions ?? {}, values), strategy: options.strategy };
      const target = { ...collection, textFields: boostedFields(collection.textFields, boostsOf(values)) };
      const retriever = strategyRetriever(target, { ...search, topK: depth });
      const run = new Map<string, string[]>();
      for (const question of questions) {
        const hits = await retriever.retrieve(question.text, call);
        run.set(
          question.id,
          rankDocuments(hits, (hit) => documentOf(hit, question)),
        );
      }
      return run;
    },
    close: async () => held?.scratch.close(),
  };
}

function boostsOf(values: Values): Record<string, number> {
  const prefix = "boosts.";
  const own = Object.entries(values).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/**
 * The strategy's options with those parameters that are options: `weights.bm25` is the weight of that list. Of two lists, bm25 and dense, one
 * weight up to 1 leaves the rest to the other.
 */
export function strategyOptions(given: Readonly<Record<string, unknown>>, values: Values): Record<string, unknown> {
  const out: Record<string, unknown> = { ...given };
  for (const [name, value] of Object.entries(values)) {
    if (INDEX_PARAMETERS.includes(name) || name.startsWith("boosts.")) continue;
    const [option, ...rest] = name.split(".");
    if (rest.length === 0) out[option!] = value;
    else out[option!] = { ...(out[option!] as object | undefined), [rest.join(".")]: value };
  }
  const weights = out["weights"] as Record<string, number> | undefined;
  const tuned = ["bm25", "dense"].filter((name) => values[`weights.${name}`] !== undefined);
  if (weights && tuned.length === 1 && Object.keys(weights).every((name) => name === "bm25" || name === "dense")) {
    const other = tuned[0] === "bm25" ? "dense" : "bm25";
    if (weights[tuned[0]!]! <= 1) weights[other] = Math.round((1 - weights[tuned[0]!]!) * 1e6) / 1e6;
  }
  return out;
}
