/** exists: documents in which a field, or any field of an object, has a value. */
import { illegalArgument } from "../../errors.ts";
import { existsBy } from "../../mapping/index.ts";
import type { MappedField } from "../../mapping/types.ts";
import { arrayIterator } from "../../segment/index.ts";
import type { DocIterator, LeafReader } from "../../segment/types.ts";
import { booleanQuery } from "../lucene/boolean.ts";
import { constantScoreQuery, matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { iteratorQuery } from "../lucene/iterator.ts";
import { CONSTANT_SCORE, multiTermQuery } from "../lucene/multi-term.ts";
import { termQuery } from "../lucene/term.ts";
import { prefixMatcher } from "../lucene/term-matchers.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { metadataExistsQuery, metadataNames } from "./metadata-fields.ts";
import type { QueryParser } from "./parse.ts";
import { errorAt, textOf, tokenName } from "./read.ts";
import { runtimeExistsQuery } from "./runtime-fields.ts";

/** Documents in which a field has a value: by doc values, lengths, vectors, or the names recorded for it. */
export function existsQuery(field: MappedField): Query {
  const name = field.info.name;
  if (field.runtime) return runtimeExistsQuery(field);
  if (field.termPrefix !== undefined) return prefixExists(name, field.termPrefix);
  switch (existsBy(field)) {
    case "docValues":
      return fieldExists(field, ({ segment }) => (segment.numeric(name) ?? segment.ordinals(name))?.iterator());
    case "vectors":
      return fieldExists(field, ({ segment }) => {
        const vectors = segment.vectors(name);
        return vectors && arrayIterator(Int32Array.from({ length: vectors.size }, (_, ord) => vectors.doc(ord)));
      });
    case "norms":
      return fieldExists(field, ({ segment }) => {
        const norms = segment.norms(name);
        return norms && docsWithNorms(norms);
      });
    case "_field_names":
      return termQuery("_field_names", name);
  }
}

function fieldExists({ info: { name } }: MappedField, iterator: (leaf: LeafReader) => DocIterator | undefined): Query {
  return iteratorQuery(`FieldExistsQuery [field=${name}]`, iterator, {
    className: "FieldExistsQuery",
    simpler: ({ leaves }) => (leaves.every((leaf) => allHave(name, leaf)) ? matchAllQuery() : undefined),
  });
}

/** Whether each document of a segment has a field, deleted ones counted (FieldExistsQuery.rewrite): terms, points or vectors tell. */
function allHave(name: string, { segment }: LeafReader): boolean {
  const { maxDoc } = segment;
  const counts = [segment.terms(name)?.docCount, segment.points(name)?.docCount, segment.vectors(name)?.size];
  return counts.includes(maxDoc);
}

/** Documents with a term that begins with a prefix: the key of a `flattened` field. */
function prefixExists(field: string, prefix: string): Query {
  return multiTermQuery(field, prefixMatcher(prefix, false), CONSTANT_SCORE, 0);
}

export const parseExists: QueryParser = (json) => {
  const options: { boost?: number; queryName?: string } = {};
  let fieldName: string | undefined;
  for (const [key, value] of Object.entries(json)) {
    if (textOf(value) === undefined)
      throw errorAt(json, { value: key }, `[exists] unknown token [${tokenName(value)}] after [${key}]`);
    if (key === "field") fieldName = textOf(value);
    else if (!readCommon(json, key, options))
      throw errorAt(json, { value: key }, `[exists] query does not support [${key}]`);
  }
  if (fieldName === undefined) throw errorAt(json, "end", "[exists] must be provided with a [field]");
  if (fieldName === "") throw illegalArgument("field name is null or empty");
  const name = fieldName;
  return makeBuilder(
    "exists",
    options,
    (context) => existsFilter(name, context),
    (context, anyIndex) => !anyIndex && fieldsOf(name, context).length === 0,
  );
};

/** Fields of a name, a pattern or an object. */
function fieldsOf(name: string, { mapping }: QueryContext): MappedField[] {
  const fields = mapping.object(name) ? mapping.matchingFields(`${name}.*`) : mapping.matchingFields(name);
  const metadata = metadataNames(name).map((each) => mapping.field(each)!);
  return [...fields, ...metadata];
}

/** Documents in which a field, one of a pattern's or one of an object's has a value (ExistsQueryBuilder.newFilter). */
export function existsFilter(
  name: string,
  context: QueryContext,
  missing = `No field "${name}" exists in mappings.`,
): Query {
  const all = fieldsOf(name, context);
  if (all.length === 0) return matchNoneQuery(missing);
  const queries = all.map((field) => metadataExistsQuery(field.name, context) ?? existsQuery(field));
  if (queries.length === 1) return constantScoreQuery(queries[0]);
  return constantScoreQuery(booleanQuery(queries.map((query) => ({ occur: "should", query }))));
}

/** Documents whose length is recorded. */
function docsWithNorms(norms: Uint8Array) {
  const docs: number[] = [];
  for (let doc = 0; doc < norms.length; doc++) if (norms[doc] !== 0) docs.push(doc);
  return arrayIterator(Int32Array.from(docs));
}
