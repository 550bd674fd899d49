/** Requests with something wrong in them: a part left out, renamed, of another kind, or where it does not belong. */
import type { Random } from "../random.ts";
import type { Json, JsonMap } from "../world.ts";

const isMap = (value: Json): value is JsonMap => value !== null && typeof value === "object" && !Array.isArray(value);

const strays = (random: Random): Json =>
  random.pick<Json>([
    null,
    true,
    0,
    -1,
    1.5,
    1e40,
    "",
    "x",
    "1",
    "*",
    "😀",
    [],
    {},
    [{}],
    ["a", 1],
    [null],
    { a: 1 },
    { query: "fox" },
    { match_all: {} },
  ]);

const NAMES = ["boost", "_name", "query", "value", "field", "fields", "analyzer", "foo", "", "t1", "Query", "filter"];

/** All places in a value, each as the way to it. */
function places(value: Json, way: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  const inner: [string | number, Json][] = Array.isArray(value)
    ? value.map((item, at) => [at, item])
    : isMap(value)
      ? Object.entries(value)
      : [];
  return inner.flatMap(([key, each]) => [[...way, key], ...places(each, [...way, key])]);
}

function changed(random: Random, holder: JsonMap | Json[], key: string | number): void {
  const inner = (holder as JsonMap)[key];
  let value = inner;
  switch (random.int(0, 6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case 1:
      if (!Array.isArray(holder)) {
        delete holder[key];
        holder[random.pick(NAMES)] = inner;
        return;
      }
      value = [inner];
      break;
    case 2:
      value = [inner];
      break;
    case 3:
      value = { [random.pick(NAMES)]: inner };
      break;
    case 4:
      value = isMap(inner) ? { ...inner, [random.pick(NAMES)]: strays(random) } : String(inner);
      break;
    default:
      value = strays(random);
  }
  (holder as JsonMap)[key] = value;
}

export function broken(random: Random, body: JsonMap): JsonMap {
  const copy = structuredClone(body);
  for (let times = random.oneIn(3) ? 2 : 1; times > 0; times--) {
    const all = places(copy);
    if (all.length === 0) break;
    const way = random.pick(all);
    let holder: Json = copy;
    for (const key of way.slice(0, -1)) holder = (holder as JsonMap)[key];
    changed(random, holder as JsonMap | Json[], way[way.length - 1]);
  }
  return copy;
}
