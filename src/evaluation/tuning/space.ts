/** What is tuned, and over which values: each parameter a list, or a range that is cut into steps or drawn from. */
import { InvalidArgumentError } from "../../schema/index.ts";
import { seededRandom } from "../random.ts";

/** Parameter → value. What is not in it stays as it is. */
export type Values = Readonly<Record<string, number>>;

/** A value that is tuned, with those that are tried. */
export type Parameter = { name: string } & ({ values: readonly number[] } | { low: number; high: number });

/** Combinations of a grid at most. */
const MOST = 2000;

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?::(${NUMBER}))?$`);

/**
 * `bm25.b=0.3,0.5,0.75`, `bm25.k1=0.6..2:0.2` (from, to, step) or `bm25.k1=0.6..2` (a range, for random search).
 *
 * @throws InvalidArgumentError for what is neither
 */
export function parseParameter(text: string): Parameter {
  const [, name, written] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  const wrong = (what: string) => new InvalidArgumentError("parameter", text, `the parameter "${text}" ${what}`);
  if (!name || written === undefined) throw wrong("must be NAME=VALUES, such as bm25.b=0.3,0.5,0.75");
  const range = RANGE.exec(written.trim());
  if (!range) {
    const values = written.split(",").map((value) => (value.trim() === "" ? Number.NaN : Number(value)));
    if (!values.every(Number.isFinite))
      throw wrong("must have numbers with commas between, or a range such as 0..1:0.1");
    return { name, values: [...new Set(values)] };
  }
  const [low, high] = [Number(range[1]), Number(range[2])];
  if (low >= high) throw wrong("must begin below its end");
  if (range[3] === undefined) return { name, low, high };
  const step = Number(range[3]);
  if (!(step > 0) || (high - low) / step > MOST) throw wrong(`must have a step above 0, and at most ${MOST} steps`);
  const count = Math.floor((high - low) / step + 1e-9) + 1;
  return { name, values: Array.from({ length: count }, (_, i) => rounded(low + i * step)) };
}

/** Every combination. @throws InvalidArgumentError for a range without a step, or too many combinations */
export function gridOf(parameters: readonly Parameter[]): Values[] {
  let out: Values[] = [{}];
  for (const parameter of parameters) {
    const { name } = parameter;
    if (!("values" in parameter)) {
      throw new InvalidArgumentError(
        "parameter",
        name,
        `${name} is a range without a step: give one (${name}=${parameter.low}..${parameter.high}:STEP), or search at random`,
      );
    }
    if (out.length * parameter.values.length > MOST) {
      throw new InvalidArgumentError(
        "parameter",
        name,
        `the grid has more than ${MOST} points: take fewer values, or search at random`,
      );
    }
    out = out.flatMap((values) => parameter.values.map((value) => ({ ...values, [name]: value })));
  }
  return out;
}

/** So many points of chance, each once. Of whole ranges the numbers are whole. */
export function randomPoints(parameters: readonly Parameter[], count: number, seed: number): Values[] {
  const random = seededRandom(seed);
  const points = new Map<string, Values>();
  // Few combinations run out before the count is reached.
  for (let tries = 0; points.size < count && tries < 50 * count; tries++) {
    const values = Object.fromEntries(parameters.map((parameter) => [parameter.name, drawn(parameter, random())]));
    points.set(JSON.stringify(values), values);
  }
  return [...points.values()];
}

function drawn(parameter: Parameter, share: number): number {
  if ("values" in parameter) return parameter.values[Math.floor(share * parameter.values.length)]!;
  const { low, high } = parameter;
  if (Number.isInteger(low) && Number.isInteger(high) && high - low > 1)
    return low + Math.floor(share * (high - low + 1));
  return Math.round((low + share * (high - low)) * 1000) / 1000;
}

const rounded = (value: number): number => Number(value.toPrecision(12));
