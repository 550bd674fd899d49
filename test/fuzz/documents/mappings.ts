/** Mappings: every type with options of its own and some of others', objects, dynamic rules and templates. */
import type { Random } from "../random.ts";
import type { Json, JsonMap } from "../world.ts";
import type { Place } from "./values.ts";

export const TYPES = (
  "text keyword long integer short byte double float half_float boolean date date_nanos ip binary geo_point flattened " +
  "integer_range long_range float_range double_range date_range ip_range dense_vector object nested alias completion"
).split(" ");
const SCALARS = [
  "text",
  "keyword",
  "long",
  "integer",
  "short",
  "byte",
  "double",
  "float",
  "half_float",
  "boolean",
  "date",
  "ip",
];
const NUMERIC = new Set(["long", "integer", "short", "byte", "double", "float", "half_float"]);
const FORMATS = [
  "strict_date_optional_time||epoch_millis",
  "yyyy-MM-dd",
  "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_second",
  "dd.MM.uuuu||date_optional_time",
  "epoch_millis",
  "basic_date",
  "strict_year_month",
  "yyyy-MM-dd'T'HH:mm:ssXXX",
  "date_hour_minute_second_millis",
  "week_date",
  "strict_ordinal_date",
  "MM/dd/yyyy",
  "iso8601",
  "yyyy-MM-dd||",
  "foo",
  "",
];

const bool = (random: Random): Json =>
  random.oneIn(12) ? random.pick<Json>(["true", "false", "x", null, 1]) : random.oneIn(2);

type Option = readonly [name: string, make: (random: Random) => Json];

const INDEX: Option = ["index", bool];
const STORE: Option = ["store", bool];
const DOC_VALUES: Option = ["doc_values", bool];
const COPY_TO: Option = [
  "copy_to",
  (random) =>
    random.pick<Json>([
      "all",
      ["all"],
      ["all", "other"],
      "o.copied",
      "ne.copied",
      "f1",
      [],
      null,
      "x*",
      "",
      ["all", null],
    ]),
];
const IGNORE_MALFORMED: Option = ["ignore_malformed", (random) => (random.oneIn(5) ? bool(random) : true)];
const COERCE: Option = ["coerce", bool];
const META: Option = ["meta", (random) => random.pick<Json>([{ unit: "m" }, {}, null, { a: 1 }, "x"])];
const FIELDS: Option = [
  "fields",
  (random) =>
    random.pick<() => Json>([
      () => ({ raw: { type: "keyword", ignore_above: random.pick([3, 256]) } }),
      () => ({ t: { type: "text" }, raw: { type: "keyword" } }),
      () => ({ num: { type: "long", ignore_malformed: true } }),
      () => ({ num: { type: "integer" } }),
      () => ({ d: { type: "date", ignore_malformed: true } }),
      () => ({}),
      () => [],
      () => ({ "a.b": { type: "keyword" } }),
      () => ({ o: { type: "object" } }),
    ])(),
];
const NULLS: { readonly [type: string]: readonly Json[] } = {
  keyword: ["NULL", "", "long null value", 5, null],
  boolean: [true, "false", "x", null],
  date: ["2024-01-01", "x", 0, null, ""],
  date_nanos: ["2024-01-01", "1960-01-01"],
  ip: ["10.0.0.7", "x", null],
  geo_point: ["1,2", { lat: 1, lon: 2 }, [200, 2]],
  flattened: ["NULL", null],
};
const nullOf =
  (type: string) =>
  (random: Random): Json =>
    random.pick<Json>(NULLS[type] ?? [0, 7, "5", 7.9, "x", null, -129, ""]);

function optionsOf(type: string): Option[] {
  const shared = [STORE, META, FIELDS];
  if (NUMERIC.has(type))
    return [
      ...shared,
      COPY_TO,
      INDEX,
      DOC_VALUES,
      IGNORE_MALFORMED,
      IGNORE_MALFORMED,
      COERCE,
      COERCE,
      ["null_value", nullOf(type)],
    ];
  switch (type) {
    case "text":
      return [
        ...shared,
        COPY_TO,
        INDEX,
        [
          "analyzer",
          (random) => random.pick(["standard", "simple", "whitespace", "english", "keyword", "stop", "nope", "own"]),
        ],
        ["search_analyzer", (random) => random.pick(["standard", "simple"])],
        ["search_quote_analyzer", (random) => random.pick(["standard", "simple"])],
        ["norms", bool],
        ["index_options", (random) => random.pick<Json>(["docs", "freqs", "positions", "offsets", "x", null])],
        ["position_increment_gap", (random) => random.pick<Json>([0, 1, 50, -1, "2", "x"])],
        ["similarity", (random) => random.pick<Json>(["BM25", "boolean", "mine", "nope", null])],
        [
          "term_vector",
          (random) => random.pick(["no", "yes", "with_positions", "with_offsets", "with_positions_offsets", "x"]),
        ],
        ["fielddata", bool],
        ["eager_global_ordinals", bool],
        ["index_prefixes", (random) => random.pick<Json>([{}, { min_chars: 1, max_chars: 3 }])],
        ["index_phrases", bool],
      ];
    case "keyword":
      return [
        ...shared,
        COPY_TO,
        INDEX,
        DOC_VALUES,
        ["ignore_above", (random) => random.pick<Json>([0, 1, 3, 256, -1, "4", 2.5])],
        ["ignore_above", (random) => random.pick<Json>([1, 3, 256])],
        ["null_value", nullOf(type)],
        ["normalizer", (random) => random.pick<Json>(["lowercase", "folded", "folded", "default", "nope", null])],
        ["norms", bool],
        ["index_options", (random) => random.pick<Json>(["docs", "freqs", "positions"])],
        ["similarity", (random) => random.pick<Json>(["BM25", "boolean", null])],
        ["eager_global_ordinals", bool],
        ["split_queries_on_whitespace", bool],
      ];
    case "boolean":
    case "ip":
    case "geo_point":
      return [...shared, COPY_TO, INDEX, DOC_VALUES, IGNORE_MALFORMED, IGNORE_MALFORMED, ["null_value", nullOf(type)]];
    case "date":
    case "date_nanos":
      return [
        ...shared,
        COPY_TO,
        INDEX,
        DOC_VALUES,
        IGNORE_MALFORMED,
        ["null_value", nullOf(type)],
        ["format", (random) => random.pick(FORMATS)],
        ["format", (random) => random.pick(FORMATS)],
        ["locale", (random) => random.pick<Json>(["en", "ENGLISH", "de_DE", "", "ROOT", null])],
      ];
    case "binary":
      return [["store", bool], ["doc_values", bool], META, COPY_TO];
    case "flattened":
      return [
        INDEX,
        DOC_VALUES,
        META,
        ["ignore_above", (random) => random.pick<Json>([1, 3, 50, -1])],
        ["null_value", nullOf(type)],
        ["depth_limit", (random) => random.pick<Json>([1, 2, 20, 0, -1])],
        ["split_queries_on_whitespace", bool],
        ["eager_global_ordinals", bool],
        ["index_options", (random) => random.pick<Json>(["docs", "freqs", "x"])],
        ["similarity", () => "BM25"],
      ];
    case "dense_vector":
      return [
        ["dims", (random) => random.pick<Json>([2, 2, 2, 3, 0, 5000, "2", null])],
        ["similarity", (random) => random.pick(["cosine", "dot_product", "l2_norm", "max_inner_product", "x"])],
        ["index", bool],
        ["element_type", (random) => random.pick(["float", "byte", "bit", "x"])],
        META,
      ];
    case "completion":
      return [
        ["max_input_length", (random) => random.pick<Json>([1, 5, 0, -1])],
        ["preserve_separators", bool],
        ["analyzer", (random) => random.pick(["simple", "standard"])],
        COPY_TO,
        FIELDS,
      ];
    case "object":
      return [
        ["dynamic", (random) => random.pick<Json>([true, false, "strict", "runtime", "false", "x", null])],
        ["enabled", bool],
        ["subobjects", bool],
      ];
    case "nested":
      return [
        ["dynamic", (random) => random.pick<Json>([true, false, "strict"])],
        ["include_in_parent", bool],
        ["include_in_root", bool],
        ["enabled", bool],
      ];
    case "alias":
      return [];
    default:
      return [STORE, META, INDEX, DOC_VALUES, COERCE, COPY_TO, ["format", (random) => random.pick(FORMATS)]];
  }
}

/** A mapping of one field. @param wrong how often an option is another type's or of no use: once in so many times */
export function fieldOf(random: Random, type: string, wrong: number, depth = 0): JsonMap {
  const field: JsonMap = type === "object" && random.oneIn(2) ? {} : { type };
  if (type === "alias") field.path = random.pick(["f1", "f2", "o.f1", "none", "al"]);
  if (type === "dense_vector" && !random.oneIn(4)) field.dims = 2;
  for (const [name, make] of random.some(optionsOf(type), 0, random.oneIn(3) ? 4 : 2)) field[name] = make(random);
  if ((type === "object" || type === "nested") && depth < 2 && !random.oneIn(4))
    field.properties = propertiesOf(random, wrong, depth + 1);
  if (random.oneIn(wrong)) {
    const other = optionsOf(random.pick(TYPES));
    if (random.oneIn(2) && other.length > 0) {
      const [name, make] = random.pick(other);
      field[name] = make(random);
    } else
      field[random.pick(["foo", "boost", "include_in_all", "_x", "Type", "properties", "dynamic"])] = random.pick<Json>(
        [1, "x", true, null, {}],
      );
  }
  if (random.oneIn(wrong * 2))
    field.type = random.pick<Json>(["string", "", "Keyword", null, 1, "_doc", [], "nested", "object"]);
  return field;
}

function propertiesOf(random: Random, wrong: number, depth: number): JsonMap {
  const properties: JsonMap = {};
  for (let at = random.int(depth === 0 ? 2 : 1, depth === 0 ? 7 : 3); at > 0; at--)
    properties[`f${at}`] = fieldOf(random, random.oneIn(2) ? random.pick(SCALARS) : random.pick(TYPES), wrong, depth);
  if (depth === 0) {
    if (random.oneIn(2)) properties.o = fieldOf(random, "object", wrong, depth);
    if (random.oneIn(3)) properties.ne = fieldOf(random, "nested", wrong, depth);
    if (random.oneIn(4)) properties["d.e"] = fieldOf(random, random.pick(SCALARS), wrong, depth);
    if (random.oneIn(6)) properties.al = fieldOf(random, "alias", wrong, depth);
  }
  if (random.oneIn(wrong)) properties[random.pick(["", " ", ".", "a..b", "_id", "x."])] = { type: "keyword" };
  return properties;
}

function templateOf(random: Random, wrong: number): JsonMap {
  const template: JsonMap = {};
  const some = (name: string, make: () => Json, often = 4) => {
    if (random.oneIn(often)) template[name] = make();
  };
  some(
    "match_mapping_type",
    () =>
      random.oneIn(wrong)
        ? random.pick<Json>(["text", "String", "foo", 1, []])
        : random.pick<Json>([
            "string",
            "long",
            "double",
            "boolean",
            "date",
            "object",
            "*",
            "string",
            ["string", "long"],
          ]),
    2,
  );
  some("match", () =>
    random.pick<Json>(["n*", "*_x", "x_*", "num_*", ["n1", "x*"], "*", "long_*", "^n[0-9]$", "skip*"]),
  );
  some("unmatch", () => random.pick<Json>(["skip*", "n2", ["a*", "k"], "*"]), 6);
  some("path_match", () => random.pick<Json>(["new.*", "o.*", "*.new", "ne.*", "new.a", ["o.*", "new.*"]]), 5);
  some("path_unmatch", () => random.pick<Json>(["*.b", "new.b", "ne.*"]), 8);
  some("match_pattern", () => random.pick<Json>(["regex", "simple", "regex", "x"]), 6);
  some("unmatch_mapping_type", () => random.pick<Json>(["long", ["long", "date"]]), 12);
  const kind = random.pick(["mapping", "mapping", "mapping", "runtime"]);
  template[kind] = random.pick<() => Json>([
    () => ({
      type: random.pick(kind === "runtime" ? ["keyword", "long", "date", "double", "boolean", "ip"] : SCALARS),
    }),
    () => ({ type: "{dynamic_type}" }),
    () => (kind === "runtime" ? {} : { type: "keyword", ignore_above: 3 }),
    () => (kind === "runtime" ? {} : { type: "text", fields: { raw: { type: "keyword" } }, copy_to: "all" }),
    () => (kind === "runtime" ? {} : fieldOf(random, random.pick(SCALARS), wrong)),
    () => (kind === "runtime" ? {} : { type: "keyword", copy_to: "by_{name}", meta: { of: "{name}" } }),
    () => (kind === "runtime" ? {} : { index: false }),
    () => (kind === "runtime" ? {} : { type: "object", dynamic: random.pick<Json>([false, "strict"]) }),
    () => (kind === "runtime" ? {} : { type: "nested" }),
    () => ({}),
  ])();
  if (random.oneIn(wrong * 2)) template[random.pick(["foo", "mapping", "matches"])] = random.pick<Json>([1, null, {}]);
  return template;
}

/** A whole mapping. */
export function mappingsOf(random: Random, wrong: number): JsonMap {
  const mappings: JsonMap = {};
  if (!random.oneIn(8)) mappings.properties = propertiesOf(random, wrong, 0);
  if (random.oneIn(3))
    mappings.dynamic = random.pick<Json>([
      true,
      true,
      false,
      "strict",
      "runtime",
      "true",
      ...(random.oneIn(wrong) ? ["x", null, 1] : []),
    ]);
  if (random.oneIn(3))
    mappings.dynamic_templates = Array.from({ length: random.int(1, 3) }, (_, at) => ({
      [`t${random.oneIn(20) ? 0 : at}`]: templateOf(random, wrong),
    }));
  if (random.oneIn(5)) mappings.numeric_detection = bool(random);
  if (random.oneIn(6)) mappings.date_detection = bool(random);
  if (random.oneIn(6))
    mappings.dynamic_date_formats = random.pick<Json>([
      ["yyyy/MM/dd"],
      ["dd.MM.yyyy", "strict_date"],
      "yyyy",
      [],
      ["epoch_millis"],
      ["foo"],
      null,
    ]);
  if (random.oneIn(12)) mappings._routing = { required: true };
  if (random.oneIn(12))
    mappings._source = random.pick<Json>([
      { enabled: false },
      { includes: ["f*"] },
      { excludes: ["f1", "o.*"] },
      {},
      { enabled: "x" },
      { mode: "stored" },
    ]);
  if (random.oneIn(12)) mappings._meta = random.pick<Json>([{ a: 1 }, {}, null, "x"]);
  if (random.oneIn(12)) mappings.subobjects = bool(random);
  if (random.oneIn(15))
    mappings.runtime = random.pick<Json>([
      { r: { type: "keyword" } },
      { f1: { type: "long" } },
      { r: null },
      { r: { type: "x" } },
      {},
      [],
    ]);
  if (random.oneIn(15)) mappings._field_names = random.pick<Json>([{ enabled: false }, {}]);
  if (random.oneIn(wrong))
    mappings[random.pick(["foo", "_all", "_type", "enabled", "include_in_all"])] = random.pick<Json>([
      {},
      true,
      null,
      "x",
    ]);
  return mappings;
}

/** The fields of a mapping that documents write to. */
export function placesOf(mappings: JsonMap, prefix = ""): Place[] {
  const isMap = (value: Json | undefined): value is JsonMap =>
    value !== null && typeof value === "object" && !Array.isArray(value);
  if (!isMap(mappings.properties)) return [];
  return Object.entries(mappings.properties).flatMap(([name, field]): Place[] => {
    if (!isMap(field)) return [];
    const path = `${prefix}${name}`;
    const type = typeof field.type === "string" ? field.type : "object";
    return [{ path, type }, ...placesOf(field, `${path}.`)];
  });
}
