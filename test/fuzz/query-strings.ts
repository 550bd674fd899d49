/** Random queries in the syntax of Lucene and its simple kin, and queries whose terms come from elsewhere. */
import type { Random } from "./random.ts";
import { type Field, type Json, type JsonMap, keyword, type World } from "./world.ts";

/** Stands for the name of the index, which a request knows only when it is sent. */
export const INDEX = "__index__";

const OPERATORS = [" ", " ", " AND ", " OR ", " && ", " || ", " NOT ", " +", " -", " !"];
const TAILS = ["", "", "", "*", "?", "~", "~1", "~2", "^2", "^0.5", "~1^2"];

/** @param words gives a few words that stand in some document */
export function queryStringText(random: Random, names: readonly string[], words: () => string): string {
  const piece = (depth: number): string => {
    const word = () => words().split(/\s+/)[0] ?? "";
    const named = random.oneIn(3) ? `${random.pick([...names, "missing", "_exists_", "*"])}:` : "";
    switch (random.int(0, 9)) {
      case 0:
        return `${named}"${words().replaceAll('"', "")}"${random.pick(["", "", "~2", "^3"])}`;
      case 1:
        return depth > 0 ? `${named}(${pieces(depth - 1)})${random.pick(["", "^2"])}` : word();
      case 2:
        return `${named}${random.pick(["[", "{"])}${word() || "a"} TO ${random.pick(["*", word() || "z"])}${random.pick(["]", "}"])}`;
      case 3:
        return `${named}${random.pick([">", ">=", "<", "<="])}${random.pick([word(), "5", "2024"])}`;
      case 4:
        return `${named}/${word().replaceAll("/", "")}.*/`;
      default:
        return named + word() + random.pick(TAILS);
    }
  };
  const pieces = (depth: number): string => {
    let text = piece(depth);
    for (let more = random.int(0, 3); more > 0; more--) text += random.pick(OPERATORS) + piece(depth);
    return text;
  };
  return (random.oneIn(8) ? random.pick(["+", "-", "NOT "]) : "") + pieces(2);
}

function sharedOptions(random: Random, names: readonly string[]): JsonMap {
  const options: JsonMap = {};
  const weighted = () => random.some(names, 1, 3).map((name) => (random.oneIn(4) ? `${name}^2` : name));
  if (!random.oneIn(3)) options.fields = random.oneIn(6) ? ["*"] : weighted();
  if (random.oneIn(3)) options.default_operator = random.pick(["and", "or", "AND"]);
  if (random.oneIn(3)) options.lenient = random.oneIn(2);
  if (random.oneIn(4)) options.analyze_wildcard = random.oneIn(2);
  if (random.oneIn(5)) options.minimum_should_match = random.pick<Json>([1, 2, "50%", "-1"]);
  if (random.oneIn(6)) options.fuzzy_transpositions = random.oneIn(2);
  if (random.oneIn(6)) options.fuzzy_prefix_length = random.int(0, 2);
  if (random.oneIn(6)) options.quote_field_suffix = ".raw";
  if (random.oneIn(6)) options.auto_generate_synonyms_phrase_query = random.oneIn(2);
  return options;
}

export function queryStringOf(random: Random, names: readonly string[], words: () => string): JsonMap {
  const options = sharedOptions(random, names);
  if (options.fields === undefined && random.oneIn(3)) options.default_field = random.pick([...names, "*", "missing"]);
  if (random.oneIn(5)) options.phrase_slop = random.int(0, 2);
  if (random.oneIn(6)) options.type = random.pick(["best_fields", "most_fields", "cross_fields", "phrase"]);
  if (random.oneIn(6)) options.tie_breaker = random.pick([0, 0.3, 1]);
  if (random.oneIn(8)) options.fuzziness = random.pick<Json>(["AUTO", 0, 1, 2]);
  if (random.oneIn(8)) options.allow_leading_wildcard = random.oneIn(2);
  if (random.oneIn(10)) options.escape = true;
  return { query_string: { query: queryStringText(random, names, words), ...options } };
}

const SIMPLE_FLAGS = ["ALL", "NONE", "AND|OR|PREFIX", "PHRASE|SLOP", "NOT|PRECEDENCE|ESCAPE", "FUZZY|WHITESPACE"];

export function simpleQueryStringOf(random: Random, names: readonly string[], words: () => string): JsonMap {
  const word = () => words().split(/\s+/)[0] ?? "";
  const piece = () =>
    random.pick([
      word(),
      `${word()}*`,
      `"${words().replaceAll('"', "")}"`,
      `${word()}~1`,
      `"${words()}"~2`,
      `(${words()})`,
    ]);
  let query = piece();
  for (let more = random.int(0, 3); more > 0; more--)
    query += random.pick([" ", " + ", " | ", " -", " +", "|"]) + piece();
  const options = sharedOptions(random, names);
  if (random.oneIn(4)) options.flags = random.pick(SIMPLE_FLAGS);
  if (random.oneIn(6)) options.fuzzy_max_expansions = random.pick([1, 50]);
  return { simple_query_string: { query, ...options } };
}

/** `terms_set`, terms of another document, and a query in Base64. */
export function termsFromElsewhere(
  random: Random,
  world: World,
  field: Field,
  termOf: () => Json,
  again: () => JsonMap,
): JsonMap {
  const numeric = world.fields.filter(
    ({ type, nested }) => nested === undefined && /integer|long|short|byte/.test(type),
  );
  switch (random.int(0, 2)) {
    case 0: {
      const terms = Array.from({ length: random.int(0, 4) }, termOf);
      const least = numeric.length > 0 ? random.pick(numeric).name : "missing";
      const by: JsonMap = random.oneIn(3)
        ? { minimum_should_match: random.pick<Json>([1, 2, "50%"]) }
        : { minimum_should_match_field: least };
      return { terms_set: { [field.name]: { terms, ...by, ...(random.oneIn(5) ? { boost: 2 } : {}) } } };
    }
    case 1: {
      const path = random.pick(world.fields.map(({ name }) => name).filter((name) => !name.endsWith(".raw")));
      return { terms: { [field.name]: { index: INDEX, id: String(random.int(0, 9)), path } } };
    }
    default:
      return { wrapper: { query: Buffer.from(JSON.stringify(again())).toString("base64") } };
  }
}

const RUNTIME_TYPES = ["keyword", "long", "double", "date", "boolean", "ip"];

/** Runtime fields of a search: some under new names, some in the place of fields. */
export function runtimeMappingsOf(random: Random, world: World): JsonMap {
  const names = world.fields.filter(({ nested, type }) => nested === undefined && type !== "dense_vector");
  return Object.fromEntries(
    random
      .some([...names.map(({ name }) => name), "others"], 1, 2)
      .map((name) => [name, { type: random.pick(RUNTIME_TYPES) }]),
  );
}

/** Queries on runtime fields. */
export function runtimeQueryOf(random: Random, mappings: JsonMap): JsonMap {
  const name = random.pick(Object.keys(mappings));
  const value = random.pick<Json>([
    keyword(random),
    random.int(-20, 20),
    "2024-03-31",
    true,
    "10.0.0.1",
    "10.0.0.0/8",
    1.5,
    "",
  ]);
  return random.pick<JsonMap>([
    { exists: { field: name } },
    { term: { [name]: value } },
    { terms: { [name]: [value, keyword(random)] } },
    { range: { [name]: { [random.pick(["gte", "gt"])]: value } } },
    { range: { [name]: { [random.pick(["lte", "lt"])]: value } } },
    { match: { [name]: value } },
    { prefix: { [name]: "r" } },
    { wildcard: { [name]: "*d*" } },
    { regexp: { [name]: "r.*" } },
    { fuzzy: { [name]: "rde" } },
  ]);
}
