/** The field types there are: a new one is a file in `fields/` and a line here. */
import { mapperParsing, unsupported } from "../errors.ts";
import { booleanType } from "./fields/boolean.ts";
import { dateType } from "./fields/date.ts";
import { denseVectorType } from "./fields/dense-vector.ts";
import { keywordType } from "./fields/keyword.ts";
import { numberTypes } from "./fields/number.ts";
import { textType } from "./fields/text.ts";
import type { FieldType } from "./model.ts";

const TYPES: ReadonlyMap<string, FieldType> = new Map(
  [textType, keywordType, ...numberTypes, booleanType, dateType, denseVectorType].map((type) => [type.type, type]),
);

/** Types that Elasticsearch has, in its server, modules or free plugins, and this engine does not. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  "aggregate_metric_double",
  "alias",
  "annotated_text",
  "binary",
  "completion",
  "constant_keyword",
  "counted_keyword",
  "date_nanos",
  "date_range",
  "double_range",
  "flattened",
  "float_range",
  "geo_point",
  "geo_shape",
  "histogram",
  "icu_collation_keyword",
  "integer_range",
  "ip",
  "ip_range",
  "join",
  "long_range",
  "match_only_text",
  "murmur3",
  "passthrough",
  "percolator",
  "point",
  "rank_feature",
  "rank_features",
  "rank_vectors",
  "scaled_float",
  "search_as_you_type",
  "semantic_text",
  "shape",
  "sparse_vector",
  "token_count",
  "unsigned_long",
  "version",
  "wildcard",
]);

/** The type of a name; throws Elasticsearch's error for a name that it does not know either. */
export function fieldTypeOf(type: string, field: string): FieldType {
  const found = TYPES.get(type);
  if (found !== undefined) return found;
  if (UNSUPPORTED.has(type)) throw unsupported(`field type [${type}]`);
  throw mapperParsing(`No handler for type [${type}] declared on field [${field}]`);
}
