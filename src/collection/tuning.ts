/** What can be tuned of a collection's index: how documents are cut, k1 and b of BM25, and what the fields of the words weigh. */
import type { Client, estypes } from "@elastic/elasticsearch";
import { bareField } from "../retrieval/index.ts";
import { InvalidArgumentError } from "../schema/index.ts";

export interface IndexTuning {
  /** BM25's constants. Default 1.2 and 0.75. An index that is open for writing is changed when they differ. */
  bm25?: { k1?: number; b?: number };
  /** Tokens of a passage at most (default 256), and those that neighbours share (default 50). Files that were cut otherwise are cut anew when added. */
  passages?: { size?: number; overlap?: number };
  /** Weights of fields in full-text questions, by the field's name. */
  boosts?: Readonly<Record<string, number>>;
}

const DEFAULTS = { k1: 1.2, b: 0.75 };

/** Sets BM25's constants; the index is closed for a moment where they differ. What is not given has its default. */
export async function setBm25(
  client: Client,
  index: string,
  { k1 = DEFAULTS.k1, b = DEFAULTS.b }: NonNullable<IndexTuning["bm25"]>,
): Promise<void> {
  if (!(Number.isFinite(k1) && k1 >= 0)) throw wrong("bm25.k1", k1, "a number that is not negative");
  if (!(b >= 0 && b <= 1)) throw wrong("bm25.b", b, "a number from 0 to 1");
  const now = await bm25Of(client, index);
  if (now.k1 === k1 && now.b === b) return;
  await client.indices.close({ index });
  try {
    await client.indices.putSettings({ index, settings: { similarity: { default: { type: "BM25", k1, b } } } });
  } finally {
    await client.indices.open({ index });
  }
}

/** BM25's constants of an index. */
export async function bm25Of(client: Client, index: string): Promise<{ k1: number; b: number }> {
  const settings = Object.values(await client.indices.getSettings({ index }))[0]?.settings?.index;
  const own = settings?.similarity?.["default"] as Partial<estypes.IndicesSettingsSimilarityBm25> | undefined;
  return { k1: Number(own?.k1 ?? DEFAULTS.k1), b: Number(own?.b ?? DEFAULTS.b) };
}

/** Fields with their weights changed. @throws InvalidArgumentError for a field that is not searched, or a weight that is none */
export function boostedFields(fields: readonly string[], boosts: IndexTuning["boosts"] = {}): string[] {
  const names = fields.map(bareField);
  for (const [name, weight] of Object.entries(boosts)) {
    if (!names.includes(name)) {
      throw wrong(`boosts.${name}`, weight, `of a field that is searched: ${names.join(", ")}`);
    }
    if (!(Number.isFinite(weight) && weight >= 0))
      throw wrong(`boosts.${name}`, weight, "a number that is not negative");
  }
  return fields.map((field, i) => {
    const weight = Object.hasOwn(boosts, names[i]!) ? boosts[names[i]!] : undefined;
    return weight === undefined ? field : `${names[i]}^${weight}`;
  });
}

function wrong(name: string, value: unknown, what: string): InvalidArgumentError {
  return new InvalidArgumentError(name, value, `${name} must be ${what}`);
}
