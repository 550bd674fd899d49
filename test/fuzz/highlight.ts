/** Random `highlight` objects: all highlighters, with options of each, some of them wrong. */
import type { Random } from "./random.ts";
import type { Json, JsonMap, World } from "./world.ts";

const TYPES = ["unified", "plain", "fvh"];

/** @param query makes another query, for `highlight_query` */
export function highlightOf(random: Random, world: World, query: () => JsonMap): JsonMap {
  const names = world.fields.map(({ name }) => name);
  const name = () => (random.oneIn(5) ? random.pick(["*", "t*", "*.raw", "ne.*", "zz"]) : random.pick(names));
  const fields: JsonMap = {};
  for (let at = random.int(1, 3); at > 0; at--) {
    fields[name()] = random.oneIn(2) ? {} : options(random, world, query, true);
  }
  const list = Object.entries(fields).map(([key, value]): Json => ({ [key]: value }));
  return { ...options(random, world, query, false), fields: random.oneIn(6) ? list : fields };
}

function options(random: Random, world: World, query: () => JsonMap, ofField: boolean): JsonMap {
  const made: JsonMap = {};
  const maybe = (chance: number, key: string, value: () => Json) => {
    if (random.oneIn(chance)) made[key] = value();
  };
  maybe(2, "type", () => random.pick(random.oneIn(60) ? ["nope"] : TYPES));
  maybe(3, "fragment_size", () => random.pick([0, 1, 5, 10, 18, 30, 60, 150, 100000]));
  maybe(3, "number_of_fragments", () => random.pick([0, 1, 2, 3, 10, -1]));
  maybe(4, "order", () => random.pick(["score", "none", "SCORE"]));
  maybe(5, "no_match_size", () => random.pick([0, 1, 5, 20, 1000]));
  maybe(5, "require_field_match", () => random.oneIn(2));
  maybe(6, "boundary_scanner", () => random.pick(["sentence", "word", "chars", "WORD"]));
  maybe(8, "boundary_max_scan", () => random.pick([0, 1, 5, 20, 100]));
  maybe(8, "boundary_chars", () => random.pick([" ", ".,", "", "ae"]));
  maybe(6, "fragmenter", () => random.pick(["simple", "span"]));
  maybe(10, "phrase_limit", () => random.pick([1, 2, 256]));
  maybe(12, "max_analyzed_offset", () => random.pick([1, 5, 20, 1000]));
  maybe(10, "highlight_query", query);
  maybe(8, "encoder", () => random.pick(["html", "default"]));
  if (random.oneIn(6)) Object.assign(made, { pre_tags: ["["], post_tags: ["]"] });
  else maybe(12, "tags_schema", () => "styled");
  if (ofField) {
    maybe(8, "fragment_offset", () => random.pick([0, 3, 20]));
    maybe(12, "matched_fields", () => [random.pick(world.fields).name]);
  }
  return made;
}
