/** range: documents with a value between two bounds. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import { dateFormatter } from "../../mapping/date/formatter.ts";
import { parseZone } from "../../mapping/date/zone.ts";
import { existsBy } from "../../mapping/index.ts";
import { stepAddress } from "../../mapping/ip-address.ts";
import type { IndexedValue, MappedField } from "../../mapping/types.ts";
import { constantScoreQuery, matchNoneQuery } from "../lucene/constant.ts";
import { ordinalRangeQuery } from "../lucene/ordinals.ts";
import {
  addressRangeQuery,
  numberRangeQuery,
  type RangeDescription,
  type TermBound,
  termRangeQuery,
} from "../lucene/range.ts";
import type { Query } from "../types.ts";
import { makeBuilder, type QueryContext, whileRewriting } from "./builder.ts";
import { readCommon } from "./compound.ts";
import { describeAddresses, describeRange } from "./describe-range.ts";
import { existsQuery } from "./exists.ts";
import { metadataExistsQuery, metadataRangeQuery } from "./metadata-fields.ts";
import type { QueryParser } from "./parse.ts";
import { type RangeRelation, rangesQuery } from "./ranges.ts";
import {
  errorAt,
  isArray,
  isObject,
  located,
  onlyField,
  readText,
  secondField,
  throughBrace,
  throughBrackets,
} from "./read.ts";
import { runtimeRangeQuery } from "./runtime-fields.ts";
import { checkSearchable } from "./term-level.ts";

/** Names of Elasticsearch 1 that version 8 refuses. */
const DEPRECATED_BOUNDS = ["from", "to", "include_lower", "include_upper"];

interface RangeOptions {
  boost?: number;
  queryName?: string;
  format?: string;
  timeZone?: string;
  relation?: RangeRelation;
}

export const parseRange: QueryParser = (json) => {
  const options: RangeOptions = {};
  let from: JsonValue = null;
  let to: JsonValue = null;
  let includeLower = true;
  let includeUpper = true;
  let fieldName: string | undefined;
  const field = (inner: JsonObject, key: string, within = false) => {
    for (const [option, value] of Object.entries(inner)) {
      if (DEPRECATED_BOUNDS.includes(option)) {
        const reason = `deprecated fields not supported here but got [${option}] which has been deprecated entirely`;
        const error = new EngineError("unsupported_operation_exception", reason, { status: 500 });
        throw located(error, inner, { value: option });
      }
      if (option === "gt" || option === "gte") {
        from = value;
        includeLower = option === "gte";
      } else if (option === "lt" || option === "lte") {
        to = value;
        includeUpper = option === "lte";
      } else if (option === "time_zone") options.timeZone = readText(inner, option);
      else if (option === "format") options.format = readText(inner, option);
      else if (option === "relation") options.relation = readRelation(readText(inner, option));
      else if (!readCommon(inner, option, options))
        throw errorAt(inner, { value: option }, `[range] query does not support [${option}]`);
      else continue;
      // Elasticsearch takes a bracket for the bound: the closing one of a list, the opening one of an object.
      if (isArray(value) || (within && isObject(value))) throw unsupported(`a structure as range.${option}`);
      if (isObject(value)) {
        const read = (inside: JsonObject) => field(inside, key, true);
        throw throughBrace("range", [json, key, inner, option], read, (behind) => outOfPlace(inner, behind, key));
      }
    }
  };
  for (const key of Object.keys(json)) {
    for (const { [key]: inner } of throughBrackets(json, key)) {
      if (!isObject(inner)) throw errorAt(json, { value: key }, `[range] query does not support [${key}]`);
      fieldName = onlyField("range", json, key, fieldName);
      field(inner, key);
    }
  }
  // Fields that are no dates have no use for these two, and yet they must be right.
  if (options.timeZone !== undefined) parseZone(options.timeZone);
  if (options.format !== undefined) checkFormat(options.format);
  if (!fieldName) throw illegalArgument("field name is null or empty");
  const name = fieldName;
  const bounds = { from, to, includeLower, includeUpper };
  return makeBuilder(
    "range",
    options,
    (context) => {
      const field = context.mapping.field(name);
      if (!field) return matchNoneQuery(`unmapped field [${name}]`);
      if (relationOf(field, bounds, options, context) === "within") return constantScoreQuery(existsQuery(field));
      return fieldRangeQuery(field, bounds, options, context);
    },
    (context, anyIndex) => {
      if (anyIndex) return false;
      const field = context.mapping.field(name);
      return field === undefined || relationOf(field, bounds, options, context) === "disjoint";
    },
  );
};

/**
 * Before anything is built, a range of dates is compared with the dates of the index: none or all of them may lie within
 * (DateFieldType.isFieldWithinQuery).
 */
function relationOf(
  field: MappedField,
  bounds: Bounds,
  options: RangeOptions,
  context: QueryContext,
): "disjoint" | "within" | "intersects" {
  const { from, to, includeLower, includeUpper } = bounds;
  if (field.family !== "date" || field.runtime || (!field.indexed && field.hasDocValues)) return "intersects";
  const points = context.pointRange(field.info.name);
  if (points === undefined) return "disjoint";
  const bound = boundReader(field, bounds, options, context);
  const low = bound(from, !includeLower) as number | bigint | undefined;
  const high = bound(to, includeUpper) as number | bigint | undefined;
  const least = low === undefined ? Number.NEGATIVE_INFINITY : includeLower ? low : field.nextUp(low);
  const greatest = high === undefined ? Number.POSITIVE_INFINITY : includeUpper ? high : field.nextDown(high);
  if (points.min >= least && points.max <= greatest) return "within";
  return points.max < least || points.min > greatest ? "disjoint" : "intersects";
}

/** Reads a bound; null is open. */
function boundReader(field: MappedField, bounds: Bounds, options: RangeOptions, context: QueryContext) {
  const { family } = field;
  const format =
    family === "date" && !field.runtime
      ? boundFormat(bounds, options)
      : family === "range" || field.runtime
        ? options.format
        : undefined;
  const shared = {
    now: context.now,
    ...(format === undefined ? {} : { format }),
    ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
  };
  return (value: JsonValue, roundUp: boolean) => {
    if (value === null) return undefined;
    const read = () => field.rangeBound(value, { ...shared, roundUp });
    return family === "date" && field.indexed ? whileRewriting(read) : read();
  };
}

/** What stands where the name of the field belongs. */
function outOfPlace(json: JsonObject, key: string, field: string): EngineError {
  if (isArray(json[key])) return unsupported(`a list as range.${key}`);
  if (isObject(json[key])) return secondField("range", json, key, field);
  return errorAt(json, { value: key }, `[range] query does not support [${key}]`);
}

function readRelation(text: string): RangeRelation {
  const relation = text.toLowerCase();
  if (relation === "disjoint") throw illegalArgument(`[range] query does not support relation [${text}]`);
  if (!["within", "contains", "intersects"].includes(relation)) {
    throw illegalArgument(`${text} is not a valid relation`);
  }
  return relation as RangeRelation;
}

function checkFormat(format: string): void {
  if (format.trim() === "") throw illegalArgument("No date pattern provided");
  dateFormatter(format);
}

/** Doc values of booleans are 0 and 1. */
function booleanRangeQuery(name: string, low: TermBound | undefined, high: TermBound | undefined): Query {
  const number = ({ term }: TermBound) => (term === "T" ? 1 : 0);
  const from = low ? number(low) + (low.inclusive ? 0 : 1) : 0;
  const to = high ? number(high) : 1;
  // Elasticsearch lowers the lower bound where the upper one is exclusive (BooleanFieldType.rangeQuery).
  return numberRangeQuery(name, high?.inclusive === false ? Math.min(0, from - 1) : from, to, false);
}

/** The format of a date's bounds: where one of them is a number, both are milliseconds (DateFieldType.rangeQuery). */
function boundFormat({ from, to }: Bounds, { format }: RangeOptions): string | undefined {
  const isNumber = (bound: JsonValue) => typeof bound === "number" || bound instanceof JsonNumber;
  return format ?? (isNumber(from) || isNumber(to) ? "epoch_millis" : undefined);
}

interface Bounds {
  from: JsonValue;
  to: JsonValue;
  includeLower: boolean;
  includeUpper: boolean;
}

/** RangeType.rangeQuery: open ends are the outermost values. */
function rangeOfRanges(
  field: MappedField,
  { from, to, includeLower, includeUpper }: Bounds,
  bound: (value: JsonValue, roundUp: boolean) => IndexedValue | undefined,
  { relation = "intersects" }: RangeOptions,
): Query {
  const { least, greatest, key, step, show } = field.ranges!;
  const lower = bound(from, !includeLower) ?? least;
  const upper = bound(to, includeUpper) ?? greatest;
  if (key(lower) > key(upper)) {
    throw illegalArgument(`Range query \`from\` value (${show(lower)}) is greater than \`to\` value (${show(upper)})`);
  }
  const low = includeLower ? lower : step(lower, 1);
  const high = includeUpper ? upper : step(upper, -1);
  if (key(low) > key(high)) return matchNoneQuery("range query with from > to");
  return rangesQuery(field, { low, high }, relation);
}

export function fieldRangeQuery(
  field: MappedField,
  bounds: Bounds,
  options: RangeOptions,
  context: QueryContext,
): Query {
  const { family } = field;
  const { from, to, includeLower, includeUpper } = bounds;
  if (from === null && to === null) {
    const exists = metadataExistsQuery(field.name, context) ?? existsQuery(field);
    return field.runtime || existsBy(field) === "_field_names" ? constantScoreQuery(exists) : exists;
  }
  if (family === "vector" || family === "opaque") {
    throw illegalArgument(`Field [${field.name}] of type [${field.type}] does not support range queries`);
  }
  const metadata = family === "metadata" ? metadataRangeQuery(field, bounds) : undefined;
  if (metadata) return metadata;
  checkSearchable(field);
  const bound = boundReader(field, bounds, options, context);
  if (field.termPrefix !== undefined && (from === null || to === null)) {
    throw illegalArgument("[range] queries on keyed [flattened] fields must include both an upper and a lower bound.");
  }
  if (field.ranges !== undefined) return rangeOfRanges(field, bounds, bound, options);
  const low = bound(from, !includeLower);
  const high = bound(to, includeUpper);
  if (field.runtime) return runtimeRangeQuery(field, { low, high, includeLower, includeUpper });
  const name = field.info.name;
  if (typeof low === "string" || typeof high === "string") {
    const lower = low === undefined ? undefined : { term: String(low), inclusive: includeLower };
    const upper = high === undefined ? undefined : { term: String(high), inclusive: includeUpper };
    if (field.indexed && field.family === "ip") {
      return addressRangeQuery(name, lower, upper, addresses(field, lower, upper));
    }
    if (field.indexed) return termRangeQuery(name, lower, upper, { includeLower, includeUpper });
    return family === "boolean" ? booleanRangeQuery(name, lower, upper) : ordinalRangeQuery(name, lower, upper);
  }
  const least = low === undefined ? Number.NEGATIVE_INFINITY : includeLower ? low : field.nextUp(low);
  const greatest = high === undefined ? Number.POSITIVE_INFINITY : includeUpper ? high : field.nextDown(high);
  return numberRangeQuery(name, least, greatest, field.indexed, describeRange(field, least, greatest));
}

/** How a range of addresses is shown: with the ends that belong to it. */
function addresses(field: MappedField, low: TermBound | undefined, high: TermBound | undefined): RangeDescription {
  const end = (bound: TermBound | undefined, step: 1n | -1n) =>
    bound === undefined ? undefined : bound.inclusive ? bound.term : stepAddress(bound.term, step);
  return describeAddresses(field, end(low, 1n), end(high, -1n));
}
