/** Similarities of an index's settings (`index.similarity.*`), as SimilarityService and SimilarityProviders read them. */
import { illegalArgument, unsupported } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import type { Similarity } from "../query/types.ts";

/** Lucene's BM25Similarity with Elasticsearch's defaults. */
const BM25: Similarity = { type: "BM25", k1: Math.fround(1.2), b: 0.75 };
const BOOLEAN: Similarity = { type: "boolean" };
const ONLY_IN_ELASTICSEARCH = new Set(["DFR", "IB", "LMDirichlet", "LMJelinekMercer", "DFI", "scripted"]);

export interface Similarities {
  /** Undefined for a name that neither Elasticsearch nor the settings know. */
  get(name: string): Similarity | undefined;
  /** Of fields that name none: the settings' `default`, else BM25. */
  readonly default: Similarity;
}

/** @param settings the object under `similarity`, values as get-settings prints them */
export function parseSimilarities(settings: JsonObject | undefined): Similarities {
  const named = new Map<string, Similarity>();
  for (const [name, value] of Object.entries(settings ?? {})) {
    if (name === "BM25" || name === "boolean") {
      throw illegalArgument(`illegal value for [index.similarity.${name}] cannot redefine built-in similarity`);
    }
    named.set(name, parseSimilarity(name, (typeof value === "object" && value !== null ? value : {}) as JsonObject));
  }
  return {
    get: (name) => named.get(name) ?? (name === "BM25" ? BM25 : name === "boolean" ? BOOLEAN : undefined),
    default: named.get("default") ?? BM25,
  };
}

function parseSimilarity(name: string, settings: JsonObject): Similarity {
  const { type, ...rest } = settings;
  if (type === undefined || type === null) throw illegalArgument(`Similarity [${name}] must have an associated type`);
  if (ONLY_IN_ELASTICSEARCH.has(String(type))) throw unsupported(`similarity [${type}]`);
  if (type !== "BM25" && type !== "boolean") throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`);
  const known = type === "BM25" ? ["k1", "b", "discount_overlaps"] : [];
  const unknown = Object.keys(rest).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    throw illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.join(", ")}]`);
  if (type === "boolean") return BOOLEAN;
  if (rest.discount_overlaps !== undefined && String(rest.discount_overlaps) !== "true") {
    throw unsupported("similarity setting [discount_overlaps: false]");
  }
  const k1 = readFloat(rest.k1, "k1", 1.2);
  const b = readFloat(rest.b, "b", 0.75);
  if (!Number.isFinite(k1) || k1 < 0)
    throw illegalArgument(`illegal k1 value: ${printFloat(k1)}, must be a non-negative finite value`);
  if (!(b >= 0 && b <= 1)) throw illegalArgument(`illegal b value: ${printFloat(b)}, must be between 0 and 1`);
  return { type: "BM25", k1, b };
}

function readFloat(value: unknown, key: string, otherwise: number): number {
  if (value === undefined || value === null) return Math.fround(otherwise);
  const text = String(value).trim();
  const number = text === "" ? Number.NaN : Number(text);
  if (Number.isNaN(number) && text !== "NaN")
    throw illegalArgument(`Failed to parse value [${value}] for setting [${key}]`);
  return Math.fround(number);
}

/** As Java prints a float of moderate size. */
function printFloat(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(Number(value.toPrecision(8)));
}
