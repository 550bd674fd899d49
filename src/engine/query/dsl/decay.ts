/** The decay functions of function_score: gauss, exp and linear, on numbers, dates and places. */
import { EngineError, illegalArgument, parsingError } from "../../errors.ts";
import { parseJson } from "../../json/parse.ts";
import type { JsonObject } from "../../json/types.ts";
import { writeJson } from "../../json/write.ts";
import { checkFielddata } from "../../mapping/fielddata.ts";
import type { GeoPoint } from "../../mapping/geo/encoding.ts";
import { parseDistance } from "../../mapping/geo/units.ts";
import type { MappedField } from "../../mapping/types.ts";
import { parseTime } from "../../time-value.ts";
import { isNumeric, numbersOf } from "../field-data.ts";
import {
  type CurveName,
  type Decay,
  decayFunction,
  geoDistances,
  MULTI_VALUE_MODES,
  type MultiValueMode,
  numberDistances,
} from "../lucene/decay.ts";
import type { QueryContext } from "./builder.ts";
import { requestPoint } from "./geo-field.ts";
import { errorAt, isObject, readDouble, readText } from "./read.ts";
import type { FunctionBuilder } from "./score-functions.ts";

/** A field with its parameters, which are read when the field's type is known, from a copy (the places in errors are the copy's). */
export function parseDecay(curve: CurveName, json: JsonObject): FunctionBuilder {
  let mode: MultiValueMode = "min";
  let field: string | undefined;
  let parameters: JsonObject | undefined;
  const malformed = (at: Parameters<typeof errorAt>[1], of: JsonObject) =>
    errorAt(of, at, "malformed score function score parameters.");
  for (const [key, value] of Object.entries(json)) {
    if (isObject(value)) {
      field = key;
      parameters = value;
    } else if (key === "multi_value_mode") mode = readMode(readText(json, key));
    else throw malformed({ value: key }, json);
  }
  if (field === undefined || parameters === undefined) throw malformed("end", json);
  const [name, text] = [field, writeJson(parameters)];
  return (context) => {
    const mapped = context.mapping.field(name);
    if (mapped === undefined) throw parsingError(`unknown field [${name}]`, { metadata: { line: 1, col: 0 } });
    const given = parseJson(text, { positions: true }) as JsonObject;
    // Elasticsearch asks for the mapper's own class: values of scripts are of none, and are read as numbers.
    const ofMapper = mapped.runtime === undefined;
    const kind =
      ofMapper && mapped.family === "date"
        ? dateDecay
        : ofMapper && mapped.type === "geo_point"
          ? geoDecay
          : numberDecay;
    const decay = kind(mapped, given, context);
    return decayFunction({ ...decay, field: mapped.name, curve, mode });
  };
}

export function readMode(text: string): MultiValueMode {
  const mode = MULTI_VALUE_MODES.find((known) => known === text.toLowerCase());
  if (mode === undefined) throw illegalArgument(`Illegal sort mode: ${text}`);
  return mode;
}

type Read = Omit<Decay, "field" | "curve" | "mode">;

function unknownParameter(key: string): EngineError {
  return new EngineError("parse_exception", `parameter [${key}] not supported!`);
}

function numberDecay(field: MappedField, json: JsonObject, { indexName }: QueryContext): Read {
  const read: { scale?: number; origin?: number; decay: number; offset: number } = { decay: 0.5, offset: 0 };
  for (const [key, value] of Object.entries(json)) {
    if (key !== "scale" && key !== "origin" && key !== "decay" && key !== "offset") throw unknownParameter(key);
    read[key] = readDouble(value, json, key);
  }
  const { scale, origin, decay, offset } = read;
  if (scale === undefined || origin === undefined) {
    throw new EngineError("parse_exception", "both [scale] and [origin] must be set for numeric fields.");
  }
  if (!isNumeric(field)) {
    checkFielddata(field, indexName);
    throw illegalArgument(`field [${field.name}] is of type [${field.type}], but only numeric types are supported.`);
  }
  return { scale, decay, offset, distances: numberDistances(numbersOf(field, indexName), origin, offset) };
}

function geoDecay(field: MappedField, json: JsonObject, { indexName }: QueryContext): Read {
  const read: { scale?: string; offset: string } = { offset: "0km" };
  let origin: GeoPoint = { lat: 0, lon: 0 };
  let decay = 0.5;
  for (const [key, value] of Object.entries(json)) {
    if (key === "decay") decay = readDouble(value, json, key);
    else if (key === "origin") origin = requestPoint(value);
    else if (key === "scale" || key === "offset") read[key] = readText(json, key);
    else throw unknownParameter(key);
  }
  if (read.scale === undefined) {
    throw new EngineError("parse_exception", "[origin] and [scale] must be set for geo fields.");
  }
  const [scale, offset] = [parseDistance(read.scale), parseDistance(read.offset)];
  checkFielddata(field, indexName);
  return { scale, decay, offset, distances: geoDistances(field.info.name, origin, offset) };
}

/** Dates are read in the field's own unit: of nanoseconds, the origin lies far away from values in milliseconds, as in Elasticsearch. */
function dateDecay(field: MappedField, json: JsonObject, { now, indexName }: QueryContext): Read {
  const read: { scale?: string; origin?: string; offset: string } = { offset: "0d" };
  let decay = 0.5;
  for (const [key, value] of Object.entries(json)) {
    if (key === "decay") decay = readDouble(value, json, key);
    else if (key === "scale" || key === "origin" || key === "offset") read[key] = readText(json, key);
    else throw unknownParameter(key);
  }
  const origin =
    read.origin === undefined ? now : Number(field.rangeBound(read.origin, { now, roundUp: false }) as number | bigint);
  if (read.scale === undefined) throw new EngineError("parse_exception", "[scale] must be set for date fields.");
  const millis = (text: string, name: string) => Math.trunc(parseTime(text, `DecayFunctionParser.${name}`));
  const [scale, offset] = [millis(read.scale, "scale"), millis(read.offset, "offset")];
  return { scale, decay, offset, distances: numberDistances(numbersOf(field, indexName), origin, offset) };
}
