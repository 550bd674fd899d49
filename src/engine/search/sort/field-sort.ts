/** Sorting by a field (Elasticsearch's FieldSortBuilder): which key its type, its mode and its missing values make. */
import { illegalArgument, unsupported } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { checkFielddata } from "../../mapping/fielddata.ts";
import { METADATA_FIELDS, METADATA_NAMES } from "../../mapping/metadata.ts";
import type { MappedField } from "../../mapping/types.ts";
import { asShard, type QueryBuilder, type QueryContext, queryShardError } from "../../query/dsl/index.ts";
import { metadataSource } from "./metadata-sources.ts";
import type { SortMode } from "./multi-value.ts";
import { type NestedSort, nestedChildren } from "./nested-values.ts";
import { type NumericSource, numericFieldKey, numericSource } from "./numeric-field.ts";
import { type StringSource, stringFieldKey, stringSource } from "./string-field.ts";
import type { SortBuilder, SortContext, SortKey } from "./types.ts";
import { unmappedField } from "./unmapped.ts";

export type NumericType = "long" | "double" | "date" | "date_nanos";

export interface FieldSort {
  readonly field: string;
  readonly descending: boolean;
  readonly mode?: SortMode;
  /** `_first`, `_last` or what a document without a value counts as. */
  readonly missing?: JsonValue;
  readonly unmappedType?: string;
  readonly numericType?: NumericType;
  readonly format?: string;
  readonly nested?: NestedSort;
}

/** Where a field's values are in segments. */
export type FieldSource = NumericSource | StringSource;

export function fieldSort(sort: FieldSort): SortBuilder {
  return {
    name: sort.field,
    descending: sort.descending,
    queries: queriesOf(sort.nested),
    build: (context) => asShard(() => buildKey(sort, context)),
  };
}

export function queriesOf(nested: NestedSort | undefined): QueryBuilder[] {
  if (!nested) return [];
  return [...(nested.filter ? [nested.filter] : []), ...queriesOf(nested.nested)];
}

function buildKey(sort: FieldSort, { query: context, searcher }: SortContext): SortKey {
  const mode = sort.mode ?? (sort.descending ? "max" : "min");
  const { nested } = sort;
  if (!nested) checkNestedPath(sort.field, context);
  // Of a field that an index does not have, nested documents are not looked for.
  const children = nested && knownField(sort.field, context) && nestedChildren(nested, context, searcher);
  const source = sourceOf(sort, context);
  const options = { sort, mode, children };
  if (source.kind === "number") return numericFieldKey(source, options);
  if (mode !== "min" && mode !== "max") {
    throw queryShardError(context, "we only support AVG, MEDIAN and SUM on number based fields");
  }
  if (sort.numericType !== undefined) {
    throw queryShardError(
      context,
      `[numeric_type] option cannot be set on a non-numeric field, got ${source.typeName}`,
    );
  }
  refuseUnordered(source);
  return stringFieldKey(source, { ...options, mode });
}

/** A field within nested objects is only sorted by with `nested`; where nested documents are sorted nothing is asked. */
export function checkNestedPath(field: string, context: QueryContext): void {
  if (context.nestedPath !== undefined || context.mapping.field(field)?.nestedPath === undefined) return;
  throw queryShardError(context, `it is mandatory to set the [nested] context on the nested sort field: [${field}].`);
}

function knownField(name: string, { mapping }: QueryContext) {
  if (METADATA_NAMES.includes(name)) return METADATA_FIELDS.get(name);
  // `_tier` is a constant of the node, which an index knows nothing of.
  return name === "_tier" ? undefined : mapping.field(name);
}

function sourceOf(sort: FieldSort, context: QueryContext): FieldSource {
  const name = sort.field;
  const known = knownField(name, context);
  if (!known && METADATA_NAMES.includes(name)) throw noFielddata(name);
  if (!known && sort.unmappedType === undefined) {
    throw queryShardError(context, `No mapping found for [${name}] in order to sort on`);
  }
  const field = known ?? unmappedField(sort.unmappedType!, context);
  checkFielddata(field, context.indexName);
  return field.family === "metadata" ? metadataSource(field.name, context) : fieldSource(field);
}

/** Of metadata fields that this engine does not have. */
const noFielddata = (name: string) =>
  illegalArgument(`Fielddata is not supported on field [${name}] of type [${name}]`);

/** The values of a field. */
function fieldSource(field: MappedField): FieldSource {
  if (field.family === "range") throw unsupported(`sort on a field of type [${field.type}]`);
  return numericSource(field) ?? stringSource(field);
}

/** What is said of types with values that have no order, when nothing else is wrong with the sort. */
function refuseUnordered({ name, typeName }: FieldSource): void {
  if (typeName === "dense_vector") {
    throw illegalArgument(`Field [${name}] of type [${typeName}] doesn't support sort`);
  }
  if (typeName === "binary" || typeName === "wildcard") throw illegalArgument("can't sort on binary field");
  if (typeName === "geo_point") {
    throw illegalArgument(
      "can't sort on geo_point or point field without using specific sorting feature, like geo_distance",
    );
  }
}
