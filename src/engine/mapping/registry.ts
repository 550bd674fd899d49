/** The field types there are: a new one is a file in `fields/` and a line here. */
import { mapperParsing, unsupported } from "../errors.ts";
import { binaryType } from "./fields/binary.ts";
import { booleanType } from "./fields/boolean.ts";
import { completionType } from "./fields/completion.ts";
import { dateNanosType, dateType } from "./fields/date.ts";
import { denseVectorType } from "./fields/dense-vector.ts";
import { flattenedType } from "./fields/flattened.ts";
import { geoPointType } from "./fields/geo-point.ts";
import { ipType } from "./fields/ip.ts";
import { keywordType } from "./fields/keyword.ts";
import { numberTypes } from "./fields/number.ts";
import { rangeTypes } from "./fields/range.ts";
import { scaledFloatType } from "./fields/scaled-float.ts";
import { sparseVectorType } from "./fields/sparse-vector.ts";
import { textType } from "./fields/text.ts";
import { wildcardType } from "./fields/wildcard.ts";
import type { FieldType } from "./model.ts";

const TYPES: ReadonlyMap<string, FieldType> = new Map(
  [
    textType,
    keywordType,
    ...numberTypes,
    scaledFloatType,
    booleanType,
    dateType,
    dateNanosType,
    ipType,
    ...rangeTypes,
    flattenedType,
    wildcardType,
    geoPointType,
    binaryType,
    completionType,
    denseVectorType,
    sparseVectorType,
  ].map((type) => [type.type, type]),
);

/** Types that Elasticsearch has, in its server, modules or free plugins, and this engine does not. */
export const UNSUPPORTED_FIELD_TYPES: ReadonlySet<string> = new Set([
  "aggregate_metric_double",
  "annotated_text",
  "constant_keyword",
  "counted_keyword",
  "geo_shape",
  "histogram",
  "icu_collation_keyword",
  "join",
  "match_only_text",
  "murmur3",
  "passthrough",
  "percolator",
  "point",
  "rank_feature",
  "rank_features",
  "rank_vectors",
  "search_as_you_type",
  "semantic_text",
  "shape",
  "token_count",
  "unsigned_long",
  "version",
]);

/** Names of the types that work, for documentation. `object`, `nested` and `alias` are no leaves and stand beside them. */
export const FIELD_TYPES: readonly string[] = [...TYPES.keys(), "object", "nested", "alias"];

/** True for every name that a field's `type` may have. */
export const isFieldType = (type: string): boolean => FIELD_TYPES.includes(type) || UNSUPPORTED_FIELD_TYPES.has(type);

/** The type of a name; throws Elasticsearch's error for a name that it does not know either. */
export function fieldTypeOf(type: string, field: string, no: "No" | "no" = "No"): FieldType {
  const found = TYPES.get(type);
  if (found !== undefined) return found;
  if (UNSUPPORTED_FIELD_TYPES.has(type)) throw unsupported(`field type [${type}]`);
  throw mapperParsing(`${no} handler for type [${type}] declared on field [${field}]`);
}
