/** Why one document matches a query, and what explanations look like in answers. */
import type { IndexRegistry } from "../index/types.ts";
import { emptyObject, parseJson } from "../json/parse.ts";
import { JsonNumber, type JsonObject } from "../json/types.ts";
import { javaDouble } from "../mapping/java-text.ts";
import { sourceOf } from "../mapping/source-filter.ts";
import { isShardError, type QueryBuilder } from "../query/dsl/index.ts";
import type { Explanation } from "../query/explanation.ts";
import type { Query } from "../query/types.ts";
import type { LeafReader } from "../segment/types.ts";
import { createSlices } from "../slices.ts";
import { checkBlocks } from "./blocks.ts";
import { type FetchSource, WHOLE_SOURCE } from "./fetch-source.ts";
import { LENIENT_EXPAND, resolveIndices, resolveOne } from "./index-names.ts";
import { printScore } from "./print-score.ts";
import type { ResponseValue } from "./response-value.ts";
import { checkRouting, resolveRouting } from "./routing.ts";
import { ordinalsOf } from "./search/fields/doc-values.ts";
import { openShard, rootsOnly, type Shard, shardQuery } from "./search/index.ts";
import { plain } from "./shard-failures.ts";
import { storedFieldsOfDocument } from "./stored-fields.ts";
import { lookUpTerms } from "./terms-lookup.ts";

export interface ExplainRequest {
  /** Name of an index or alias. */
  readonly index: string;
  readonly id: string;
  readonly routing?: string | undefined;
  readonly query: QueryBuilder;
  /** What of the document is shown beside the explanation; nothing when left out. */
  readonly source?: FetchSource;
  /** Names of stored fields, and `_source`. */
  readonly storedFields?: readonly string[];
  readonly signal?: AbortSignal;
}

/** The state of the last refresh is explained: a newer document is not there. */
export async function explainDocument(
  registry: IndexRegistry,
  request: ExplainRequest,
): Promise<{ readonly found: boolean; readonly body: ResponseValue }> {
  const index = resolveOne(registry, request.index);
  checkBlocks([index], "read");
  const { name } = index;
  checkRouting(index, request.id, resolveRouting(registry, request.index, request.routing));
  createSlices(request.signal ? { signal: request.signal } : {}).check();
  const [resolved] = resolveIndices(registry, [request.index], LENIENT_EXPAND);
  const lookedUp = lookUpTerms(registry, [request.query]);
  await resolved.index.ready();
  const shard = openShard(resolved, Date.now(), { lookedUp });
  try {
    const head = { _index: name, _id: request.id };
    for (const leaf of shard.snapshot.leaves) {
      const doc = leaf.segment.docOf(request.id);
      if (doc < 0 || (leaf.live && !leaf.live.get(doc))) continue;
      const explanation = explainer(shard, shardQuery(shard, request.query))(leaf.docBase + doc);
      const body = { ...head, matched: explanation.match, explanation: printExplanation(explanation) };
      const { source, storedFields } = request;
      return {
        found: true,
        body: source?.fetch || storedFields ? { ...body, get: shown(shard, leaf, doc, request) } : body,
      };
    }
    return { found: false, body: { ...head, matched: false } };
  } catch (error) {
    throw isShardError(error) ? plain(error) : error;
  } finally {
    shard.snapshot.release();
  }
}

/** What of the document is shown beside the explanation. */
function shown(shard: Shard, leaf: LeafReader, doc: number, request: ExplainRequest): ResponseValue {
  const { storedFields = [] } = request;
  const source = request.source ?? { ...WHOLE_SOURCE, fetch: storedFields.includes("_source") };
  const bytes = shard.snapshot.source(leaf, doc);
  const indexed = storedFields.length === 0 ? undefined : shard.snapshot.indexed(leaf, doc);
  const object = indexed === undefined ? emptyObject() : (parseJson(indexed) as JsonObject);
  const fields = storedFieldsOfDocument(shard.context.mapping, storedFields, object);
  const ignored = storedFields.includes("_ignored") ? ordinalsOf(leaf, "_ignored", doc) : [];
  return {
    _seq_no: leaf.segment.seqNo(doc),
    _primary_term: 1,
    found: true,
    ...(ignored.length > 0 ? { _ignored: ignored } : {}),
    ...(source.fetch && bytes !== undefined ? { _source: sourceOf(bytes, source) as ResponseValue } : {}),
    ...(fields === undefined ? {} : { fields }),
  };
}

/** Explains documents of a shard by their numbers in its snapshot. */
export function explainer(shard: Shard, query: Query): (doc: number) => Explanation {
  const { searcher } = shard;
  const weight = rootsOnly(query, shard).rewrite(searcher).createWeight(searcher, "complete", 1);
  return (doc) => {
    const leaf = searcher.leaves.findLast(({ docBase }) => docBase <= doc)!;
    return weight.explain(leaf, doc - leaf.docBase);
  };
}

export function printExplanation({ value, exact, kind, description, details }: Explanation): ResponseValue {
  const long = exact === undefined ? value : new JsonNumber(String(exact));
  const shown = kind === "long" ? long : kind === "double" ? new JsonNumber(javaDouble(value)) : printScore(value);
  return { value: shown, description, details: details.map(printExplanation) };
}
