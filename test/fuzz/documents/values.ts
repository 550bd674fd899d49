/** Values and documents: what fits a field, what nearly does, and what nobody expects there. */
import type { Random } from "../random.ts";
import { type Json, type JsonMap, text } from "../world.ts";
import { again, literal } from "./raw.ts";

const NUMBERS: readonly Json[] = [
  0,
  1,
  -1,
  5,
  7.9,
  -0.5,
  127,
  128,
  -129,
  32768,
  65504,
  65520,
  2147483648,
  "5",
  "7.9",
  " 7",
  "0x10",
  "1e3",
  "-0",
  "NaN",
  "Infinity",
  "1d",
  "",
  literal("-0"),
  literal("1.0"),
  literal("1e2"),
  literal("9223372036854775807"),
  literal("9223372036854775808"),
  literal("-9223372036854775809"),
  literal("9007199254740993"),
  literal("123456789012345678901234567890"),
  literal("1e400"),
  literal("3.5e38"),
  literal("1e-50"),
  literal("0.1000000000000000055511151231257827"),
  "9223372036854775808",
];

const DATES: readonly Json[] = [
  "2024-03-31",
  "2024-03-31T10:11:12Z",
  "2024-02-30",
  "2024-02-29T23:59:59.999Z",
  "2023-12-31T23:00:00-05:00",
  "2024",
  "2024-03",
  "2024-W05-3",
  "2024-060",
  "1969-12-31T23:59:59.999Z",
  "2024-03-31T10:11:12.123456789Z",
  "+12345-01-01",
  "-0001-01-01",
  "9999-12-31",
  "10000-01-01",
  "2024/03/31",
  "2024/03/31 10:11:12",
  "31.03.2024",
  "03/31/2024",
  "20240331",
  "now",
  "2024-03-31||+1d",
  0,
  -1,
  1711879872000,
  1711879872000.5,
  literal("1711879872000123456789"),
  "1711879872000",
  "1711879872.5",
  "2263-01-01",
  "1677-01-01",
  "",
  " 2024-01-01",
  "2024-01-01T24:00:00",
  "2024-1-1",
];

const WORDS: readonly string[] = [
  "a",
  "A",
  "b",
  "red",
  "Red Car",
  "red car",
  "红色",
  "x-1",
  "",
  " ",
  "true",
  "10",
  "ÀÉ",
  "ﬁ",
  "İ",
  "ß",
  "😀",
  "e\u0301",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "x\udc00y",
  "x".repeat(300),
];

const ADDRESSES: readonly Json[] = [
  "10.0.0.1",
  "::1",
  "::ffff:10.0.0.3",
  "2001:db8::a:1",
  "10.0.0.256",
  "10.0.0",
  "010.0.0.1",
  "fe80::1%eth0",
  "",
  "10.0.0.0/8",
  1,
];

const POINTS: readonly Json[] = [
  { lat: 41.12, lon: -71.34 },
  "41.12,-71.34",
  [-71.34, 41.12],
  "drm3btev3e86",
  "POINT (-71.34 41.12)",
  { type: "Point", coordinates: [-71.34, 41.12] },
  { lat: 91, lon: 0 },
  [0, 0, 5],
  "x",
  { lat: "41", lon: "b" },
  { lat: 1 },
];

/** Anything. */
export function stray(random: Random, depth = 0): Json {
  if (depth < 2 && random.oneIn(4))
    return random.pick<() => Json>([
      () => ({ [random.pick(["a", "b.c", "k"])]: stray(random, depth + 1) }),
      () => [stray(random, depth + 1), stray(random, depth + 1)],
      () => [[stray(random, depth + 1)], null],
      () => ({}),
      () => [],
      () => [{}, { a: 1 }],
    ])();
  return random.pick<() => Json>([
    () => null,
    () => true,
    () => "false",
    () => random.pick(NUMBERS),
    () => random.pick(NUMBERS),
    () => random.pick(DATES),
    () => random.pick(WORDS),
    () => random.pick(ADDRESSES),
    () => text(random),
  ])();
}

function rangeOf(random: Random, values: readonly Json[]): Json {
  if (random.oneIn(8))
    return random.pick<Json>(["5", 5, { gte: 5, foo: 1 }, {}, { gt: null }, "10.0.0.0/8", null, { gte: 9, lte: 3 }]);
  return {
    ...(random.oneIn(5) ? {} : { [random.pick(["gte", "gt", "from"])]: random.pick(values) }),
    ...(random.oneIn(5) ? {} : { [random.pick(["lte", "lt", "to"])]: random.pick(values) }),
  };
}

/** A value for a field of a type, fitting or nearly so. */
export function fitting(random: Random, type: string): Json {
  switch (type) {
    case "text":
      return random.oneIn(3) ? random.pick(WORDS) : text(random);
    case "keyword":
    case "wildcard":
      return random.pick(WORDS);
    case "boolean":
      return random.pick<Json>([true, false, "true", "false", "", "True", "no", 1, 0]);
    case "date":
    case "date_nanos":
      return random.pick(DATES);
    case "ip":
      return random.pick(ADDRESSES);
    case "binary":
      return random.pick<Json>(["aGVsbG8=", "", "a", "aGVsbG8", "ä", "aGVs\nbG8=", 12]);
    case "geo_point":
      return random.pick(POINTS);
    case "flattened":
      return random.pick<Json>([
        { a: "x", b: { c: 1, d: [true, null, "y"] } },
        { "a.b": "x", a: { b: "y" } },
        {},
        "x",
        { a: [[1], [2]] },
        [{ a: 1 }, { a: "1" }],
        { "": 1 },
        { a: "long word that is above" },
        { a: literal("1.0"), b: literal("123456789012345678901234567890") },
        { a: "x\u0000y" },
      ]);
    case "integer_range":
    case "long_range":
    case "float_range":
    case "double_range":
      return rangeOf(random, [1, 5, 9, "7", 2.5, -3, null]);
    case "date_range":
      return rangeOf(random, ["2024-01-01", "2024-03-31T10:00:00Z", 1711879872000, null, "2024/01/01"]);
    case "ip_range":
      return rangeOf(random, ["10.0.0.1", "10.0.0.9", "::1", null]);
    case "dense_vector":
      return random.pick<Json>([
        [1, 2],
        [0.5, -1],
        [1],
        [1, 2, 3],
        [0, 0],
        ["1", "2"],
        [1, null],
        "0102",
        [[1, 2]],
        [literal("1e39"), 1],
      ]);
    case "completion":
      return random.pick<Json>([
        "a",
        ["a", "b"],
        { input: ["a"], weight: 3 },
        { input: "", weight: 1 },
        { weight: 1 },
        3,
        "",
      ]);
    case "object":
    case "nested":
      return random.pick<Json>([
        { a: 1 },
        [{ a: 1 }, { a: 2 }],
        {},
        [],
        "x",
        [{ a: 1 }, "x"],
        [null, { a: 1 }],
        [[{ a: 1 }]],
      ]);
    default:
      return random.pick(NUMBERS);
  }
}

/** A value of a field: one, several, none. */
export function someOf(random: Random, type: string): Json {
  const one = () => (random.oneIn(14) ? stray(random) : fitting(random, type));
  if (random.oneIn(12)) return null;
  if (random.oneIn(6)) return Array.from({ length: random.int(0, 3) }, () => (random.oneIn(8) ? null : one()));
  if (random.oneIn(25)) return [[one()], [one(), [one()]]];
  return one();
}

/** A field as the mapping has it. */
export interface Place {
  readonly path: string;
  readonly type: string;
}

const NEW_NAMES = [
  "n1",
  "n2",
  "new.a",
  "new.b",
  "o.new",
  "ne.new",
  "long_x",
  "x_str",
  "skip_me",
  "num_1",
  "date_at",
  "an ob.k",
  "名",
];
const ODD_NAMES = [
  "",
  " ",
  ".",
  ".a",
  "a.",
  "a..b",
  "a. .b",
  "_id",
  "_source",
  "_routing",
  "_ignored",
  "_field_names",
  "_x",
  "a".repeat(260),
  "*",
  "\u0000",
];

function put(document: JsonMap, path: string, value: Json, random: Random): void {
  if (random.oneIn(4)) {
    document[path] = value;
    return;
  }
  const [first, ...rest] = path.split(".");
  if (rest.length === 0) {
    document[first] = value;
    return;
  }
  const inner = document[first];
  if (inner === undefined) document[first] = {};
  else if (inner === null || typeof inner !== "object" || Array.isArray(inner)) {
    document[path] = value;
    return;
  }
  put(document[first] as JsonMap, rest.join("."), value, random);
}

/** A document for fields, with some of its own. */
export function documentOf(random: Random, places: readonly Place[]): Json {
  if (random.oneIn(60))
    return random.pick<Json>([
      literal(""),
      literal("{"),
      literal('{"a":1}}'),
      literal('{"a":1} {"b":2}'),
      literal("{'a':1}"),
      literal('{"a":01}'),
      literal('{"a":1,}'),
      literal('{"a":tru}'),
      literal('{"a":"\t"}'),
      literal('{"a":NaN}'),
      literal('{"a":"\\x"}'),
      literal("null"),
      [],
      [{ a: 1 }],
      "x",
      1,
    ]);
  const document: JsonMap = {};
  for (const { path, type } of random.some(places, 0, 5)) put(document, path, someOf(random, type), random);
  if (random.oneIn(3))
    for (let more = random.int(1, 2); more > 0; more--) put(document, random.pick(NEW_NAMES), stray(random), random);
  if (random.oneIn(25)) document[random.pick(ODD_NAMES)] = stray(random);
  if (random.oneIn(40)) {
    let deep: Json = stray(random);
    for (let left = random.pick([3, 18, 19, 20, 21, 25]); left > 0; left--)
      deep = random.oneIn(9) ? [{ d: deep }] : { d: deep };
    document.deep = deep;
  }
  if (random.oneIn(50)) {
    const [name] = Object.keys(document);
    if (name !== undefined) document[again(name)] = stray(random);
  }
  return document;
}
