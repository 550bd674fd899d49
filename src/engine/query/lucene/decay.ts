/** Functions of how far a document's values are from an origin (Elasticsearch's DecayFunctionBuilder). */
import { illegalArgument } from "../../errors.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import type { LeafReader } from "../../segment/types.ts";
import { matched } from "../explanation.ts";
import type { LeafNumbers, Numbers } from "../field-data.ts";
import { leafPoints, metresBetween } from "../geo-distances.ts";
import type { ScoreFunction } from "./score-functions.ts";

/** A curve: its parameter from the scale and the score there, and the score at a distance. */
interface Curve {
  parameter(scale: number, decay: number): number;
  score(distance: number, parameter: number): number;
  show(distance: string, parameter: number): string;
}

export const CURVES = {
  gauss: {
    parameter: (scale, decay) => (0.5 * scale ** 2) / Math.log(decay),
    score: (distance, parameter) => Math.exp((0.5 * distance ** 2) / parameter),
    show: (distance, parameter) => `exp(-0.5*pow(${distance},2.0)/${javaDouble(-1 * parameter)})`,
  },
  exp: {
    parameter: (scale, decay) => Math.log(decay) / scale,
    score: (distance, parameter) => Math.exp(parameter * distance),
    show: (distance, parameter) => `exp(- ${distance} * ${javaDouble(-1 * parameter)})`,
  },
  linear: {
    parameter: (scale, decay) => scale / (1 - decay),
    score: (distance, parameter) => Math.max(0, (parameter - distance) / parameter),
    show: (distance, parameter) => `max(0.0, ((${javaDouble(parameter)} - ${distance})/${javaDouble(parameter)})`,
  },
} as const satisfies Record<string, Curve>;

export type CurveName = keyof typeof CURVES;

/** How several values of a document become one (MultiValueMode). */
export const MULTI_VALUE_MODES = ["sum", "avg", "median", "min", "max"] as const;
export type MultiValueMode = (typeof MULTI_VALUE_MODES)[number];

/** @param sorted at least one, ascending */
export function selectValue(sorted: readonly number[], mode: MultiValueMode): number {
  const { length } = sorted;
  if (mode === "min") return sorted[0];
  if (mode === "max") return sorted[length - 1];
  if (mode === "median") {
    const middle = length >>> 1;
    return length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
  let sum = 0;
  for (const value of sorted) sum += value;
  return mode === "sum" ? sum : sum / length;
}

/** The distances of a document's values from the origin, and how explain writes them. */
export interface Distances {
  /** How explain joins them, behind the mode. */
  readonly joined?: string;
  /** Elasticsearch's class of functions of them. */
  readonly shown: string;
  readonly text: string;
  leaf(leaf: LeafReader): { distances(doc: number): number[]; show(doc: number): string[] };
}

/** Distances on a line. */
export function numberDistances(numbers: Numbers, origin: number, offset: number): Distances {
  const valuesOf = (values: LeafNumbers, doc: number) =>
    Array.from({ length: values.count(doc) }, (_, i) => values.value(doc, i));
  return {
    shown: "org.elasticsearch.index.query.functionscore.DecayFunctionBuilder$NumericFieldDataScoreFunction",
    text: `${origin} ${offset}`,
    leaf(leaf) {
      const values = numbers(leaf);
      return {
        distances: (doc) => valuesOf(values, doc).map((value) => Math.max(0, Math.abs(value - origin) - offset)),
        show: (doc) =>
          valuesOf(values, doc).map(
            (value) =>
              `Math.max(Math.abs(${javaDouble(value)}(=doc value) - ${javaDouble(origin)}(=origin))) - ${javaDouble(offset)}(=offset), 0)`,
          ),
      };
    },
  };
}

/** Distances along the earth. @param field of points */
export function geoDistances(field: string, origin: GeoPoint, offset: number): Distances {
  const text = ({ lat, lon }: GeoPoint) => `${javaDouble(lat)}, ${javaDouble(lon)}`;
  return {
    shown: "org.elasticsearch.index.query.functionscore.DecayFunctionBuilder$GeoFieldDataScoreFunction",
    joined: " of: ",
    text: `${origin.lat} ${origin.lon} ${offset}`,
    leaf(leaf) {
      const points = leafPoints(leaf, field) ?? (() => []);
      return {
        distances: (doc) => points(doc).map((point) => Math.max(0, metresBetween(origin, point) - offset)),
        show: (doc) =>
          points(doc).map(
            (point) =>
              `Math.max(arcDistance(${text(point)}(=doc value),${text(origin)}(=origin)) - ${javaDouble(offset)}(=offset), 0)`,
          ),
      };
    },
  };
}

export interface Decay {
  readonly field: string;
  readonly curve: CurveName;
  readonly scale: number;
  readonly decay: number;
  readonly offset: number;
  readonly mode: MultiValueMode;
  readonly distances: Distances;
}

/** @throws illegal_argument_exception for a scale, decay or offset that make no curve */
export function decayFunction({ field, curve, scale, decay, offset, mode, distances }: Decay): ScoreFunction {
  if (scale <= 0) throw illegalArgument("function_score : scale must be > 0.0.");
  if (decay <= 0 || decay >= 1) throw illegalArgument("function_score : decay must be in the range [0..1].");
  if (offset < 0) throw illegalArgument("function_score : offset must be > 0.0");
  const { parameter: parameterOf, score: scoreAt, show }: Curve = CURVES[curve];
  const parameter = parameterOf(scale, decay);
  return {
    weight: 1,
    shown: distances.shown,
    text: `${curve}(${field}, ${parameter}, ${mode}, ${distances.text})`,
    leaf(leaf) {
      const of = distances.leaf(leaf);
      const score = (doc: number): number => {
        const all = of.distances(doc);
        // A document without a value lies at the origin.
        const distance =
          all.length === 0
            ? 0
            : selectValue(
                all.sort((a, b) => a - b),
                mode,
              );
        return scoreAt(distance, parameter);
      };
      return {
        score,
        explain(doc) {
          const shown = of.show(doc);
          const values = `${mode.toUpperCase()}${distances.joined ?? ""}[${shown.length === 0 ? "0.0" : shown.join(", ")}]`;
          return matched(score(doc), `Function for field ${field}:`, [matched(score(doc), show(values, parameter))]);
        },
      };
    },
  };
}
