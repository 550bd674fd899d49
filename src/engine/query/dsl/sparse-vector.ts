/** sparse_vector: documents by the weights of their tokens, each times that of the query's. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { matchNoneQuery } from "../lucene/constant.ts";
import { featureQuery } from "../lucene/feature.ts";
import type { IndexSearcher, Query } from "../types.ts";
import { type BuilderOptions, boosted, makeBuilder } from "./builder.ts";
import { checkClauseCount, readCommon } from "./compound.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, inField, isObject, readBoolean, readFloat, textOf, unknownKey, wrongKind } from "./read.ts";

const NAME = "sparse_vector";

interface Token {
  readonly token: string;
  readonly weight: number;
}

/** Which tokens are left out (TokenPruningConfig): those that many documents have and that weigh little. */
interface Pruning {
  /** Times the average share of documents. */
  readonly frequency: number;
  /** Share of the largest weight. */
  readonly weight: number;
  /** The others are left out. */
  readonly inverted: boolean;
}

const DEFAULT_PRUNING: Pruning = { frequency: 5, weight: 0.4, inverted: false };
const KEYS = ["field", "query_vector", "inference_id", "query", "prune", "pruning_config", "boost", "_name"];

function readTokens(json: JsonObject): Token[] {
  const value = json["query_vector"];
  if (!isObject(value)) throw wrongKind(NAME, json, "query_vector");
  return Object.entries(value).map(([token, weight]) => ({ token, weight: readWeight(weight, value, token) }));
}

function readWeight(value: JsonValue, container: JsonObject, token: string): number {
  if (typeof value === "boolean" || textOf(value) === undefined) {
    throw illegalArgument(`weight must be a number, was [${value === null ? "null" : String(value)}]`);
  }
  return readFloat(value, container, token);
}

function readPruning(json: JsonObject): Pruning {
  const config = json["pruning_config"];
  if (!isObject(config)) throw wrongKind(NAME, json, "pruning_config");
  let { frequency, weight, inverted } = DEFAULT_PRUNING;
  for (const [key, value] of Object.entries(config)) {
    if (key === "tokens_freq_ratio_threshold") frequency = readFloat(value, config, key);
    else if (key === "tokens_weight_threshold") weight = readFloat(value, config, key);
    else if (key === "only_score_pruned_tokens") inverted = readBoolean(value);
    else throw errorAt(config, { value: key }, `[pruning_config] unknown token [VALUE_NUMBER] after [${key}]`);
  }
  if (!(frequency >= 1 && frequency <= 100)) {
    throw illegalArgument(`[tokens_freq_ratio_threshold] must be between [1] and [100], got ${frequency}`);
  }
  if (!(weight >= 0 && weight <= 1)) throw illegalArgument("[tokens_weight_threshold] must be between 0 and 1");
  return { frequency, weight, inverted };
}

export const parseSparseVector: QueryParser = (json) => {
  const options: { -readonly [K in keyof BuilderOptions]: BuilderOptions[K] } = {};
  let field: string | undefined;
  let tokens: Token[] | undefined;
  let prune = false;
  let pruning: Pruning | undefined;
  let text = false;
  for (const [key, value] of Object.entries(json)) {
    if (key === "field") {
      if (typeof value !== "string") throw wrongKind(NAME, json, key);
      field = value;
    } else if (key === "query_vector") tokens = inField(NAME, json, key, () => readTokens(json));
    else if (key === "inference_id") throw unsupported("sparse_vector.inference_id");
    else if (key === "query") text = true;
    else if (key === "prune") prune = inField(NAME, json, key, () => readBoolean(value));
    else if (key === "pruning_config") pruning = inField(NAME, json, key, () => readPruning(json));
    else if (!readCommon(json, key, options)) {
      throw unknownKey(NAME, json, key, KEYS);
    }
  }
  if (field === undefined) throw illegalArgument("Required [field]");
  if ((tokens === undefined) === !text) {
    throw new EngineError("x_content_parse_exception", `Failed to build [${NAME}] after last required field arrived`, {
      cause: illegalArgument("[sparse_vector] requires one of [query_vector] or [query] for sparse_vector fields"),
    });
  }
  if (tokens === undefined) throw unsupported("sparse_vector.query");
  const [name, wanted] = [field, tokens];
  const pruned = prune ? (pruning ?? DEFAULT_PRUNING) : undefined;
  return makeBuilder(NAME, options, ({ mapping }) => {
    const mapped = mapping.field(name);
    if (!mapped) return matchNoneQuery(`The "${NAME}" query is against a field that does not exist`);
    if (mapped.type !== "sparse_vector") {
      throw illegalArgument(`field [${name}] must be type [sparse_vector] but is type [${mapped.type}]`);
    }
    const path = mapped.info.name;
    return pruned ? prunedQuery(path, wanted, pruned) : tokensQuery(path, wanted);
  });
};

function tokensQuery(field: string, tokens: readonly Token[]): Query {
  checkClauseCount(tokens.length);
  if (tokens.length === 0) return matchNoneQuery("no tokens");
  return booleanQuery(
    tokens.map(({ token, weight }) => ({ occur: "should", query: boosted(featureQuery(field, token), weight) })),
    1,
  );
}

/** Which tokens are left depends on the documents (WeightedTokensUtils). */
function prunedQuery(field: string, tokens: readonly Token[], pruning: Pruning): Query {
  const whole = tokensQuery(field, tokens);
  const query: Query = {
    describe: () => whole.describe(),
    toString: () => `Pruned(${JSON.stringify(pruning)}, ${whole})`,
    rewrite: (searcher) => tokensQuery(field, keptTokens(field, tokens, pruning, searcher)).rewrite(searcher),
    createWeight: (searcher, mode, boost) => query.rewrite(searcher).createWeight(searcher, mode, boost),
  };
  return query;
}

function keptTokens(
  field: string,
  tokens: readonly Token[],
  { frequency, weight, inverted }: Pruning,
  searcher: IndexSearcher,
): Token[] {
  const statistics = searcher.collectionStatistics(field);
  if (!statistics) return [];
  const { docCount, sumDocFreq } = statistics;
  const unique = Math.max(...searcher.leaves.map(({ segment }) => segment.terms(field)?.size ?? 0));
  if (unique === 0) return [];
  const f = Math.fround;
  const average = f(f(sumDocFreq / docCount) / unique);
  const best = Math.max(0, ...tokens.map((token) => f(token.weight)));
  const keeps = (token: Token): boolean => {
    const docFreq = searcher.docFreq(field, token.token);
    if (docFreq === 0) return false;
    return f(docFreq / docCount) < frequency * average || f(token.weight) > f(f(weight) * best);
  };
  return tokens.filter((token) => keeps(token) !== inverted);
}
