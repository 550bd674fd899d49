/** Documents with a point, each scored by how near it is to an origin (Lucene's LatLonPointDistanceFeatureQuery). */
import { illegalArgument } from "../../errors.ts";
import { haversinSortKey } from "../../mapping/geo/distance.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { javaDouble } from "../../mapping/java-text.ts";
import { type Explanation, matched, unmatched } from "../explanation.ts";
import { leafPoints, metresBetween } from "../geo-distances.ts";
import type { Query } from "../types.ts";
import { featureScore, missingDocValues, valueScorer } from "./distance-feature.ts";
import { checkLatitude, checkLongitude, type PointField } from "./geo.ts";

/** @param pivot metres at which the score is half of the best */
export function geoDistanceFeatureQuery(field: PointField, origin: GeoPoint, pivot: number): Query {
  const { name, indexed, hasDocValues } = field;
  checkLatitude(origin.lat);
  checkLongitude(origin.lon);
  if (!(pivot > 0)) throw illegalArgument(`pivotDistance must be > 0, got ${javaDouble(pivot)}`);
  const [lat, lon, distance] = [origin.lat, origin.lon, pivot].map(javaDouble);
  const nearest = (points: readonly GeoPoint[]): GeoPoint => {
    const key = (point: GeoPoint) => haversinSortKey(origin.lat, origin.lon, point.lat, point.lon);
    return points.reduce((best, next) => (key(next) < key(best) ? next : best));
  };
  const scoreOf = (weight: number, points: readonly GeoPoint[]) =>
    featureScore(weight, pivot, metresBetween(origin, nearest(points)));
  const query: Query = {
    className: indexed ? "LatLonPointDistanceFeatureQuery" : "GeoPointScriptFieldDistanceFeatureQuery",
    describe: () =>
      indexed
        ? `LatLonPointDistanceFeatureQuery(field=,originLat=${lat},originLon=${lon},pivotDistance=${distance})`
        : `${name}:GeoPointScriptFieldDistanceFeatureQuery(lat=${lat},lon=${lon},pivot=${distance})`,
    toString: () => `LatLonPointDistanceFeatureQuery(${name} ${lat} ${lon} ${distance} ${indexed})`,
    rewrite: () => query,
    createWeight(_searcher, _mode, boost) {
      return {
        query,
        scorer(leaf) {
          const [points, column] = [leafPoints(leaf, name), leaf.segment.numeric(name)];
          if (points === undefined || column === undefined) return undefined;
          if (!hasDocValues) throw missingDocValues(name);
          return valueScorer(column.iterator(), (doc) => scoreOf(boost, points(doc)));
        },
        explain(leaf, doc) {
          const points = leafPoints(leaf, name);
          if (points !== undefined && !hasDocValues) throw missingDocValues(name);
          const own = points?.(doc) ?? [];
          if (own.length === 0) return unmatched(`Document ${doc} doesn't have a value for field ${name}`);
          return explain(scoreOf(boost, own), { weight: boost, pivot, origin, nearest: nearest(own) });
        },
      };
    },
  };
  return query;
}

interface Explained {
  readonly weight: number;
  readonly pivot: number;
  readonly origin: GeoPoint;
  readonly nearest: GeoPoint;
}

function explain(score: number, { weight, pivot, origin, nearest }: Explained): Explanation {
  const double = (value: number, description: string): Explanation => ({
    match: true,
    value,
    kind: "double",
    description,
    details: [],
  });
  return matched(score, "Distance score, computed as weight * pivotDistance / (pivotDistance + abs(distance)) from:", [
    matched(weight, "weight"),
    double(pivot, "pivotDistance"),
    double(origin.lat, "originLat"),
    double(origin.lon, "originLon"),
    double(nearest.lat, "current lat"),
    double(nearest.lon, "current lon"),
    double(metresBetween(origin, nearest), "distance"),
  ]);
}
