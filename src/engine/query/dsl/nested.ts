/** nested: root documents by what one nested object of theirs says. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonObject } from "../../json/types.ts";
import { bitSetIterator } from "../../segment/index.ts";
import type { LeafReader } from "../../segment/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { constantScoreQuery, matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { iteratorQuery } from "../lucene/iterator.ts";
import { type NestedScoreMode, nestedDocuments, rootDocuments, toParentQuery } from "../lucene/nested.ts";
import { mightMatch } from "../lucene/nested-documents.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryBuilder, type QueryContext } from "./builder.ts";
import { readCommon, rewriteAll } from "./compound.ts";
import { parseHitOptions } from "./inner-hits.ts";
import { parseInnerQuery, type QueryParser } from "./parse.ts";
import { errorAt, isObject, readBoolean, textOf, throughBrackets } from "./read.ts";

const SCORE_MODES: readonly NestedScoreMode[] = ["avg", "sum", "min", "max", "none"];

function readScoreMode(text: string | undefined): NestedScoreMode {
  const mode = SCORE_MODES.find((known) => known === text);
  if (!mode) throw illegalArgument(`No score mode for child query [${text}] found`);
  return mode;
}

/** The documents of a nested object as a filter. */
export function nestedDocumentsQuery(path: string): Query {
  const iterator = (leaf: LeafReader) => {
    const bits = nestedDocuments(leaf, path);
    return bits && bitSetIterator(bits, bits.cardinality());
  };
  return iteratorQuery(`_nested_path:${path}`, iterator, { className: "TermQuery" });
}

/** Root documents as a filter. */
export function rootDocumentsQuery(): Query {
  const iterator = (leaf: LeafReader) => {
    const bits = rootDocuments(leaf);
    return bitSetIterator(bits, bits.cardinality());
  };
  return iteratorQuery("FieldExistsQuery [field=_primary_term]", iterator, {
    className: "FieldExistsQuery",
    // Without segments there is none that lacks it.
    simpler: ({ leaves }) => (leaves.length === 0 ? matchAllQuery() : undefined),
  });
}

/** Only documents of the nested object: what matches everything would match the roots too. */
function withinNested(children: Query, path: string, { mapping }: QueryContext): Query {
  const outside = (field: string) => {
    if (field.startsWith("_")) return true;
    const known = mapping.field(field);
    return known !== undefined && known.nestedPath !== path;
  };
  if (!mightMatch(children, outside)) return children;
  return booleanQuery([
    { occur: "must", query: children },
    { occur: "filter", query: nestedDocumentsQuery(path) },
  ]);
}

/** Only documents of a level, or root documents: what matches nested ones too would let others through. */
export function onlyOfLevel(query: Query, path: string | undefined, { mapping }: QueryContext): Query {
  const inNested = (field: string) => field.startsWith("_") || mapping.field(field)?.nestedPath !== undefined;
  if (!mightMatch(query, inNested)) return query;
  return booleanQuery([
    { occur: "must", query },
    { occur: "filter", query: path === undefined ? rootDocumentsQuery() : nestedDocumentsQuery(path) },
  ]);
}

export const parseNested: QueryParser = (json, depth) => {
  const options: { boost?: number; queryName?: string } = {};
  let path: string | undefined;
  let inner: QueryBuilder | undefined;
  let scoreMode: NestedScoreMode = "avg";
  let shown: JsonObject | undefined;
  let ignoreUnmapped = false;
  for (const key of Object.keys(json)) {
    for (const at of throughBrackets(json, key)) {
      const value = at[key];
      if (isObject(value)) {
        if (key === "inner_hits") {
          shown = value;
          continue;
        }
        if (key !== "query") throw errorAt(json, { value: key }, `[nested] query does not support [${key}]`);
        inner = parseInnerQuery(at, key, depth + 1);
      } else if (key === "path") path = textOf(value);
      else if (key === "score_mode") scoreMode = readScoreMode(textOf(value));
      else if (key === "ignore_unmapped") ignoreUnmapped = readBoolean(value);
      else if (!readCommon(at, key, options))
        throw errorAt(json, { value: key }, `[nested] query does not support [${key}]`);
    }
  }
  if (path === undefined) throw illegalArgument("[nested] requires 'path' field");
  if (!inner) throw illegalArgument("[nested] requires 'query' field");
  const [name, query] = [path, inner];
  const build = (context: QueryContext) => {
    const object = context.mapping.object(name);
    if (!object?.nested) {
      if (ignoreUnmapped) return matchNoneQuery("");
      throw new EngineError("illegal_state_exception", `[nested] failed to find nested object under path [${name}]`, {
        status: 500,
      });
    }
    const { nestedPath } = context;
    const children = query.toQuery({ ...context, nestedPath: name, outerNestedPath: nestedPath });
    const within = withinNested(children, name, context);
    const parents =
      nestedPath === undefined
        ? rootDocuments
        : (leaf: Parameters<typeof rootDocuments>[0]) => nestedDocuments(leaf, nestedPath);
    // Nothing is asked for the scores of what is within.
    const asked = scoreMode === "none" ? constantScoreQuery(within) : within;
    return toParentQuery(asked, parents, scoreMode, name, within);
  };
  // Without its own, those of the queries within have nothing to stand in.
  const innerHits = shown === undefined ? [] : [{ ...parseHitOptions(shown), path: name, query }];
  return makeBuilder(
    "nested",
    options,
    build,
    (...rewriting) => rewriteAll([query], ...rewriting),
    query.lookups,
    innerHits,
  );
};
