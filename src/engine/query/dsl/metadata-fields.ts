/** Queries on metadata fields, which every document has without any mapping: each of them is searched in a way of its own. */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { MappedField } from "../../mapping/types.ts";
import { bitSetIterator, FixedBitSet } from "../../segment/index.ts";
import type { LeafReader } from "../../segment/types.ts";
import { matchAllQuery, matchNoneQuery } from "../lucene/constant.ts";
import { iteratorQuery } from "../lucene/iterator.ts";
import { idsQuery } from "../lucene/range.ts";
import type { Query } from "../types.ts";
import { type QueryContext, queryShardError } from "./builder.ts";
import { textOf } from "./read.ts";

/** Fields that all documents have, for `exists`. */
const EVERYWHERE = new Set(["_id", "_index", "_seq_no", "_version"]);
/** Fields of which no document here has a value: there is no tier. */
const NOWHERE = new Set(["_tier"]);
/** Fields with terms, found like those of a keyword. */
const WITH_TERMS = new Set(["_field_names", "_ignored", "_nested_path", "_routing"]);

const ALL = [...EVERYWHERE, ...NOWHERE, ...WITH_TERMS, "_source", "_doc_count"];

/** Names of the metadata fields behind a name or a pattern with `*`. */
export function metadataNames(pattern: string): string[] {
  if (!pattern.includes("*")) return ALL.filter((name) => name === pattern);
  const [first, ...parts] = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const matcher = new RegExp(`^${[first, ...parts].join(".*")}$`, "s");
  return ALL.filter((name) => matcher.test(name));
}

/** Whether a metadata field is searched for texts by its terms alone. */
export const hasTermsOnly = (name: string) => ["_ignored", "_nested_path", "_routing"].includes(name);

export const isNowhere = (name: string) => NOWHERE.has(name);

export function matchesIndexName(name: string, { indexName }: QueryContext): boolean {
  const pattern = new RegExp(`^${name.replace(/[.+^${}()|[\]\\?]/g, "\\$&").replaceAll("*", ".*")}$`);
  return pattern.test(indexName);
}

/** Documents by id. @throws illegal_argument_exception for an empty one */
export function documentsById(ids: readonly string[], { nestedPath }: QueryContext): Query {
  if (ids.includes("")) throw illegalArgument("Ids can't be empty");
  return idsQuery(ids, nestedPath !== undefined);
}

/** A term query on a metadata field, or undefined where the field's terms answer it. */
export function metadataTermQuery(field: MappedField, value: JsonValue, context: QueryContext): Query | undefined {
  const { name } = field;
  if (name === "_id") return documentsById([textOf(value) ?? ""], context);
  if (name === "_index") {
    const matches = matchesIndexName(textOf(value) ?? "", context);
    return matches ? matchAllQuery() : matchNoneQuery("another index");
  }
  if (name === "_seq_no") {
    const number = sequenceNumber(value);
    return sequenceNumberQuery(number, number);
  }
  if (NOWHERE.has(name)) return matchNoneQuery(`no document has [${name}]`);
  if (name === "_version" || name === "_source") throw queryShardError(context, `The ${name} field is not searchable`);
  return undefined;
}

/** A term query on a metadata field that ignores case, or undefined where the field's terms answer it. */
export function metadataIgnoringCase(field: MappedField, value: JsonValue, context: QueryContext): Query | undefined {
  // Ids are stored encoded, and the text as it stands is never one of them.
  if (field.name === "_id") return matchNoneQuery("an id has its case");
  if (field.name !== "_index") return undefined;
  const lower = { ...context, indexName: context.indexName.toLowerCase() };
  return metadataTermQuery(field, (textOf(value) ?? "").toLowerCase(), lower);
}

export interface SequenceRange {
  readonly from: JsonValue;
  readonly to: JsonValue;
  readonly includeLower: boolean;
  readonly includeUpper: boolean;
}

/** A range query on a metadata field, or undefined where the field's terms answer it. */
export function metadataRangeQuery(field: MappedField, range: SequenceRange): Query | undefined {
  const { name } = field;
  if (NOWHERE.has(name)) return matchNoneQuery(`no document has [${name}]`);
  if (name === "_seq_no") {
    const low = range.from === null ? Number.NEGATIVE_INFINITY : sequenceNumber(range.from);
    const high = range.to === null ? Number.POSITIVE_INFINITY : sequenceNumber(range.to);
    return sequenceNumberQuery(range.includeLower ? low : low + 1, range.includeUpper ? high : high - 1);
  }
  if (hasTermsOnly(name)) return undefined;
  throw illegalArgument(`Field [${name}] of type [${name}] does not support range queries`);
}

/** An exists query on a metadata field, or undefined where the field's own values answer it. */
export function metadataExistsQuery(name: string, context: QueryContext): Query | undefined {
  if (EVERYWHERE.has(name)) return matchAllQuery();
  if (NOWHERE.has(name)) return matchNoneQuery(`no document has [${name}]`);
  if (name === "_source") throw queryShardError(context, "The _source field is not searchable");
  if (name === "_field_names") {
    throw new EngineError("unsupported_operation_exception", "Cannot run exists query on _field_names");
  }
  if (name === "_nested_path") {
    throw new EngineError("unsupported_operation_exception", "Cannot run exists() query against the nested field path");
  }
  if (name === "_doc_count") {
    throw queryShardError(context, "Field [_doc_count] of type [_doc_count] does not support exists queries");
  }
  return undefined;
}

/** A sequence number as a query writes it: a whole number, or a text of one (SeqNoFieldMapper.parse). */
function sequenceNumber(value: JsonValue): number {
  const text = textOf(value) ?? "";
  const number = Number(text);
  if (!/^[+-]?\d/.test(text) || Number.isNaN(number))
    throw new EngineError("number_format_exception", `For input string: "${text}"`);
  if (!Number.isInteger(number)) throw illegalArgument(`Value [${text}] has a decimal part`);
  return number;
}

/** Documents whose last change has a number from `low` to `high`, both inclusive; nested ones have their root's. */
function sequenceNumberQuery(low: number, high: number): Query {
  const iterator = ({ segment }: LeafReader) => {
    const bits = new FixedBitSet(segment.maxDoc);
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      const number = segment.seqNo(doc);
      if (number >= low && number <= high) bits.set(doc);
    }
    return bitSetIterator(bits, bits.cardinality());
  };
  return iteratorQuery(`_seq_no:[${low} TO ${high}]`, iterator, {
    className: "PointRangeQuery",
    description: `_seq_no:[${wholeLong(low)} TO ${wholeLong(high)}]`,
  });
}

/** An open end is the last number. */
function wholeLong(bound: number): string {
  if (Number.isFinite(bound) && Math.abs(bound) < 2 ** 63) return String(BigInt(Math.trunc(bound)));
  return bound > 0 ? "9223372036854775807" : "-9223372036854775808";
}
