/** How surprising it is that a term is as frequent as it is among some documents, compared with all (SignificanceHeuristic). */
import { illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonObject } from "../../../json/types.ts";
import { contentError, isObject, readBoolean, tokenName } from "../../../query/dsl/read.ts";

export interface Frequencies {
  /** Documents of the set with the term, and all of the set. */
  readonly subset: number;
  readonly subsetSize: number;
  /** The same of what it is compared with. */
  readonly superset: number;
  readonly supersetSize: number;
}

export type Heuristic = (frequencies: Frequencies) => number;

/** The gain in frequency, absolute and relative. */
const jlh: Heuristic = ({ subset, subsetSize, superset, supersetSize }) => {
  if (subsetSize === 0 || supersetSize === 0) return 0;
  const within = subset / subsetSize;
  // A term that is nowhere else counts as if it were once.
  const overall = Math.max(superset, 1) / supersetSize;
  return within <= overall ? 0 : (within - overall) * (within / overall);
};

const percentage: Heuristic = ({ subset, superset }) => (superset === 0 ? 0 : subset / superset);

/** The four fields of the table "has the term" × "is of the set", with its sums. */
interface Table {
  readonly n11: number;
  readonly n10: number;
  readonly n01: number;
  readonly n00: number;
  readonly n1x: number;
  readonly n0x: number;
  readonly nx1: number;
  readonly nx0: number;
  readonly n: number;
}

function tableOf({ subset, subsetSize, superset, supersetSize }: Frequencies, isSuperset: boolean): Table {
  if (!isSuperset) {
    return {
      n11: subset,
      n10: superset,
      n01: subsetSize - subset,
      n00: supersetSize - superset,
      n1x: superset + subset,
      n0x: supersetSize + subsetSize - superset - subset,
      nx1: subsetSize,
      nx0: supersetSize,
      n: supersetSize + subsetSize,
    };
  }
  const hint =
    ', does your background filter not include all documents in the bucket? If so and it is intentional, set "background_is_superset": false\n';
  if (subset > superset) throw illegalArgument(`subsetFreq > supersetFreq${hint}`);
  if (subsetSize > supersetSize) throw illegalArgument(`subsetSize > supersetSize${hint}`);
  if (superset - subset > supersetSize - subsetSize) {
    throw illegalArgument(`supersetFreq - subsetFreq > supersetSize - subsetSize${hint}`);
  }
  return {
    n11: subset,
    n10: superset - subset,
    n01: subsetSize - subset,
    n00: supersetSize - superset - (subsetSize - subset),
    n1x: superset,
    n0x: supersetSize - superset,
    nx1: subsetSize,
    nx0: supersetSize - subsetSize,
    n: supersetSize,
  };
}

interface TableOptions {
  readonly includeNegatives: boolean;
  readonly isSuperset: boolean;
}

/** C. Manning, P. Raghavan, H. Schütze, "Introduction to Information Retrieval", 13.5.1. */
const mutualInformation =
  ({ includeNegatives, isSuperset }: TableOptions): Heuristic =>
  (frequencies) => {
    const t = tableOf(frequencies, isSuperset);
    const term = (both: number, row: number, column: number) => {
      const numerator = Math.abs(t.n * both);
      const share = both / t.n;
      if (numerator < 1e-7 && share < 1e-7) return 0;
      return share * (Math.log(numerator / Math.abs(row * column)) / Math.log(2));
    };
    const score =
      term(t.n00, t.n0x, t.nx0) + term(t.n01, t.n0x, t.nx1) + term(t.n10, t.n1x, t.nx0) + term(t.n11, t.n1x, t.nx1);
    if (Number.isNaN(score)) return -Number.MAX_VALUE;
    return !includeNegatives && isNegative(t) ? -score : score;
  };

/** The same, 13.5.2. */
const chiSquare =
  ({ includeNegatives, isSuperset }: TableOptions): Heuristic =>
  (frequencies) => {
    const t = tableOf(frequencies, isSuperset);
    const score = (t.n * (t.n11 * t.n00 - t.n01 * t.n10) ** 2) / (t.nx1 * t.n1x * t.n0x * t.nx0);
    if (Number.isNaN(score)) return -Number.MAX_VALUE;
    return !includeNegatives && isNegative(t) ? -score : score;
  };

/** The term is rarer in the set than elsewhere. */
const isNegative = ({ n11, nx1, n10, nx0 }: Table) => n11 / nx1 < n10 / nx0;

/** R. Cilibrasi, P. Vitányi, "The Google Similarity Distance" (2007); near is high. */
const googleDistance =
  (isSuperset: boolean): Heuristic =>
  (frequencies) => {
    const { n11, n1x, nx1, n } = tableOf(frequencies, isSuperset);
    if (n11 === 0) return 0;
    const [x, y] = [Math.log(n1x), Math.log(nx1)];
    const distance = (Math.max(x, y) - Math.log(n11)) / (Math.log(n) - Math.min(x, y));
    return Math.exp(-distance);
  };

export const HEURISTICS: readonly string[] = [
  "jlh",
  "percentage",
  "mutual_information",
  "chi_square",
  "gnd",
  "script_heuristic",
];

export const isHeuristic = (key: string) => HEURISTICS.includes(key);

export const DEFAULT_HEURISTIC = jlh;

/** @param key name of a heuristic, whose options are its value */
export function readHeuristic(json: JsonObject, key: string): Heuristic {
  const options = json[key];
  if (key === "script_heuristic") throw unsupported("significant_terms.script_heuristic");
  if (!isObject(options)) {
    throw contentError(json, { value: key }, `[${key}] Expected START_OBJECT but was: ${tokenName(options)}`);
  }
  const read = (...known: readonly string[]) => {
    for (const name of Object.keys(options)) {
      if (!known.includes(name)) throw contentError(options, { key: name }, `[${key}] unknown field [${name}]`);
    }
    const flag = (name: string, fallback: boolean) =>
      options[name] === undefined ? fallback : readBoolean(options[name]);
    return {
      includeNegatives: flag("include_negatives", false),
      isSuperset: flag("background_is_superset", true),
    };
  };
  switch (key) {
    case "mutual_information":
      return mutualInformation(read("include_negatives", "background_is_superset"));
    case "chi_square":
      return chiSquare(read("include_negatives", "background_is_superset"));
    case "gnd":
      return googleDistance(read("background_is_superset").isSuperset);
    case "percentage":
      read();
      return percentage;
    default:
      read();
      return jlh;
  }
}
