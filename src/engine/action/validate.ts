/** Whether a query can be built for each of some indices, and what it becomes (`_validate/query`). */
import { EngineError } from "../errors.ts";
import type { IndexRegistry } from "../index/types.ts";
import type { QueryBuilder } from "../query/dsl/index.ts";
import type { LookedUp } from "../query/dsl/terms-lookup.ts";
import { matchesNone } from "../query/lucene/constant.ts";
import type { ResolvedIndex } from "./index-names.ts";
import type { ResponseValue } from "./response-value.ts";
import { openShard } from "./search/index.ts";
import { ofShard, requestQuery, rootsOnly } from "./search/shard-query.ts";
import { lookUpTerms } from "./terms-lookup.ts";

export interface ValidateOptions {
  /** Whether the answer says what the query is in each index. */
  readonly explain: boolean;
  /** In the form in which it is searched. */
  readonly rewrite: boolean;
  readonly allShards: boolean;
}

export async function validateQuery(
  registry: IndexRegistry,
  indices: readonly ResolvedIndex[],
  query: QueryBuilder | undefined,
  options: ValidateOptions,
): Promise<ResponseValue> {
  const ordered = [...indices].sort((a, b) => (a.index.name < b.index.name ? -1 : 1));
  const lookedUp = told(() => lookUpTerms(registry, [query]));
  if (lookedUp instanceof EngineError) return invalid(lookedUp);
  await Promise.all(ordered.map(({ index }) => index.ready()));
  const explanations = ordered.map((index) => validateIn(index, query, lookedUp, options));
  const count = explanations.length;
  return {
    _shards: { total: count, successful: count, failed: 0 },
    valid: explanations.every(({ valid }) => valid),
    ...(options.explain || options.rewrite || options.allShards ? { explanations } : {}),
  };
}

/** What fails before any index is asked (TransportValidateQueryAction.doExecute); an index that is not there is no answer. */
function told(lookUp: () => LookedUp): LookedUp | EngineError {
  try {
    return lookUp();
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "index_not_found_exception") throw error;
    return error;
  }
}

const invalid = (error: EngineError): ResponseValue => ({
  _shards: { total: 0, successful: 0, failed: 0 },
  valid: false,
  explanations: [{ valid: false, error: error.reason }],
});

function validateIn(
  index: ResolvedIndex,
  query: QueryBuilder | undefined,
  lookedUp: LookedUp,
  { rewrite, allShards }: ValidateOptions,
) {
  const shard = openShard(index, Date.now(), { lookedUp });
  const place = { index: index.index.name, ...(allShards ? { shard: 0 } : {}) };
  try {
    const asked = requestQuery(shard, query);
    const built = rootsOnly(ofShard(shard, asked), shard);
    const rewritten = rewrite ? built.rewrite(shard.searcher) : built;
    // What matches nothing is shown as it was asked.
    return { ...place, valid: true, explanation: (rewrite && matchesNone(rewritten) ? asked : rewritten).describe() };
  } catch (error) {
    if (!(error instanceof EngineError) || error.type === "unsupported_feature_exception") throw error;
    // Only an exception with a cause is printed with its index (ElasticsearchException.getDetailedMessage).
    const index = error.cause ? `[${shard.context.indexName}/${shard.context.indexUuid}] ` : "";
    return { ...place, valid: false, error: `${index}${detailedMessage(error)}` };
  } finally {
    shard.snapshot.release();
  }
}

/** Java's names of the exceptions that are told in a text. */
const CLASSES: Readonly<Record<string, string>> = {
  parsing_exception: "org.elasticsearch.common.ParsingException",
  query_shard_exception: "org.elasticsearch.index.query.QueryShardException",
  named_object_not_found_exception: "org.elasticsearch.xcontent.NamedObjectNotFoundException",
  x_content_parse_exception: "org.elasticsearch.xcontent.XContentParseException",
  x_content_e_o_f_exception: "org.elasticsearch.xcontent.XContentEOFException",
  parse_exception: "org.elasticsearch.ElasticsearchParseException",
  illegal_argument_exception: "java.lang.IllegalArgumentException",
  illegal_state_exception: "java.lang.IllegalStateException",
  number_format_exception: "java.lang.NumberFormatException",
  unsupported_operation_exception: "java.lang.UnsupportedOperationException",
};

/** Lucene's parser of query strings has an exception whose type is that of Elasticsearch's. */
function classOf(type: string, reason: string): string {
  if (type === "parse_exception" && reason.startsWith("Cannot parse '"))
    return "org.apache.lucene.queryparser.classic.ParseException";
  return CLASSES[type] ?? type;
}

/** An exception and its cause in one line (ExceptionsHelper.detailedMessage). */
export function detailedMessage(error: EngineError): string {
  const shown = ({ type, reason }: EngineError) => `${classOf(type, reason)}: ${reason}`;
  return error.cause instanceof EngineError ? `${shown(error)}; ${shown(error.cause)}` : shown(error);
}
