/** One value of several, by the mode of a sort (Elasticsearch's MultiValueMode). */
import { narrow } from "../../mapping/java-numbers.ts";
import { compareNumbers } from "./order.ts";

export type SortMode = "min" | "max" | "sum" | "avg" | "median";

export const SORT_MODES: readonly SortMode[] = ["min", "max", "sum", "avg", "median"];

/** Java's Math.round. */
const roundHalfUp = (value: number) => narrow(BigInt(Math.floor(value + 0.5)));

function extreme(values: readonly (number | bigint)[], sign: 1 | -1): number | bigint {
  let best = values[0];
  for (const value of values) if (sign * compareNumbers(value, best) > 0) best = value;
  return best;
}

/** Longs, ascending. A sum wraps around as Java's. */
export function pickLong(values: readonly (number | bigint)[], mode: SortMode): number | bigint {
  const { length } = values;
  switch (mode) {
    case "min":
      return extreme(values, -1);
    case "max":
      return extreme(values, 1);
    case "median": {
      const middle = (length - 1) >> 1;
      return length % 2 === 1 ? values[middle] : roundHalfUp((Number(values[middle]) + Number(values[middle + 1])) / 2);
    }
    default: {
      const sum = narrow(
        BigInt.asIntN(
          64,
          values.reduce<bigint>((total, value) => total + BigInt(value), 0n),
        ),
      );
      return mode === "sum" || length === 1 ? sum : roundHalfUp(Number(sum) / length);
    }
  }
}

export function pickDouble(values: readonly number[], mode: SortMode): number {
  const { length } = values;
  switch (mode) {
    case "min":
      return values.reduce((a, b) => Math.min(a, b));
    case "max":
      return values.reduce((a, b) => Math.max(a, b));
    case "median": {
      const middle = (length - 1) >> 1;
      return length % 2 === 1 ? values[middle] : (values[middle] + values[middle + 1]) / 2;
    }
    default: {
      const sum = values.reduce((total, value) => total + value, 0);
      return mode === "sum" ? sum : sum / length;
    }
  }
}
