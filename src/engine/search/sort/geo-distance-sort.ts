/** Sorting by the distance of points from others (Elasticsearch's GeoDistanceSortBuilder). */
import { EngineError, illegalArgument } from "../../errors.ts";
import { RAW_DOUBLE } from "../../mapping/doc-value-format.ts";
import { checkFielddata } from "../../mapping/fielddata.ts";
import { arcDistance, planeDistance } from "../../mapping/geo/distance.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { normalizePoint } from "../../mapping/geo/read-point.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { coordinateErrors, type ValidationMethod } from "../../query/dsl/geo-field.ts";
import { asShard, type QueryContext } from "../../query/dsl/index.ts";
import { castError, dataClass } from "../../query/field-data.ts";
import { leafPoints } from "../../query/geo-distances.ts";
import type { LeafReader } from "../../segment/types.ts";
import { checkNestedPath, queriesOf } from "./field-sort.ts";
import { pickDouble, type SortMode } from "./multi-value.ts";
import { childrenOf, type NestedChildren, type NestedSort, nestedChildren } from "./nested-values.ts";
import { leafKey } from "./numeric-key.ts";
import { readAfter, readDouble } from "./read-value.ts";
import type { LeafKey, SortBuilder, SortContext, SortKey } from "./types.ts";

export interface GeoDistanceSort {
  readonly field: string;
  readonly points: readonly GeoPoint[];
  /** Metres of a unit. */
  readonly unit: number;
  readonly distance: "arc" | "plane";
  readonly descending: boolean;
  readonly mode?: SortMode;
  readonly nested?: NestedSort;
  readonly method: ValidationMethod;
  readonly ignoreUnmapped: boolean;
}

export function geoDistanceSort(sort: GeoDistanceSort): SortBuilder {
  return {
    name: "_geo_distance",
    descending: sort.descending,
    queries: queriesOf(sort.nested),
    build: (context) => asShard(() => buildKey(sort, context)),
  };
}

/** The points that distances are from. @throws for those that lie nowhere */
function originsOf({ field, points, method }: GeoDistanceSort): readonly GeoPoint[] {
  if (method === "COERCE") return points.map((point) => normalizePoint(point));
  const [wrong] = coordinateErrors(points);
  if (wrong === undefined) return points;
  const { what, value } = wrong;
  if (method === "IGNORE_MALFORMED") {
    const limit = what === "latitude" ? "90.0" : "180.0";
    throw illegalArgument(`invalid ${what} ${javaDouble(value)}; must be between -${limit} and ${limit}`);
  }
  const reason = `illegal ${what} value [${javaDouble(value)}] for [GeoDistanceSort] for field [${field}].`;
  throw new EngineError("parse_exception", reason);
}

function buildKey(sort: GeoDistanceSort, { query: context, searcher }: SortContext): SortKey {
  const origins = originsOf(sort);
  const column = columnOf(sort, context);
  const { nested, descending } = sort;
  if (!nested) checkNestedPath(sort.field, context);
  const children = nested && nestedChildren(nested, context, searcher);
  const mode = sort.mode ?? (descending ? "max" : "min");
  return {
    field: sort.field,
    type: "DOUBLE",
    descending,
    leaf: (leaf) =>
      column === undefined ? leafKey(() => Infinity) : distanceKey(leaf, column, { sort, origins, mode, children }),
    print: (value) => RAW_DOUBLE.sortValue(value as number),
    read: (value) => readAfter(value, "Double", sort.field, readDouble),
  };
}

/** Lucene's own sort, which Elasticsearch takes for the nearest point in metres. */
function isPlain({ unit, descending, mode = "min", points, nested }: GeoDistanceSort): boolean {
  return unit === 1 && !descending && mode === "min" && points.length === 1 && nested === undefined;
}

/** The column of the field; undefined for a field that is not mapped. */
function columnOf(sort: GeoDistanceSort, context: QueryContext): string | undefined {
  const { field, ignoreUnmapped } = sort;
  const mapped = context.mapping.field(field);
  if (mapped === undefined) {
    if (ignoreUnmapped) return undefined;
    throw illegalArgument(`failed to find mapper for [${field}] for geo distance based sort`);
  }
  checkFielddata(mapped, context.indexName);
  if (mapped.type !== "geo_point") throw castError(dataClass(mapped), "IndexGeoPointFieldData");
  // Lucene looks for the name that was asked for, which an alias has no values under.
  return isPlain(sort) ? field : mapped.info.name;
}

interface DistanceOptions {
  readonly sort: GeoDistanceSort;
  readonly origins: readonly GeoPoint[];
  readonly mode: SortMode;
  readonly children: NestedChildren | undefined;
}

function distanceKey(leaf: LeafReader, column: string, { sort, origins, mode, children }: DistanceOptions): LeafKey {
  const points = leafPoints(leaf, column);
  // What has no point is farther than everything, in either order.
  if (points === undefined) return leafKey(() => Infinity);
  const metres = sort.distance === "arc" ? arcDistance : planeDistance;
  const { unit } = sort;
  const add = (doc: number, into: number[]) => {
    for (const { lat, lon } of points(doc)) {
      for (const origin of origins) {
        const distance = metres(origin.lat, origin.lon, lat, lon);
        into.push(unit === 1 ? distance : distance / unit);
      }
    }
  };
  const below = children && childrenOf(leaf, children, (child) => points(child).length > 0);
  return leafKey((doc) => {
    const distances: number[] = [];
    if (below) for (const child of below(doc)) add(child, distances);
    else add(doc, distances);
    if (distances.length === 0) return Infinity;
    return pickDouble(
      distances.sort((a, b) => a - b),
      mode,
    );
  });
}
