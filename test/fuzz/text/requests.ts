/** Requests about text: searches by query alone, counts, explanations, checks of queries and texts to analyze. */
import { CHAR_FILTERS, FILTERS, TOKENIZERS } from "../analysis-parts.ts";
import { queryOf, words } from "../queries.ts";
import { INDEX } from "../query-strings.ts";
import type { Random } from "../random.ts";
import { type FuzzRequest, sourceOf, urlQueryOf } from "../requests.ts";
import { type Json, type JsonMap, text, type World } from "../world.ts";
import { broken } from "./broken.ts";
import { analyzerNames } from "./world.ts";

export function textRequestOf(random: Random, world: World): FuzzRequest {
  const request = wholeRequestOf(random, world);
  // The node's own parts of analyzers read their settings in other ways than Elasticsearch's.
  const breakable = !("tokenizer" in request.body) && !("filter" in request.body);
  return breakable && random.oneIn(10) ? { ...request, body: broken(random, request.body) } : request;
}

function wholeRequestOf(random: Random, world: World): FuzzRequest {
  if (random.oneIn(15)) return analyzeOf(random, world);
  const query = queryOf(random, world, undefined, 0);
  const target = targetOf(random, world);
  switch (random.int(0, 24)) {
    case 0:
    case 1:
      return { method: "POST", target, api: `_count${parametersOf(random)}`, body: { query } };
    case 2:
      return {
        method: "POST",
        target,
        api: `_validate/query${random.pick(["", "?explain=true"])}`,
        body: { query },
      };
    case 3: {
      const id = random.pick(["0", "1", "2", "3", "none"]);
      return { method: "POST", api: `_explain/${id}`, body: { query } };
    }
    case 4:
      return { method: "POST", target, api: `_search?${urlQueryOf(random, world)}`, body: {} };
    default:
      return { method: "POST", target, api: `_search${parametersOf(random)}`, body: searchOf(random, world, query) };
  }
}

function searchOf(random: Random, world: World, query: JsonMap): JsonMap {
  const body: JsonMap = { query };
  if (random.oneIn(2)) body.size = random.pick([0, 1, 3, 10, 50]);
  if (random.oneIn(6)) body.from = random.int(0, 5);
  if (random.oneIn(6)) body._source = sourceOf(random, world);
  if (random.oneIn(8)) body.track_total_hits = random.pick<Json>([true, false, 3]);
  if (random.oneIn(8)) body.explain = true;
  if (random.oneIn(12)) body.version = true;
  if (random.oneIn(15)) body.min_score = random.pick([0.1, 0.5, 1, 1.5]);
  if (random.oneIn(10)) body.sort = random.pick<Json>(["_score", ["_score"], [{ _seq_no: "desc" }]]);
  return body;
}

function parametersOf(random: Random): string {
  if (!random.oneIn(12)) return "";
  return `?${random.pick(["ignore_unavailable=true", "allow_no_indices=false", "terminate_after=1000", "preference=_local"])}`;
}

/** What is asked: mostly the index, else others beside it. */
function targetOf(random: Random, world: World): string {
  if (world.other !== undefined && random.oneIn(2))
    return random.pick([`${INDEX},${INDEX}-b`, `${INDEX}*`, `${INDEX}-b`]);
  if (!random.oneIn(8)) return INDEX;
  return random.pick([
    `${INDEX}-whole`,
    `${INDEX}-part`,
    `${INDEX}-part,${INDEX}`,
    `${INDEX},${INDEX}-none`,
    `${INDEX}-none`,
    `${INDEX}*,-${INDEX}-b`,
  ]);
}

function analyzeOf(random: Random, world: World): FuzzRequest {
  const filters = () =>
    random.some(
      FILTERS.filter((part) => !JSON.stringify(part).includes('"synonym')),
      0,
      2,
    );
  const by = random.pick<() => JsonMap>([
    () => ({ analyzer: random.pick(analyzerNames) }),
    () => ({ field: random.pick(world.fields).name }),
    () => ({ tokenizer: random.pick(TOKENIZERS), filter: filters() }),
    () => ({ tokenizer: random.pick(TOKENIZERS), filter: filters(), char_filter: random.some(CHAR_FILTERS, 0, 2) }),
    () => ({ normalizer: random.pick(["folded", "lowercase", "none"]) }),
    () => ({ filter: ["lowercase"] }),
    () => ({}),
  ])();
  if (random.oneIn(5)) by.explain = true;
  if (random.oneIn(10)) by.attributes = random.pick<Json>([["type"], ["keyword", "bytes"], []]);
  const asked = () => (random.oneIn(2) ? text(random) : words(random, world));
  return { method: "POST", api: "_analyze", body: { ...by, text: random.oneIn(3) ? [asked(), asked()] : asked() } };
}
