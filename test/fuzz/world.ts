/** Random indices and documents: English, Chinese and mixed text, numbers, dates, nested objects, arrays, nulls, unusual Unicode. */
import { placeOf } from "./geo.ts";
import type { Random } from "./random.ts";
import { vectorMapping, vectorOf } from "./vectors.ts";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

export interface Field {
  /** Full path. */
  readonly name: string;
  readonly type: string;
  /** Nested object that holds it. */
  readonly nested?: string;
  /** Documents have no value of their own for it. */
  readonly unwritten?: true;
  readonly mapping: JsonMap;
}

/** Lines of one bulk request; a refresh follows each. */
export type Batch = readonly (readonly [action: JsonMap, body?: JsonMap])[];

export interface World {
  /** Only what has to do with text: no vectors, places, completions or functions of scores, and nothing beside hits. */
  readonly texts?: true;
  readonly settings: JsonMap;
  readonly mappings: JsonMap;
  readonly fields: readonly Field[];
  /** There is a field for completions, which nothing else asks for. */
  readonly completes: boolean;
  readonly batches: readonly Batch[];
  /** Aliases of the index. */
  readonly aliases?: JsonMap;
  /** Another index, beside this one: its name has `-b` at its end. */
  readonly other?: World;
}

const ENGLISH =
  "the quick brown fox jumps over a lazy dog leave leaves leaving policy policies running ran runs employee's O'Neil can't annual days 2024 3.14 1,000 e-mail re-enter user_name foo.bar http://example.com/a?b=c and or not is of to in NASA iPhone naïve café ﬁne".split(
    " ",
  );
const CHINESE = [
  "员工请假需要提前三天申请",
  "年假",
  "年休假有几天",
  "婚假",
  "试用期",
  "中华人民共和国",
  "北京大学生",
  "加班费",
  "3天",
  "第十二条",
  "研究生命起源",
  "的",
  "和",
  "工资",
  "规定",
  "部门经理",
  "医院证明",
  "南京市长江大桥",
  "一万二千元",
  "ＡＢＣ全角",
  "〇",
  "㐀𠀀",
];
const UNUSUAL = [
  "😀",
  "👨‍👩‍👧‍👦",
  "🇨🇳",
  "e\u0301",
  "\u200b",
  "\ufeff",
  "\u0000",
  "ß",
  "İ",
  "ǅ",
  "\u0391\u03a3",
  "שלום",
  "مرحبا",
  "กขค",
  "한국어",
  "ひらがなカタカナ",
  "ｶﾅ",
  "\u00a0",
  "Ⅷ",
  "½",
  "①",
  "…",
  "—",
  "“引号”",
  "，",
  "。",
  "\t",
  "\n",
  "a\u0300\u0301\u0302",
  "\u{1F3FB}",
  "x".repeat(260),
  "\ud800",
];

/** Several sentences, with the marks between them that matter where texts are cut. */
function sentences(random: Random): string {
  const ends = [". ", ".", "! ", "? ", "。", "！", "; ", ".  ", '." ', ".) (", "\n", "...", ", ", " — ", ".\u2029"];
  return Array.from({ length: random.int(2, 8) }, () => {
    const words = random.oneIn(3) ? CHINESE : ENGLISH;
    const sentence = Array.from({ length: random.int(1, 9) }, () => random.pick(words));
    const joined = sentence.join(words === ENGLISH ? " " : "");
    return (random.oneIn(2) ? joined[0].toUpperCase() + joined.slice(1) : joined) + random.pick(ends);
  }).join("");
}

export function text(random: Random): string {
  if (random.oneIn(6)) return sentences(random);
  const kind = random.int(0, 9);
  const words = (pool: readonly string[], most: number) =>
    Array.from({ length: random.int(1, most) }, () => random.pick(pool));
  if (kind < 4) return words(ENGLISH, 12).join(" ");
  if (kind < 7) return words(CHINESE, 5).join(random.pick(["", "", "，", " "]));
  if (kind < 9) return words([...ENGLISH, ...CHINESE], 8).join(random.pick(["", " ", ", "]));
  return words([...UNUSUAL, ...ENGLISH.slice(0, 8), ...CHINESE.slice(0, 4)], 6).join(random.pick(["", " "]));
}

export const keyword = (random: Random): string =>
  random.oneIn(8)
    ? random.pick(UNUSUAL)
    : random.pick([
        "a",
        "b",
        "A",
        "red",
        "Red",
        "red car",
        "红",
        "红色",
        "x-1",
        "",
        "10",
        "true",
        ...ENGLISH.slice(0, 6),
      ]);

const DATES = [
  "2024-03-31",
  "2024-03-31T10:11:12Z",
  "2024-02-29T23:59:59.999Z",
  "2023-12-31T23:00:00-05:00",
  "2024",
  "2024-03",
  "1969-12-31T23:59:59.999Z",
  "2024-03-31T10:11:12.123456Z",
];

const ADDRESSES = ["10.0.0.1", "10.0.0.2", "10.1.0.1", "192.168.0.9", "::1", "2001:db8::a:1", "::ffff:10.0.0.3"];

function rangeValue(random: Random): JsonMap {
  const [low, high] = [random.int(-20, 20), random.int(0, 10)];
  return {
    ...(random.oneIn(6) ? {} : { [random.pick(["gte", "gt"])]: low }),
    ...(random.oneIn(6) ? {} : { [random.pick(["lte", "lt"])]: low + high + 2 }),
  };
}

/** A value of a field's type, now and then one that does not fit. */
export function value(random: Random, field: Field): Json {
  if (random.oneIn(60)) return random.pick<Json>(["x", true, 1.5, {}, "", " 7 ", 1e30]);
  switch (field.type) {
    case "text":
      return random.oneIn(20) ? random.pick<Json>([12, true, 1.5]) : text(random);
    case "keyword":
      return random.oneIn(20) ? random.pick<Json>([12, false, 1.5]) : keyword(random);
    case "integer":
    case "long":
    case "short":
      return random.oneIn(10) ? random.pick<Json>(["5", 7.9, -0, 32767, -32768]) : random.int(-20, 20);
    case "byte":
      return random.int(-128, 127);
    case "float":
    case "double":
    case "half_float":
      return random.pick<Json>([random.int(-20, 20), random.int(-200, 200) / 8, 0.1, -2.5, 1e3, "1.5"]);
    case "completion":
      return completionValue(random);
    case "boolean":
      return random.pick<Json>([true, false, "true", "false", ""]);
    case "date":
      return random.oneIn(4) ? random.pick<Json>([0, 1711879872000, -1]) : random.pick(DATES);
    case "date_nanos":
      return random.oneIn(4)
        ? random.pick<Json>([0, 1711879872000])
        : random.pick([...DATES.filter((date) => date > "1970"), "2024-03-31T10:11:12.123456789Z"]);
    case "ip":
      return random.pick(ADDRESSES);
    case "integer_range":
      return rangeValue(random);
    case "geo_point":
      return placeOf(random);
    case "flattened":
      return { a: keyword(random), b: { c: random.pick<Json>([keyword(random), random.int(0, 3), true]) } };
    case "sparse_vector":
      return Object.fromEntries(
        random
          .some(["fox", "年假", "a", "red", "x.y"], 0, 3)
          .map((token) => [token, random.pick<Json>([1, 0.5, 2.25, 64, 0.1])]),
      );
    case "dense_vector":
      return vectorOf(random, field);
    default:
      return null;
  }
}

export const ANALYZERS = [
  "standard",
  "english",
  "whitespace",
  "simple",
  "stop",
  "keyword",
  "cjk",
  "ik_max_word",
  "ik_smart",
];

function textMapping(random: Random): JsonMap {
  const mapping: JsonMap = { type: "text", analyzer: random.pick(ANALYZERS) };
  if (random.oneIn(8)) mapping.norms = false;
  if (random.oneIn(8)) mapping.index_options = random.pick(["docs", "freqs", "positions", "offsets"]);
  if (random.oneIn(3)) mapping.term_vector = random.pick(["with_positions_offsets", "with_offsets", "yes"]);
  if (random.oneIn(8)) mapping.similarity = random.pick(["boolean", "mine"]);
  const positions = mapping.index_options === undefined || mapping.index_options === "positions";
  if (positions && random.oneIn(8)) mapping.index_phrases = true;
  if (random.oneIn(12)) mapping.store = true;
  if (random.oneIn(6)) mapping.search_analyzer = random.pick(ANALYZERS);
  if (random.oneIn(3)) mapping.fields = { raw: { type: "keyword", ignore_above: random.pick([5, 256]) } };
  return mapping;
}

/**
 * Elasticsearch asks the fields of a pattern in the order of a hash table: where two share a place in it the first one is chosen by a number
 * that each node draws when it starts. So that the mistake which is told is always the same one, fields whose values are read differently have
 * names that share none.
 */
const NAMES: { readonly [type: string]: string } = { boolean: "fg", date: "date" };

function fieldsOf(random: Random): Field[] {
  const fields: Field[] = [];
  const add = (name: string, mapping: JsonMap, nested?: string) => {
    fields.push({ name, type: String(mapping.type), mapping, nested });
    const inner = mapping.fields as { raw?: JsonMap } | undefined;
    if (inner?.raw) fields.push({ name: `${name}.raw`, type: "keyword", mapping: inner.raw, nested });
  };
  for (let at = random.int(1, 3); at > 0; at--) add(`t${at}`, textMapping(random));
  for (let at = random.int(1, 2); at > 0; at--) {
    add(`k${at}`, {
      type: "keyword",
      ...(random.oneIn(6) ? { ignore_above: 4 } : {}),
      ...(random.oneIn(10) ? { null_value: "NULL" } : {}),
      ...(random.oneIn(20) ? { doc_values: false } : {}),
      ...(random.oneIn(12) ? { store: true } : {}),
    });
  }
  const numeric = ["integer", "long", "short", "byte", "float", "double", "half_float", "boolean", "date"];
  for (const type of random.some(numeric, 1, 4))
    add(NAMES[type] ?? type.slice(0, 2), { type, ...(random.oneIn(12) ? { index: false } : {}) });
  for (const [name, type] of random.some(
    [
      ["addr", "ip"],
      ["moment", "date_nanos"],
      ["sp", "integer_range"],
      ["flat", "flattened"],
      ["places", "geo_point"],
      ["sparse", "sparse_vector"],
    ] as const,
    0,
    2,
  )) {
    add(name, { type });
  }
  if (random.oneIn(2)) {
    add("v", vectorMapping(random));
  }
  if (random.oneIn(2)) {
    add("ob.t", textMapping(random));
    add("ob.i", { type: "integer" });
  }
  if (random.oneIn(2)) {
    add("ne.t", textMapping(random), "ne");
    add("ne.k", { type: "keyword" }, "ne");
    add("ne.n", { type: "integer" }, "ne");
    if (random.oneIn(2)) add("ne.v", vectorMapping(random), "ne");
  }
  return fields;
}

export function mappingsOf(fields: readonly Field[]): JsonMap {
  const properties: JsonMap = {};
  for (const { name, mapping, nested } of fields) {
    if (name.endsWith(".raw")) continue;
    const [first, second] = name.split(".");
    if (second === undefined) properties[first] = mapping;
    else {
      const object = (properties[first] ??= nested
        ? { type: "nested", properties: {} }
        : { properties: {} }) as JsonMap;
      (object.properties as JsonMap)[second] = mapping;
    }
  }
  return { properties };
}

function maybeMany(random: Random, field: Field): Json {
  if (field.type === "dense_vector") return value(random, field);
  if (random.oneIn(6))
    return Array.from({ length: random.int(0, 3) }, () => (random.oneIn(8) ? null : value(random, field)));
  return random.oneIn(15) ? null : value(random, field);
}

export function ordinaryDocumentOf(random: Random, fields: readonly Field[]): JsonMap {
  const document: JsonMap = {};
  const own = fields.filter(({ name, unwritten }) => !name.endsWith(".raw") && !unwritten);
  for (const field of own.filter(({ nested }) => nested === undefined)) {
    if (random.oneIn(4)) continue;
    const [first, second] = field.name.split(".");
    if (second === undefined) document[first] = maybeMany(random, field);
    else if (random.oneIn(5)) document[field.name] = maybeMany(random, field);
    else ((document[first] ??= {}) as JsonMap)[second] = maybeMany(random, field);
  }
  const nested = own.filter((field) => field.nested !== undefined);
  if (nested.length > 0 && !random.oneIn(4)) {
    const objects = Array.from({ length: random.int(0, 3) }, () => {
      const object: JsonMap = {};
      for (const field of nested) if (!random.oneIn(4)) object[field.name.split(".")[1]] = maybeMany(random, field);
      return object;
    });
    document.ne = objects.length === 1 && random.oneIn(2) ? objects[0] : objects;
  }
  if (random.oneIn(12))
    document[random.pick(["others", "more.in", "d y n"])] = random.pick<Json>([
      text(random),
      random.int(0, 9),
      true,
      "2024-01-01",
      [1, 2],
    ]);
  return document;
}

/** Name of the field for completions. */
export const COMPLETION = "typed";

function completionMapping(random: Random): JsonMap | undefined {
  if (!random.oneIn(3)) return undefined;
  const mapping: JsonMap = { type: "completion" };
  if (random.oneIn(2)) mapping.analyzer = random.pick(ANALYZERS);
  if (random.oneIn(6)) mapping.search_analyzer = random.pick(ANALYZERS);
  if (random.oneIn(4)) mapping.preserve_separators = false;
  if (random.oneIn(4)) mapping.preserve_position_increments = false;
  if (random.oneIn(5)) mapping.fields = { raw: { type: "keyword" } };
  if (random.oneIn(6)) mapping.max_input_length = random.pick([1, 5, 20]);
  return mapping;
}

function completionValue(random: Random): Json {
  const input = () =>
    text(random)
      .replace(/[\u0000\ud800]/g, "")
      .slice(0, 60);
  const weighted = (): Json => ({
    input: random.oneIn(3) ? [input(), input()] : input(),
    ...(random.oneIn(2) ? { weight: random.pick<Json>([0, 1, 2, 5, "7", -1]) } : {}),
  });
  if (random.oneIn(3)) return input();
  if (random.oneIn(4)) return [weighted(), input()];
  return random.oneIn(20) ? random.pick<Json>([3, null, [], { foo: 1 }, "", [null]]) : weighted();
}

/** Share of documents that later batches write again: beyond it, when a segment is merged away depends on the clock on both sides. */
const REWRITTEN = 0.2;

/** True when no segment has so many deleted documents that it may be merged away. */
export function isSteady(world: World): boolean {
  const before = new Map<string, number>();
  const deleted: number[] = [];
  for (const [at, batch] of world.batches.entries()) {
    deleted.push(0);
    for (const [action] of batch) {
      const id = String((Object.values(action)[0] as JsonMap)._id);
      const earlier = before.get(id);
      if (earlier !== undefined) deleted[earlier]++;
      before.set(id, at);
    }
  }
  return deleted.every((count, at) => count <= world.batches[at].length * REWRITTEN);
}

/** Nothing was written over or deleted: Elasticsearch keeps what was for a while, and counts it where it speaks of all documents. */
export const isFresh = ({ batches, other }: World): boolean =>
  batches.length === 1 && batches[0].every(([action]) => "index" in action) && (other === undefined || isFresh(other));

/** Documents, some of which are written again, changed in part or deleted after a refresh. */
export function batchesOf(random: Random, documentOf: () => JsonMap): Batch[] {
  const ids = Array.from({ length: random.int(1, 40) }, (_, at) => (random.oneIn(15) ? `编号 ${at}/😀` : String(at)));
  const write = (id: string): [JsonMap, JsonMap?] => {
    const kind = random.int(0, 20);
    if (kind === 0) return [{ delete: { _id: `none ${id}` } }];
    if (kind === 1) return [{ update: { _id: id } }, { doc: documentOf(), doc_as_upsert: true }];
    return [{ index: { _id: id } }, documentOf()];
  };
  const batches: Batch[] = [ids.map(write)];
  const left = random.some(ids, 0, Math.floor(ids.length * REWRITTEN));
  for (let round = random.oneIn(3) ? random.int(1, 3) : 0; round > 0; round--) {
    const again = left.splice(0, round === 1 ? left.length : random.int(0, left.length));
    const batch = again.map((id): [JsonMap, JsonMap?] => (random.oneIn(3) ? [{ delete: { _id: id } }] : write(id)));
    for (let more = random.int(0, 5); more > 0; more--)
      batch.push([{ index: { _id: `r${round}-${more}` } }, documentOf()]);
    batches.push(batch);
  }
  return batches;
}

/** Makes an index with its documents, and now and then another beside it, whose fields may be of other types. */
export function worldOf(random: Random): World {
  const world = indexOf(random);
  return random.oneIn(4) ? { ...world, other: indexOf(random) } : world;
}

function indexOf(random: Random): World {
  const fields = fieldsOf(random);
  const completion = completionMapping(random);
  const documentOf = (random: Random, fields: readonly Field[]): JsonMap => ({
    ...ordinaryDocumentOf(random, fields),
    ...(completion && !random.oneIn(3) ? { [COMPLETION]: completionValue(random) } : {}),
  });
  const batches = batchesOf(random, () => documentOf(random, fields));
  const similarity = { mine: { type: "BM25", k1: random.pick([0, 0.5, 2]), b: random.pick([0, 0.3, 1]) } };
  return {
    settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: "-1", similarity },
    mappings: completion
      ? { properties: { ...(mappingsOf(fields).properties as JsonMap), [COMPLETION]: completion } }
      : mappingsOf(fields),
    fields,
    completes: completion !== undefined,
    batches,
  };
}
