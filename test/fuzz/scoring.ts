/** Random queries whose scores functions change. */
import type { Random } from "./random.ts";
import type { Field, Json, JsonMap, World } from "./world.ts";

const SCORE_MODES = ["multiply", "sum", "avg", "first", "max", "min", "FIRST", "total"];
const BOOST_MODES = ["multiply", "replace", "sum", "avg", "max", "min"];
const MODIFIERS = ["none", "log", "log1p", "log2p", "ln", "ln1p", "ln2p", "square", "sqrt", "reciprocal"];
const NUMBERS = ["integer", "long", "short", "byte", "float", "double", "half_float", "boolean"];

/** @param again a query within it */
export function functionScoreOf(random: Random, world: World, again: () => JsonMap): JsonMap {
  const body: JsonMap = random.oneIn(8) ? {} : { query: again() };
  const functions = Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => functionOf(random, world.fields));
  if (functions.length === 1 && random.oneIn(3)) {
    const [name, value] = Object.entries(functions[0])[0];
    body[name] = value;
  } else {
    body.functions = functions.map((each) => {
      const whole: JsonMap = { ...each };
      if (random.oneIn(3)) whole.weight = random.pick([0, 0.5, 2, 3.7]);
      if (random.oneIn(2)) whole.filter = random.oneIn(6) ? { match_all: {} } : again();
      return whole;
    });
  }
  if (random.oneIn(2)) body.score_mode = random.pick(random.oneIn(30) ? SCORE_MODES : SCORE_MODES.slice(0, 6));
  if (random.oneIn(2)) body.boost_mode = random.pick(BOOST_MODES);
  if (random.oneIn(6)) body.max_boost = random.pick([0.5, 2, 10]);
  if (random.oneIn(6)) body.min_score = random.pick([0.1, 0.9, 2]);
  if (random.oneIn(6)) body.boost = random.pick([0, 0.5, 3]);
  return { function_score: body };
}

function functionOf(random: Random, fields: readonly Field[]): JsonMap {
  const any = () => random.pick(fields).name;
  const one = (types: readonly string[]) => {
    const fitting = fields.filter(({ type }) => types.includes(type));
    return fitting.length === 0 || random.oneIn(40) ? any() : random.pick(fitting).name;
  };
  return random.pick<() => JsonMap>([
    () => ({ weight: random.pick([0, 0.3, 1, 4]) }),
    () => ({
      field_value_factor: {
        field: one(NUMBERS),
        ...(random.oneIn(2) ? { factor: random.pick([0.1, 1.5, 3]) } : {}),
        ...(random.oneIn(2) ? { modifier: random.pick(MODIFIERS) } : {}),
        ...(random.oneIn(6) ? {} : { missing: random.pick([1, 2.5]) }),
      },
    }),
    () => ({
      random_score: {
        seed: random.pick<Json>([42, -7, "autumn", 2 ** 40, 0]),
        field: random.oneIn(2) ? "_seq_no" : one([...NUMBERS, "keyword", "date", "date_nanos", "ip"]),
      },
    }),
    () =>
      decayOf(random, one(NUMBERS), {
        origin: random.int(-20, 20),
        scale: random.pick([0.5, 3, 20]),
        ...(random.oneIn(3) ? { offset: random.pick([0, 1.5, 4]) } : {}),
      }),
    () =>
      decayOf(random, one(["date", "date_nanos"]), {
        origin: random.pick(["2024-03-31", "2024", "2024-03-01||+1M/d", "1970-01-01T00:00:00Z"]),
        scale: random.pick(["10d", "36h", "9000d"]),
        ...(random.oneIn(3) ? { offset: random.pick(["0d", "2d", "90m"]) } : {}),
      }),
  ])();
}

function decayOf(random: Random, field: string, parameters: JsonMap): JsonMap {
  const decay: JsonMap = random.oneIn(3) ? { decay: random.pick([0.1, 0.33, 0.9]) } : {};
  const mode: JsonMap = random.oneIn(2)
    ? { multi_value_mode: random.pick(["min", "max", "avg", "sum", "median"]) }
    : {};
  return { [random.pick(["gauss", "exp", "linear"])]: { [field]: { ...parameters, ...decay }, ...mode } };
}

/** Documents by how near their date is to an origin. */
export function distanceFeatureOf(random: Random, fields: readonly Field[]): JsonMap {
  const dates = fields.filter(({ type }) => type === "date" || type === "date_nanos");
  const field = dates.length > 0 && !random.oneIn(20) ? random.pick(dates) : random.pick(fields);
  return {
    distance_feature: {
      field: field.name,
      origin: random.pick<Json>(["2024-03-31", "2024", "2024-03-01||+1M/d", "1970-01-01T00:00:00Z", 1711879872000]),
      pivot: random.pick(["10d", "36h", "9000d", "1ms"]),
      ...(random.oneIn(4) ? { boost: random.pick([0, 0.5, 3]) } : {}),
    },
  };
}
