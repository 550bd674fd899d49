/** BM25 with other constants than 1.2 and 0.75. They are the index's: `setBm25` changes them, without indexing again. */
import type { Client } from "@elastic/elasticsearch";
import { z } from "zod";
import { defineRetriever, retrieveOptions, type Strategy } from "../retrieval/index.ts";
import { type CallOptions, InvalidArgumentError } from "../schema/index.ts";

/** BM25's constants: `k1` (from 0; how soon a repeated word counts no more) and `b` (0 to 1; how much length is discounted). */
export interface Bm25Constants {
  /** How soon a repeated word counts no more. */
  k1: number;
  /** How much a long text is discounted, from 0 to 1. */
  b: number;
}

/** BM25's constants where nothing else was set: k1 1.2, b 0.75. */
export const BM25_DEFAULTS: Bm25Constants = { k1: 1.2, b: 0.75 };

interface IndexPlace {
  readonly client: Client;
  readonly index: string;
}

/** The constants that an index has. */
export async function readBm25({ client, index }: IndexPlace, { signal }: CallOptions = {}): Promise<Bm25Constants> {
  const answer = await client.indices.getSettings({ index }, signal ? { signal } : {});
  const similarity = Object.values(answer)[0]?.settings?.index?.similarity as
    | Record<string, { type?: string; k1?: unknown; b?: unknown } | undefined>
    | undefined;
  const own = similarity?.["default"];
  if (own?.type !== undefined && own.type !== "BM25") {
    throw new InvalidArgumentError("index", index, `the index ${index} scores by ${own.type}, which has no k1 and b`);
  }
  return { k1: Number(own?.k1 ?? BM25_DEFAULTS.k1), b: Number(own?.b ?? BM25_DEFAULTS.b) };
}

/**
 * Gives an index other constants. It is closed for a moment, and searches in that moment fail; nothing is indexed again.
 *
 * @example await setBm25(collection, { k1: 1.5, b: 0.5 });
 */
export async function setBm25(
  place: IndexPlace,
  constants: Bm25Constants,
  { signal }: CallOptions = {},
): Promise<void> {
  const { k1, b } = checked(constants);
  const { client, index } = place;
  const call = signal ? { signal } : {};
  await client.indices.close({ index }, call);
  try {
    await client.indices.putSettings(
      { index, settings: { index: { similarity: { default: { type: "BM25", k1, b } } } } },
      call,
    );
  } finally {
    // Opened whatever happened, also when the caller gave up.
    await client.indices.open({ index });
    await client.cluster.health({ index, wait_for_status: "yellow", timeout: "30s" });
  }
}

function checked({ k1, b }: Bm25Constants): Bm25Constants {
  if (!(k1 >= 0 && Number.isFinite(k1)))
    throw new InvalidArgumentError("k1", k1, "k1 must be a number that is not negative");
  if (!(b >= 0 && b <= 1)) throw new InvalidArgumentError("b", b, "b must be between 0 and 1");
  return { k1, b };
}

const options = z.strictObject({
  k1: z
    .number()
    .min(0)
    .optional()
    .describe("how soon a repeated word counts no more; what the index has, where nothing is said"),
  b: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe("how much a long text is discounted; what the index has, where nothing is said"),
});

export const bm25Tuned: Strategy<"bm25-tuned", typeof options> = {
  name: "bm25-tuned",
  title: "words, by BM25 with constants found on a validation set",
  goodFor: "collections of unusual texts, once k1 and b were measured (huiliu tune)",
  options,
  retriever(target, { k1, b }, call) {
    const words = call.strategy("bm25", {}, call.highlight ? { highlight: call.highlight } : {});
    return defineRetriever(
      async (input) => {
        const own = retrieveOptions(input);
        const has = await readBm25(target, own);
        if ((k1 !== undefined && k1 !== has.k1) || (b !== undefined && b !== has.b)) {
          throw new InvalidArgumentError(
            k1 !== undefined && k1 !== has.k1 ? "k1" : "b",
            { k1, b },
            `the index ${target.index} has k1 = ${has.k1} and b = ${has.b}, which hold for every search: change them with setBm25(collection, { k1: ${k1 ?? has.k1}, b: ${b ?? has.b} }), or let huiliu tune do it`,
          );
        }
        return words.retrieve(input, own);
      },
      { name: "bm25-tuned", follow: false },
    );
  },
};
