/** Reads the `knn` of a search: one clause or a list of them. */
import { illegalArgument } from "../errors.ts";
import type { JsonObject } from "../json/types.ts";
import { type HitOptions, parseHitOptions } from "../query/dsl/index.ts";
import { clauseError, defaultCandidates, readKnnClause } from "../query/dsl/knn.ts";
import { contentError, errorAt, inField, isArray, isObject, tokenName, wrongKind } from "../query/dsl/read.ts";
import type { KnnSearch } from "./knn.ts";

/** A clause that is read; what it makes of the size of the search, which k is by default, shows at the end of the body. */
export type DraftKnn = (size: number) => KnnSearch;

/** The clauses under `knn`. */
export function readKnnClauses(body: JsonObject): DraftKnn[] {
  const value = body["knn"];
  if (isObject(value)) return [readKnn(value)];
  if (!isArray(value)) throw errorAt(body, { value: "knn" }, `Unknown key for a ${tokenName(value)} in [knn].`);
  return value.map((item, i) => {
    if (isObject(item)) return readKnn(item);
    throw contentError(
      value,
      { value: i },
      `malformed knn format, within the knn search array only objects are allowed; found ${tokenName(item)}`,
    );
  });
}

/** One `knn` of a search. */
export function readKnn(json: JsonObject): DraftKnn {
  let innerHits: HitOptions | undefined;
  const clause = readKnnClause(json, 1, {
    inner_hits: () => {
      const value = json["inner_hits"];
      if (!isObject(value)) throw wrongKind("knn", json, "inner_hits");
      innerHits = inField("knn", json, "inner_hits", () => parseHitOptions(value));
    },
  });
  const { field, queryVector } = clause;
  if (field === undefined) throw illegalArgument("Required [field]");
  return (size) => {
    const noVector = "either [query_vector_builder] or [query_vector] must be provided";
    if (queryVector === undefined) throw illegalArgument(noVector);
    const k = clause.k ?? size;
    const candidates = clause.candidates ?? defaultCandidates(k);
    const wrong = clauseError({ k, candidates, queryVector }, noVector);
    if (wrong) throw wrong;
    return {
      ...clause,
      field,
      queryVector,
      k,
      candidates,
      boost: clause.boost ?? 1,
      ...(innerHits ? { innerHits } : {}),
    };
  };
}
