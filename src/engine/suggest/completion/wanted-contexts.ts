/** The contexts that completions are asked for in (CategoryQueryContext, GeoQueryContext). */
import { EngineError, illegalArgument } from "../../errors.ts";
import type { PositionOf } from "../../json/positions.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import {
  type CompletionContext,
  contextPrefix,
  type GeoContext,
  unknownContext,
} from "../../mapping/completion-contexts.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { geohashLevel, geohashNeighbours, geohashOf, MAX_GEOHASH } from "../../mapping/geo/geohash.ts";
import { geohashCell, readPoint } from "../../mapping/geo/read-point.ts";
import { parseDistance } from "../../mapping/geo/units.ts";
import { javaText } from "../../mapping/java-text.ts";
import { contentError, isArray, isObject, tokenName } from "../../query/dsl/read.ts";
import type { WantedContext } from "./context-matcher.ts";

const parseError = (reason: string, cause?: EngineError) =>
  new EngineError("parse_exception", reason, cause ? { cause } : {});
const missing = (reason: string) => new EngineError("null_pointer_exception", reason, { status: 500 });
const malformed = (reason: string) => new EngineError("x_content_parse_exception", reason);

/** @throws where nothing is asked for, or what the field does not know */
export function readWanted(json: JsonObject | undefined, known: readonly CompletionContext[]): WantedContext[] {
  const wanted: WantedContext[] = [];
  const given = new Map<number, readonly Omit<WantedContext, "prefix">[]>();
  for (const name of Object.keys(json ?? {})) {
    const which = known.findIndex((each) => each.name === name);
    if (which < 0) throw unknownContext(name, known);
    given.set(which, readValues(json!, name, known[which]));
  }
  for (const [which, contexts] of [...given].sort(([a], [b]) => a - b)) {
    for (const { context, boost, exact } of contexts as readonly Given[]) {
      wanted.push({ prefix: contextPrefix(which, context), boost, exact });
    }
  }
  if (wanted.length === 0) throw illegalArgument("Missing mandatory contexts in context query");
  return wanted;
}

interface Given {
  readonly context: string;
  readonly boost: number;
  readonly exact: boolean;
}

function readValues(json: JsonObject, name: string, context: CompletionContext): readonly Given[] {
  const value = json[name];
  const read = (item: JsonValue) => (context.type === "category" ? [readCategory(item)] : readGeo(item, context));
  return isArray(value) ? value.flatMap(read) : read(value);
}

const isScalar = (value: JsonValue | undefined) =>
  value !== undefined && value !== null && !isObject(value) && !isArray(value);

/** Whatever is wrong in its object, Elasticsearch says one thing. */
function readCategory(value: JsonValue): Given {
  if (isScalar(value)) return { context: javaText(value), boost: 1, exact: true };
  if (!isObject(value)) throw malformed("category context must be an object, string, number or boolean");
  const wrong = () => malformed("category context must be a string, number or boolean");
  let [boost, prefix, context]: [number, boolean, string | undefined] = [1, false, undefined];
  for (const [key, item] of Object.entries(value)) {
    if (!isScalar(item)) throw wrong();
    if (key === "context") context = javaText(item);
    else if (key === "boost") boost = wholeOf(item) ?? Number.NaN;
    else if (key === "prefix" && ["true", "false"].includes(javaText(item))) prefix = javaText(item) === "true";
    else throw wrong();
    if (!(boost > 0)) throw wrong();
  }
  if (context === undefined) throw missing("category must not be null");
  return { context, boost, exact: !prefix };
}

/** A number without its fraction, also as text. */
function wholeOf(value: JsonValue): number | undefined {
  if (typeof value === "boolean") return undefined;
  const number = Number(value instanceof JsonNumber ? value.text : value);
  return Number.isFinite(number) && value !== "" ? Math.trunc(number) : undefined;
}

/** The cell of a place and those around it; what is wider than the field's cells stands for all in it. */
function readGeo(value: JsonValue, { precision: own }: GeoContext): readonly Given[] {
  const { point, boost, precision, neighbours } = readPlace(value);
  const cell = geohashOf(point, Math.min(own, precision));
  const cells = new Set([cell]);
  if (neighbours.length === 0 && cell.length === own) for (const next of geohashNeighbours(cell)) cells.add(next);
  for (const level of neighbours) {
    if (level >= cell.length) continue;
    const wider = cell.slice(0, level);
    for (const each of [wider, ...geohashNeighbours(wider)]) cells.add(each);
  }
  return [...cells].map((context) => ({ context, boost, exact: context.length >= own }));
}

interface Place {
  readonly point: GeoPoint;
  readonly boost: number;
  readonly precision: number;
  readonly neighbours: readonly number[];
}

const DEFAULT_PRECISION = 12;

function readPlace(value: JsonValue): Place {
  if (typeof value === "string") {
    const { south, west } = geohashCell(value);
    return { point: { lat: south, lon: west }, boost: 1, precision: DEFAULT_PRECISION, neighbours: [] };
  }
  if (!isObject(value)) throw parseError("geo context must be an object or string");
  let point: GeoPoint | undefined;
  let [lat, lon]: (number | undefined)[] = [];
  let [boost, precision] = [1, DEFAULT_PRECISION];
  let neighbours: readonly number[] = [];
  for (const key of Object.keys(value)) {
    const item = value[key];
    const failed = (cause: EngineError, at: PositionOf = { value: key }, of: JsonValue = value) => {
      const { reason } = contentError(of, at, `[geo] failed to parse field [${key}]`);
      return new EngineError("x_content_parse_exception", reason, { cause });
    };
    const refused = (name: string) =>
      contentError(value, { value: key }, `[geo] ${name} doesn't support values of type: ${valueToken(item)}`);
    const number = (given: JsonValue) => {
      const parsed = Number(given instanceof JsonNumber ? given.text : given);
      if (Number.isFinite(parsed) && given !== "") return parsed;
      throw failed(new EngineError("number_format_exception", `For input string: "${javaText(given)}"`));
    };
    if (key === "context") {
      if (!isObject(item)) throw refused("context");
      try {
        point = readPoint(item, { ignoreZ: false });
      } catch (error) {
        throw error instanceof EngineError ? failed(error, "end", item) : error;
      }
    } else if (key === "lat" || key === "lon") {
      if (!isScalar(item) || typeof item === "boolean") throw refused(key);
      if (key === "lat") lat = number(item);
      else lon = number(item);
    } else if (key === "boost") {
      if (!isScalar(item) || typeof item === "boolean") throw refused(key);
      boost = Math.trunc(number(item));
      if (boost <= 0) throw failed(illegalArgument("boost must be greater than 0"));
    } else if (key === "precision") {
      if (!isScalar(item) || typeof item === "boolean") throw refused(key);
      precision = levelOf(item, failed);
      if (precision < 1 || precision > MAX_GEOHASH) {
        throw failed(illegalArgument(`precision must be between 1 and ${MAX_GEOHASH}`));
      }
    } else if (key === "neighbours") {
      const list = isArray(item) ? item : [item];
      if (!list.every((each) => isScalar(each) && typeof each !== "boolean")) throw refused(key);
      const within = isArray(item) ? item : value;
      const placed = (cause: EngineError) => failed(cause, { value: isArray(item) ? 0 : key }, within);
      neighbours = list.map((each) => levelOf(each, placed));
      if (neighbours.some((level) => level < 1 || level > MAX_GEOHASH)) {
        const cause = illegalArgument(`neighbour value must be between 1 and ${MAX_GEOHASH}`);
        throw isArray(item) ? failed(cause, "end", within) : failed(cause);
      }
    } else {
      throw contentError(value, { key }, `[geo] unknown field [${key}]`);
    }
  }
  if (point === undefined && lat !== undefined && lon !== undefined) point = { lat, lon };
  if (point === undefined) throw missing("geoPoint must not be null");
  return { point, boost, precision, neighbours };
}

/** A number of characters, or a distance. */
function levelOf(value: JsonValue, failed: (cause: EngineError) => EngineError): number {
  const level = wholeOf(value);
  if (level !== undefined) return level;
  if (typeof value !== "string") return 0;
  try {
    return geohashLevel(parseDistance(value));
  } catch (error) {
    throw error instanceof EngineError ? failed(error) : error;
  }
}

/** Elasticsearch's own parser tells numbers and booleans no further apart. */
function valueToken(value: JsonValue): string {
  const name = tokenName(value);
  if (name.startsWith("VALUE_NUMBER")) return "VALUE_NUMBER";
  return name === "VALUE_TRUE" || name === "VALUE_FALSE" ? "VALUE_BOOLEAN" : name;
}
