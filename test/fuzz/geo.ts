/** Random places, and queries and sorts by where they are. */
import type { Random } from "./random.ts";
import type { Field, Json, JsonMap } from "./world.ts";

const PLACES = [
  [2.35, 48.85],
  [116.4, 39.9],
  [-74.006, 40.7128],
  [0, 0],
  [180, 0],
  [-180, 10],
  [12.5, 90],
  [-45.25, -90],
] as const;

/** A place in one of the forms that are read, now and then one that is none. */
export function placeOf(random: Random): Json {
  const [lon, lat] = random.oneIn(3)
    ? random.pick(PLACES)
    : [random.int(-18000, 18000) / 100, random.int(-9000, 9000) / 100];
  if (random.oneIn(40)) return random.pick<Json>(["91,0", [0, 181], "abc!", {}, 5, "u09tvw0"]);
  return random.pick<Json>([
    [lon, lat],
    `${lat},${lon}`,
    { lat, lon },
    `POINT (${lon} ${lat})`,
    { type: "Point", coordinates: [lon, lat] },
  ]);
}

const fieldOf = (random: Random, fields: readonly Field[]): string => {
  const places = fields.filter(({ type }) => type === "geo_point");
  return places.length > 0 && !random.oneIn(20) ? random.pick(places).name : random.pick(fields).name;
};

export function geoQueryOf(random: Random, fields: readonly Field[]): JsonMap {
  const field = fieldOf(random, fields);
  const options: JsonMap = random.oneIn(5) ? { boost: random.pick([0, 0.5, 3]) } : {};
  if (random.oneIn(5)) options.validation_method = random.pick(["STRICT", "COERCE", "IGNORE_MALFORMED"]);
  return random.pick<() => JsonMap>([
    () => ({
      geo_distance: {
        [field]: placeOf(random),
        distance: random.pick<Json>(["900km", "3000mi", "12000km", 50_000, "1m", "19000000"]),
        ...options,
      },
    }),
    () => ({ geo_bounding_box: { [field]: boxOf(random), ...options } }),
    () => ({
      distance_feature: {
        field,
        origin: placeOf(random),
        pivot: random.pick(["900km", "1m", "3000mi"]),
        ...(options.boost === undefined ? {} : { boost: options.boost }),
      },
    }),
    () => ({
      function_score: {
        [random.pick(["gauss", "exp", "linear"])]: {
          [field]: {
            origin: placeOf(random),
            scale: random.pick(["2000km", "900mi"]),
            offset: random.pick(["0km", "300km"]),
          },
          multi_value_mode: random.pick(["min", "max", "avg", "sum"]),
        },
        ...(random.oneIn(2) ? { boost_mode: "replace" } : {}),
      },
    }),
  ])();
}

function boxOf(random: Random): JsonMap {
  const [a, b] = [random.int(-90, 90), random.int(-90, 90)];
  const [top, bottom] = random.oneIn(20) ? [Math.min(a, b), Math.max(a, b)] : [Math.max(a, b), Math.min(a, b)];
  const [left, right] = [random.int(-180, 180), random.int(-180, 180)];
  return random.pick<JsonMap>([
    { top, left, bottom, right },
    { top_left: [left, top], bottom_right: { lat: bottom, lon: right } },
    { top_right: `${top},${right}`, bottom_left: [left, bottom] },
    { wkt: `BBOX (${left}, ${right}, ${top}, ${bottom})` },
  ]);
}

/** `_geo_distance` of a `sort`. */
export function geoSortOf(random: Random, fields: readonly Field[]): JsonMap {
  return {
    _geo_distance: {
      [fieldOf(random, fields)]: random.oneIn(3) ? [placeOf(random), placeOf(random)] : placeOf(random),
      ...(random.oneIn(2) ? { order: random.pick(["asc", "desc"]) } : {}),
      ...(random.oneIn(3) ? { unit: random.pick(["km", "mi", "ft", "m"]) } : {}),
      ...(random.oneIn(3) ? { mode: random.pick(["min", "max", "avg", "median"]) } : {}),
      ...(random.oneIn(4) ? { distance_type: random.pick(["arc", "plane"]) } : {}),
    },
  };
}
