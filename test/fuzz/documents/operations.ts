/** What is done with one index, step by step: writing, reading, changing what it is. */
import { INDEX } from "../query-strings.ts";
import type { Random } from "../random.ts";
import type { Json, JsonMap } from "../world.ts";
import { fieldOf, mappingsOf, placesOf, TYPES } from "./mappings.ts";
import { again, literal } from "./raw.ts";
import { documentOf, type Place } from "./values.ts";

export interface Step {
  readonly method: string;
  /** With the name of the index left open. */
  readonly path: string;
  readonly body?: Json;
  /** Lines of a bulk request, instead of a body. */
  readonly lines?: readonly Json[];
}

const SETTINGS: JsonMap = {
  number_of_shards: 1,
  number_of_replicas: 0,
  refresh_interval: "-1",
  similarity: { mine: { type: "BM25", k1: 1 } },
  analysis: {
    normalizer: { folded: { type: "custom", filter: ["lowercase", "asciifolding"] } },
    analyzer: { own: { tokenizer: "standard", filter: ["lowercase"], position_increment_gap: 3 } },
  },
};

interface Scene {
  readonly random: Random;
  readonly places: readonly Place[];
  /** An id, most of them met before. */
  id(): string;
  document(): Json;
  /** Mostly the index, at times one of its aliases. */
  target(): string;
}

const IDS = ["1", "1", "2", "2", "3", "4", "编号/😀", "a b", "%", "x".repeat(512), "x".repeat(513), "_1", "é"];

/** Parameters of a request, each with its odds. */
function query(
  random: Random,
  odds: readonly (readonly [once: number, name: string, values: readonly string[]])[],
): string {
  const parameters = odds.flatMap(([once, name, values]) =>
    random.oneIn(once) ? [`${name}=${encodeURIComponent(random.pick(values))}`] : [],
  );
  if (random.oneIn(60)) parameters.push(random.pick(["foo=1", "Refresh=true"]));
  return parameters.length === 0 ? "" : `?${parameters.join("&")}`;
}

const WRITE = [
  [12, "routing", ["a", "b", "", "a,b"]],
  [14, "if_seq_no", ["0", "1", "2", "3", "5", "-1", "x"]],
  [14, "if_primary_term", ["1", "2", "0", "-1"]],
  [16, "version", ["1", "2", "5", "0", "-1", "9223372036854775807", "x", "9223372036854775808"]],
  [14, "version_type", ["external", "external", "external_gte", "internal", "force", "EXTERNAL"]],
  [4, "refresh", ["true", "", "false", "x"]],
  [40, "timeout", ["1m", "5x", "", "10"]],
  [40, "wait_for_active_shards", ["1", "all", "0", "-1", "x"]],
  [40, "require_alias", ["true", "false", "x"]],
  [60, "pipeline", ["_none"]],
] as const;
const PAIRED = [
  "if_seq_no=0&if_primary_term=1",
  "if_seq_no=1&if_primary_term=1",
  "if_seq_no=2&if_primary_term=1",
  "if_seq_no=3&if_primary_term=1",
  "if_seq_no=1&if_primary_term=2",
  "version=1&version_type=external",
  "version=5&version_type=external",
  "version=5&version_type=external_gte",
  "version=4&version_type=external_gte",
  "version=9&version_type=external",
];
const parametersOf = (random: Random, odds: Parameters<typeof query>[1] = WRITE): string =>
  random.oneIn(6) ? `?${random.pick(PAIRED)}` : query(random, odds);

const SOURCES = ["true", "false", "f1", "o.*", "*", "f*,-f1", "", "none"];
const READ = [
  [10, "routing", ["a", "b", ""]],
  [6, "_source", SOURCES],
  [10, "_source_includes", SOURCES],
  [10, "_source_excludes", SOURCES],
  [6, "stored_fields", ["f1", "f1,f2,_source", "_none_", "*", "o.f1,f3", "_routing", "", "o", "none", "_id,_version"]],
  [4, "realtime", ["false", "true", "x"]],
  [8, "refresh", ["true", "false", ""]],
  [20, "version", ["1", "2", "7"]],
  [20, "version_type", ["external", "internal", "external_gte"]],
  [30, "preference", ["_local", "x"]],
] as const;

const updateOf = (scene: Scene): Json => {
  const { random } = scene;
  // Where text that is no JSON stands within an update, Elasticsearch tells of it in another way than here.
  const document = (): Json => {
    for (;;) {
      const made = scene.document();
      if (!JSON.stringify(made).includes("again:") && typeof made !== "string") return made;
    }
  };
  if (random.oneIn(30))
    return random.pick<Json>([
      {},
      [],
      literal(""),
      null,
      { doc: 1 },
      { doc: [] },
      { doc: null },
      { docs: {} },
      { upsert: {} },
      { doc: {}, foo: 1 },
    ]);
  const body: JsonMap = { doc: document() };
  if (random.oneIn(6)) body.doc_as_upsert = random.pick<Json>([true, true, false, "true", 1]);
  if (random.oneIn(6)) body.upsert = document();
  if (random.oneIn(6)) body.detect_noop = random.pick<Json>([false, true, "false"]);
  if (random.oneIn(8)) body._source = random.pick<Json>([true, false, "f1", ["f*"], { excludes: ["f1"] }, null]);
  if (random.oneIn(30)) body.if_seq_no = random.int(0, 4);
  if (random.oneIn(30)) body.if_primary_term = 1;
  if (random.oneIn(30)) body.scripted_upsert = random.oneIn(2);
  return body;
};

/** Lines of a bulk request; some of them wrong by themselves. */
function bulkOf(scene: Scene): Json[] {
  const { random } = scene;
  const lines: Json[] = [];
  for (let left = random.int(1, 5); left > 0; left--) {
    const action = random.pick(["index", "index", "create", "update", "delete"]);
    const meta: JsonMap = random.oneIn(10)
      ? {}
      : { _id: random.oneIn(20) ? random.pick<Json>([5, null, "", true, 1.5]) : scene.id() };
    if (random.oneIn(8))
      // No number that is the name of an index: what it made would stay in the node, for the next run to find.
      meta._index = random.oneIn(5)
        ? random.pick<Json>([`${INDEX}-none-`, "", null, "*", "UPPER", "a,b", -5])
        : scene.target();
    if (random.oneIn(12)) meta.routing = random.pick<Json>(["a", "b", null, 5]);
    if (random.oneIn(15))
      Object.assign(
        meta,
        random.pick<JsonMap>([
          { if_seq_no: 1, if_primary_term: 1 },
          { if_seq_no: 0 },
          { version: 3, version_type: "external" },
          { version: 3 },
          { version: "4", version_type: "external_gte" },
        ]),
      );
    if (random.oneIn(30))
      meta[
        random.pick([
          "op_type",
          "retry_on_conflict",
          "require_alias",
          "_type",
          "foo",
          "_routing",
          "pipeline",
          "dynamic_templates",
          "_source",
        ])
      ] = random.pick<Json>(["create", 1, true, null, {}, "x"]);
    lines.push(
      random.oneIn(100)
        ? random.pick<Json>([
            {},
            { foo: {} },
            { index: null },
            { index: 1 },
            [],
            literal("x"),
            { [again("index")]: {}, create: {} },
          ])
        : { [action]: meta },
    );
    if (action === "update") lines.push(updateOf(scene));
    else if (action !== "delete") lines.push(scene.document());
    if (random.oneIn(60)) lines.push(random.pick<Json>([literal(""), literal("\r"), { a: 1 }]));
  }
  return lines;
}

const mgetOf = ({ random, id, target }: Scene): Json => {
  const item = (): Json => {
    if (random.oneIn(30))
      return random.pick<Json>([{}, 5, null, { _id: null }, { _id: "1", foo: 1 }, { _index: "", _id: "1" }, []]);
    const wanted: JsonMap = { _id: id() };
    if (random.oneIn(5)) wanted._index = random.oneIn(3) ? `${INDEX}-none` : target();
    if (random.oneIn(5))
      wanted._source = random.pick<Json>([
        false,
        "f1",
        ["f*"],
        { includes: ["f*"], excludes: ["f1"] },
        true,
        null,
        {},
        5,
      ]);
    if (random.oneIn(6)) wanted.routing = random.pick(["a", "b"]);
    if (random.oneIn(8)) wanted.stored_fields = random.pick<Json>(["f1", ["f1", "f2"], [], "*"]);
    if (random.oneIn(12)) wanted.version = random.int(1, 3);
    if (random.oneIn(20)) wanted.version_type = "external";
    return wanted;
  };
  if (random.oneIn(20))
    return random.pick<Json>([
      {},
      { docs: [] },
      { ids: [] },
      { ids: null },
      { ids: "1" },
      { docs: {} },
      { ids: [1, null] },
      { foo: [] },
      [],
    ]);
  if (random.oneIn(3)) return { ids: Array.from({ length: random.int(1, 3) }, id) };
  return { docs: Array.from({ length: random.int(1, 3) }, item) };
};

/** A change to what an alias is. */
function aliasStep({ random, places }: Scene): Step {
  const name = random.pick([`${INDEX}-al`, `${INDEX}-al`, `${INDEX}-part`, `${INDEX}-bad*`, INDEX, "_x"]);
  const options: JsonMap = {};
  if (random.oneIn(4))
    options.filter = random.pick<Json>([
      { exists: { field: random.pick(["f1", "f2", "none"]) } },
      { match_all: {} },
      { foo: {} },
      {},
      null,
      { term: { [places[0]?.path ?? "f1"]: "a" } },
    ]);
  if (random.oneIn(5)) options.is_write_index = random.pick<Json>([true, false, "x"]);
  if (random.oneIn(5)) options.routing = random.pick<Json>(["a", "a,b", 1, null]);
  if (random.oneIn(8)) options.index_routing = random.pick<Json>(["a", "a,b"]);
  if (random.oneIn(8)) options.search_routing = random.pick<Json>(["a", "a,b"]);
  if (random.oneIn(12)) options.is_hidden = random.oneIn(2);
  if (random.oneIn(20)) options.foo = 1;
  switch (random.int(0, 4)) {
    case 0:
      return {
        method: "PUT",
        path: `/${INDEX}/_alias/${encodeURIComponent(name)}`,
        ...(random.oneIn(4) ? {} : { body: options }),
      };
    case 1:
      return {
        method: "DELETE",
        path: `/${INDEX}/_alias/${random.pick([`${INDEX}-al`, `${INDEX}-none`, `${INDEX}-*`, "_all"])}`,
      };
    case 2:
      return { method: "GET", path: `/${INDEX}/_alias${random.pick(["", `/${INDEX}-*`, `/${INDEX}-none`, "/_all"])}` };
    default: {
      const action = (): Json => {
        const kind = random.pick(["add", "add", "add", "remove"]);
        if (random.oneIn(25))
          return random.pick<Json>([
            {},
            { foo: {} },
            { add: {} },
            { add: { index: INDEX } },
            { remove: { index: INDEX } },
            { add: { index: "", alias: "x" } },
            5,
          ]);
        const where: JsonMap = random.oneIn(8)
          ? { indices: [INDEX] }
          : { index: random.oneIn(15) ? `${INDEX}-none` : INDEX };
        const which: JsonMap = random.oneIn(8) ? { aliases: [`${INDEX}-al`, `${INDEX}-part`] } : { alias: name };
        return {
          [kind]: {
            ...where,
            ...which,
            ...(kind === "add" ? options : random.oneIn(5) ? { must_exist: random.oneIn(2) } : {}),
          },
        };
      };
      return {
        method: "POST",
        path: "/_aliases",
        body: random.oneIn(30)
          ? random.pick<Json>([{}, { actions: [] }, { actions: null }, { foo: 1 }, []])
          : { actions: Array.from({ length: random.int(1, 2) }, action) },
      };
    }
  }
}

function settingsStep(random: Random): Step {
  const key = random.pick([
    "refresh_interval",
    "number_of_replicas",
    "max_result_window",
    "number_of_shards",
    "analysis.analyzer.x.type",
    "mapping.total_fields.limit",
    "mapping.ignore_malformed",
    "mapping.coerce",
    "mapping.depth.limit",
    "foo",
    "blocks.write",
    "blocks.read_only",
    "gc_deletes",
    "similarity.mine.k1",
    "priority",
    "codec",
  ]);
  const value =
    key === "number_of_replicas"
      ? 0
      : key.startsWith("blocks")
        ? random.pick<Json>([true, false, false, "x", null])
        : random.pick<Json>([1, 5, 0, -1, "x", null, true, "false", "30s", "20"]);
  // A segment that appears by itself would be seen sooner or later.
  if (key === "refresh_interval")
    return {
      method: "PUT",
      path: `/${INDEX}/_settings`,
      body: { index: { refresh_interval: random.pick<Json>(["-1", -1, "x", "-2", "1x"]) } },
    };
  const flat = random.oneIn(2) ? { [`index.${key}`]: value } : { [key]: value };
  const body = random.oneIn(3) ? { index: { [key]: value } } : random.oneIn(6) ? { settings: flat } : flat;
  return {
    method: "PUT",
    path: `/${INDEX}/_settings${query(random, [[8, "preserve_existing", ["true", "x"]]])}`,
    body,
  };
}

function changeStep(scene: Scene): Step {
  const { random } = scene;
  switch (random.int(0, 7)) {
    case 0:
    case 1:
    case 2: {
      const path = `/${INDEX}/_mapping`;
      if (random.oneIn(3)) {
        const properties: JsonMap = {};
        const [place] = scene.places.length > 0 && !random.oneIn(3) ? [random.pick(scene.places).path] : ["added"];
        let inner = properties;
        const parts = place.split(".");
        for (const part of parts.slice(0, -1)) {
          const next: JsonMap = {};
          inner[part] = { properties: next };
          inner = next;
        }
        inner[parts[parts.length - 1]] = fieldOf(random, random.pick(TYPES), 15);
        return { method: "PUT", path, body: { properties } };
      }
      return {
        method: "PUT",
        path,
        body: random.oneIn(20)
          ? random.pick<Json>([
              {},
              [],
              literal(""),
              { properties: [] },
              { properties: { a: 1 } },
              { _doc: { properties: {} } },
            ])
          : mappingsOf(random, 12),
      };
    }
    case 3:
      return settingsStep(random);
    case 4:
    case 5:
      return aliasStep(scene);
    case 6:
      return {
        method: "GET",
        path: random.pick([
          `/${INDEX}/_mapping`,
          `/${INDEX}/_mapping/field/f*`,
          `/${INDEX}/_mapping/field/f1?include_defaults=true`,
          `/${INDEX}/_settings?flat_settings=true`,
          `/${INDEX}/_mapping/field/*`,
          `/${INDEX}`,
          `/${INDEX}-al/_mapping`,
        ]),
      };
    default:
      return { method: "POST", path: `/${INDEX}/${random.pick(["_refresh", "_flush", "_refresh"])}` };
  }
}

function writeStep(scene: Scene): Step {
  const { random, id, document, target } = scene;
  const one = `/${target()}/_doc/${encodeURIComponent(id())}`;
  switch (random.int(0, 11)) {
    case 0:
      return { method: "POST", path: `/${target()}/_doc${parametersOf(random)}`, body: document() };
    case 1:
      return {
        method: random.pick(["PUT", "POST"]),
        path: `/${target()}/_create/${encodeURIComponent(id())}${parametersOf(random)}`,
        body: document(),
      };
    case 2:
      return { method: "DELETE", path: `${one}${parametersOf(random)}` };
    case 3:
    case 4:
    case 5:
      return {
        method: "POST",
        path: `/${target()}/_update/${encodeURIComponent(id())}${query(random, [
          ...WRITE.filter(([, name]) => !name.startsWith("if_") && !name.startsWith("version") && name !== "pipeline"),
          [25, "version", ["1"]],
          [25, "version_type", ["external"]],
          [12, "_source", SOURCES],
          [15, "doc_as_upsert", ["true", "false", "x"]],
          [20, "retry_on_conflict", ["3", "-1", "x"]],
          [12, "if_seq_no", ["0", "1", "3"]],
          [12, "if_primary_term", ["1"]],
        ])}`,
        body: updateOf(scene),
      };
    case 6:
    case 7:
      return {
        method: random.pick(["POST", "PUT"]),
        path: `${random.oneIn(6) ? "" : `/${target()}`}/_bulk${query(random, [
          [4, "refresh", ["true", "false", "x"]],
          [12, "routing", ["a", "b"]],
          [20, "_source", SOURCES],
          [30, "require_alias", ["true", "false"]],
          [30, "pipeline", ["_none"]],
          [40, "timeout", ["1m", "x"]],
        ])}`,
        lines: bulkOf(scene),
      };
    default:
      return {
        method: random.pick(["PUT", "PUT", "POST"]),
        path: `${one}${random.oneIn(12) ? `?op_type=${random.pick(["create", "index", "CREATE", "delete", ""])}` : parametersOf(random)}`,
        ...(random.oneIn(80) ? {} : { body: document() }),
      };
  }
}

function readStep(scene: Scene): Step {
  const { random, id, target } = scene;
  switch (random.int(0, 6)) {
    case 0:
      return {
        method: "HEAD",
        path: `/${target()}/${random.pick(["_doc", "_source"])}/${encodeURIComponent(id())}${query(random, READ)}`,
      };
    case 1:
      return { method: "GET", path: `/${target()}/_source/${encodeURIComponent(id())}${query(random, READ)}` };
    case 2:
      return {
        method: "POST",
        path: `${random.oneIn(8) ? "" : `/${target()}`}/_mget${query(random, READ)}`,
        body: mgetOf(scene),
      };
    case 3:
      return {
        method: "POST",
        path: `/${target()}/_count`,
        body: random.oneIn(2) ? {} : { query: { exists: { field: random.pick(scene.places)?.path ?? "f1" } } },
      };
    default:
      return { method: "GET", path: `/${target()}/_doc/${encodeURIComponent(id())}${query(random, READ)}` };
  }
}

/** What an index became, looked at from all sides. */
function lastSteps(places: readonly Place[], random: Random): Step[] {
  const search = (body: JsonMap): Step => ({
    method: "POST",
    path: `/${INDEX}/_search`,
    body: { size: 100, sort: ["_seq_no"], ...body },
  });
  const fields = [
    "all",
    "other",
    ...places.filter(({ type }) => type !== "object" && type !== "nested").map(({ path }) => path),
  ];
  return [
    { method: "POST", path: `/${INDEX}/_refresh` },
    { method: "GET", path: `/${INDEX}/_mapping` },
    { method: "GET", path: `/${INDEX}/_alias` },
    search({ version: true, seq_no_primary_term: true }),
    search({ _source: false, fields: ["*"], stored_fields: ["f*", "o.*"] }),
    search({ _source: false, fields: [{ field: "*", include_unmapped: true }] }),
    ...random.some(fields, 2, 4).map((field) => search({ _source: false, query: { exists: { field } } })),
    { method: "POST", path: `/${INDEX}/_count`, body: { query: { exists: { field: "_ignored" } } } },
  ];
}

/** A sequence of steps in an index that does not exist yet. */
export function stepsOf(random: Random, count: number): Step[] {
  const steps: Step[] = [];
  const wrong = random.pick([12, 60, 100_000]);
  let mappings: JsonMap = {};
  for (let left = random.oneIn(3) ? 3 : 1; left > 0; left--) {
    mappings = mappingsOf(random, left === 1 ? wrong : 6);
    const settings: JsonMap = random.oneIn(6)
      ? {
          ...SETTINGS,
          mapping: random.pick<Json>([
            { coerce: false },
            { ignore_malformed: true },
            { total_fields: { limit: 12 } },
            { total_fields: { limit: 6, ignore_dynamic_beyond_limit: true } },
            { depth: { limit: 3 } },
            { field_name_length: { limit: 4 } },
          ]),
        }
      : SETTINGS;
    steps.push({ method: "PUT", path: `/${INDEX}`, body: { settings, ...(random.oneIn(20) ? {} : { mappings }) } });
  }
  // Where each of them was refused.
  steps.push({ method: "PUT", path: `/${INDEX}`, body: { settings: SETTINGS } });
  const own = placesOf(mappings);
  const places = own.length > 0 ? own : [{ path: "f1", type: "keyword" }];
  const scene: Scene = {
    random,
    places,
    id: () => random.pick(random.oneIn(15) ? IDS : IDS.slice(0, 6)),
    document: () => documentOf(random, places),
    target: () =>
      random.oneIn(12) ? random.pick([`${INDEX}-al`, `${INDEX}-al`, `${INDEX}-none`, `${INDEX}*`]) : INDEX,
  };
  if (random.oneIn(4)) steps.push(aliasStep(scene));
  while (steps.length < count - 11) {
    const kind = random.int(0, 18);
    steps.push(kind < 11 ? writeStep(scene) : kind < 16 ? readStep(scene) : changeStep(scene));
  }
  // At the end: a shard that is opened again is written to under another term, which this engine does not count.
  if (random.oneIn(5)) {
    const closed = [readStep(scene), changeStep(scene)];
    steps.push({ method: "POST", path: `/${INDEX}/_close` }, ...closed, { method: "POST", path: `/${INDEX}/_open` });
  }
  // Blocks would hide what follows.
  steps.push({
    method: "PUT",
    path: `/${INDEX}/_settings`,
    body: { "index.blocks.write": null, "index.blocks.read_only": null },
  });
  return [...steps, ...lastSteps(places, random)];
}
