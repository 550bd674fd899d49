/** Indices about text: every parameter of mappings that decides how it is found, analyzers of their own, aliases, and a second index beside the first. */
import { FILTERS, TOKENIZERS } from "../analysis-parts.ts";
import { INDEX } from "../query-strings.ts";
import type { Random } from "../random.ts";
import {
  ANALYZERS,
  batchesOf,
  type Field,
  type Json,
  type JsonMap,
  keyword,
  mappingsOf,
  ordinaryDocumentOf,
  type World,
} from "../world.ts";

/** Names of the analyzers that an index has beside those that are built in. */
const OWN_ANALYZERS = ["own_1", "own_2"];

function analysisOf(random: Random): JsonMap {
  const filter: JsonMap = {};
  const named = (part: Json, name: string): string => {
    if (typeof part === "string") return part;
    filter[name] = part;
    return name;
  };
  const tokenizer: JsonMap = {};
  const isSynonyms = (part: Json) => JSON.stringify(part).includes('"synonym');
  // Rules of synonyms go through the filters before them, which the node does for some that Elasticsearch's own modules refuse there.
  const plain = FILTERS.filter((part) => !isSynonyms(part));
  const synonyms = FILTERS.filter(isSynonyms);
  const analyzer = Object.fromEntries(
    OWN_ANALYZERS.map((name, at): [string, Json] => {
      const withRules = random.oneIn(6);
      // Rules are analyzed by the chain as well: a tokenizer that keeps their words whole.
      const part = withRules ? "standard" : random.pick(TOKENIZERS);
      if (typeof part !== "string") tokenizer[`tokenizer_${at}`] = part;
      const before = random.oneIn(3) ? [] : ["lowercase"];
      const rules = withRules ? [named(random.pick(synonyms), `synonyms_${at}`)] : [];
      const after = random.some(plain, 0, 2).map((each, place) => named(each, `filter_${at}_${place}`));
      // Beside text that is analyzed, Elasticsearch's own filters of characters change parts of terms too; the node's do not.
      const chars = !withRules && random.oneIn(4) ? ["html_strip"] : [];
      return [
        name,
        {
          type: "custom",
          tokenizer: typeof part === "string" ? part : `tokenizer_${at}`,
          filter: [...before, ...rules, ...after],
          char_filter: chars,
          ...(random.oneIn(4) ? { position_increment_gap: random.pick([0, 1, 5]) } : {}),
        },
      ];
    }),
  );
  const normalizer = {
    folded: { type: "custom", filter: random.pick([["lowercase"], ["lowercase", "asciifolding"], ["uppercase"]]) },
  };
  const defaults: JsonMap = {};
  if (random.oneIn(8)) defaults.default = { tokenizer: random.pick(["whitespace", "standard", "keyword"]) };
  if (random.oneIn(12)) defaults.default_search = { tokenizer: random.pick(["whitespace", "standard", "ik_smart"]) };
  return { analyzer: { ...analyzer, ...defaults }, tokenizer, filter, normalizer };
}

/** Every analyzer that a query may name, and one that there is not. */
export const analyzerNames = [...ANALYZERS, ...OWN_ANALYZERS, "nope"];

const analyzerOf = (random: Random): string => random.pick(random.oneIn(3) ? OWN_ANALYZERS : ANALYZERS);

function textMapping(random: Random): JsonMap {
  const mapping: JsonMap = { type: "text" };
  if (!random.oneIn(6)) mapping.analyzer = analyzerOf(random);
  if (random.oneIn(8)) mapping.norms = false;
  if (random.oneIn(6)) mapping.index_options = random.pick(["docs", "freqs", "positions", "offsets"]);
  if (random.oneIn(5)) mapping.term_vector = random.pick(["no", "yes", "with_positions", "with_positions_offsets"]);
  if (random.oneIn(6)) mapping.similarity = random.pick(["boolean", "mine", "BM25"]);
  if (mapping.analyzer !== undefined && random.oneIn(5)) mapping.search_analyzer = analyzerOf(random);
  if (mapping.search_analyzer !== undefined && random.oneIn(3)) mapping.search_quote_analyzer = analyzerOf(random);
  if (mapping.analyzer !== undefined && random.oneIn(10)) mapping.position_increment_gap = random.pick([0, 1, 3]);
  if (random.oneIn(10)) mapping.index = false;
  // A text that is stored only has Elasticsearch fail where it is asked whether it exists.
  if (mapping.index !== false && random.oneIn(8)) mapping.store = true;
  if (random.oneIn(8)) mapping.fielddata = true;
  if (random.oneIn(6)) mapping.index_prefixes = random.pick<Json>([{}, { min_chars: 1, max_chars: 3 }]);
  if (random.oneIn(8)) mapping.index_phrases = true;
  const positions = mapping.index_options === undefined || /positions|offsets/.test(String(mapping.index_options));
  if (!positions || mapping.index === false)
    for (const key of ["fielddata", "index_prefixes", "index_phrases", "position_increment_gap", "term_vector"])
      delete mapping[key];
  if (random.oneIn(3)) mapping.fields = { raw: keywordMapping(random) };
  return mapping;
}

function keywordMapping(random: Random): JsonMap {
  const mapping: JsonMap = { type: "keyword" };
  if (random.oneIn(4)) mapping.ignore_above = random.pick([1, 4, 5, 256]);
  if (random.oneIn(8)) mapping.null_value = "NULL";
  if (random.oneIn(4)) mapping.normalizer = "folded";
  if (random.oneIn(10)) mapping.index = false;
  if (random.oneIn(8)) mapping.doc_values = false;
  if (random.oneIn(10)) mapping.store = true;
  if (random.oneIn(10)) mapping.norms = true;
  if (random.oneIn(10)) mapping.similarity = random.pick(["boolean", "mine", "BM25"]);
  if (random.oneIn(10)) mapping.split_queries_on_whitespace = true;
  if (random.oneIn(12)) mapping.eager_global_ordinals = true;
  return mapping;
}

function completionMapping(random: Random): JsonMap {
  const mapping: JsonMap = { type: "completion" };
  if (random.oneIn(2)) mapping.analyzer = analyzerOf(random);
  if (mapping.analyzer !== undefined && random.oneIn(4)) mapping.search_analyzer = analyzerOf(random);
  if (random.oneIn(4)) mapping.preserve_separators = false;
  if (random.oneIn(4)) mapping.preserve_position_increments = false;
  if (random.oneIn(4)) mapping.max_input_length = random.pick([5, 20]);
  return mapping;
}

function otherMapping(random: Random, type: string): JsonMap {
  const mapping: JsonMap = { type };
  if (random.oneIn(10)) mapping.index = false;
  if (random.oneIn(10)) mapping.doc_values = false;
  if (random.oneIn(10)) mapping.store = true;
  if (type !== "boolean" && random.oneIn(6)) mapping.ignore_malformed = random.oneIn(2);
  if (/integer|long|short|byte|float|double/.test(type) && random.oneIn(6)) mapping.coerce = random.oneIn(2);
  if (random.oneIn(8))
    mapping.null_value = type === "boolean" ? true : type === "ip" ? "::1" : type.startsWith("date") ? 7_000 : 7;
  if (type.startsWith("date") && random.oneIn(4))
    mapping.format = random.pick(["yyyy-MM-dd||epoch_millis", "strict_date_optional_time||yyyy", "epoch_second"]);
  return mapping;
}

function fieldsOf(random: Random): Field[] {
  const fields: Field[] = [];
  const add = (name: string, mapping: JsonMap, nested?: string) => {
    fields.push({ name, type: String(mapping.type), mapping, nested });
    const inner = mapping.fields as { raw?: JsonMap } | undefined;
    if (inner?.raw) fields.push({ name: `${name}.raw`, type: "keyword", mapping: inner.raw, nested });
  };
  for (let at = random.int(1, 4); at > 0; at--) add(`t${at}`, textMapping(random));
  for (let at = random.int(1, 2); at > 0; at--) add(`k${at}`, keywordMapping(random));
  const others = "integer long short byte float double half_float boolean date date_nanos ip".split(" ");
  for (const type of random.some(others, 1, 4))
    add(type === "date_nanos" ? "nanos" : type.slice(0, 2), otherMapping(random, type));
  if (random.oneIn(5)) add("span", { type: "integer_range" });
  if (random.oneIn(4)) add("flat", { type: "flattened", ...(random.oneIn(3) ? { ignore_above: 3 } : {}) });
  if (random.oneIn(6)) add("bytes", { type: "binary", ...(random.oneIn(2) ? { doc_values: true } : {}) });
  if (random.oneIn(6)) add("co", completionMapping(random));
  if (random.oneIn(2)) {
    add("ob.t", textMapping(random));
    add("ob.i", otherMapping(random, "integer"));
  }
  if (random.oneIn(2)) {
    add("ne.t", textMapping(random), "ne");
    add("ne.k", keywordMapping(random), "ne");
    add("ne.n", otherMapping(random, "integer"), "ne");
  }
  copied(random, fields);
  if (random.oneIn(4)) {
    const { name, type } = random.pick(fields.filter(({ nested, type }) => nested === undefined && type !== "binary"));
    fields.push({ name: "other_name", type, mapping: { type: "alias", path: name }, unwritten: true });
  }
  return fields;
}

/** Fields whose values go to another field as well. */
function copied(random: Random, fields: Field[]): void {
  if (!random.oneIn(4)) return;
  const all: Field = { name: "all", type: "text", mapping: textMapping(random), unwritten: true };
  delete all.mapping.fields;
  for (const { mapping, name, nested, type } of fields) {
    const fits = nested === undefined && !name.endsWith(".raw") && /^(text|keyword|integer|long|ip)$/.test(type);
    if (fits && random.oneIn(2)) mapping.copy_to = random.oneIn(4) ? ["all", "new_copy"] : "all";
  }
  fields.push(all);
}

const TEMPLATES: readonly JsonMap[] = [
  { strings: { match_mapping_type: "string", mapping: { type: "keyword" } } },
  { longs: { match_mapping_type: "long", mapping: { type: "integer" } } },
  { extras: { match: "extra*", mapping: { type: "text", analyzer: "english" } } },
  { inner: { path_match: "more.*", mapping: { type: "text", fields: { raw: { type: "keyword" } } } } },
  { typed: { match_mapping_type: "*", unmatch: "d*", mapping: { type: "{dynamic_type}", store: true } } },
];

/** Now and then properties that no mapping names. */
function extraOf(random: Random): JsonMap {
  if (!random.oneIn(8)) return {};
  const name = random.pick(["extra", "more", "d y n", "extra_date", "more.flat"]);
  const leaf = random.pick<Json>([keyword(random), 5, 1.5, true, "2024-01-01", "12", [1, 2], null, []]);
  return { [name]: name === "more" ? { inner: leaf } : leaf };
}

function indexOf(random: Random): World {
  const fields = fieldsOf(random);
  const mappings = mappingsOf(fields);
  if (random.oneIn(4)) mappings.dynamic = random.pick<Json>([true, false, "strict", "runtime"]);
  if (mappings.dynamic === undefined && random.oneIn(3)) mappings.dynamic_templates = random.some(TEMPLATES, 1, 3);
  if (random.oneIn(10)) mappings.date_detection = false;
  if (random.oneIn(10)) mappings.numeric_detection = true;
  if (random.oneIn(30))
    mappings._source = random.pick<Json>([
      { enabled: false },
      { excludes: ["t1", "ob.*"] },
      { includes: ["t*", "ne"] },
    ]);
  const mine = { type: "BM25", k1: random.pick([0, 0.5, 2]), b: random.pick([0, 0.3, 1]) };
  const similarity: JsonMap = { mine };
  if (random.oneIn(8)) similarity.default = random.pick<Json>([{ type: "boolean" }, { type: "BM25", k1: 1.7 }]);
  return {
    texts: true,
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      refresh_interval: "-1",
      similarity,
      analysis: analysisOf(random),
      ...(random.oneIn(10) ? { "query.default_field": random.pick<Json>(["t1", ["t*", "k1"], "missing"]) } : {}),
      ...(random.oneIn(12) ? { "mapping.ignore_malformed": true } : {}),
      ...(random.oneIn(15) ? { "mapping.coerce": false } : {}),
    },
    mappings,
    fields,
    completes: false,
    batches: batchesOf(random, () => ({ ...ordinaryDocumentOf(random, fields), ...extraOf(random) })),
  };
}

export function textWorldOf(random: Random): World {
  const world = indexOf(random);
  const { name } = random.pick(world.fields);
  const filter = random.pick<JsonMap>([
    { exists: { field: name } },
    { match: { t1: "fox 年假 the" } },
    { bool: { must_not: { ids: { values: ["1", "2", "3"] } } } },
  ]);
  return {
    ...world,
    aliases: { [`${INDEX}-whole`]: {}, [`${INDEX}-part`]: { filter } },
    ...(random.oneIn(3) ? { other: indexOf(random) } : {}),
  };
}
