/** `scaled_float`: a decimal kept as a long, multiplied with a factor and rounded. */
import { illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addNumber } from "../doc-buffer.ts";
import { type DocValue, decimalDocValueFormat, printDouble, RAW_DOUBLE, refuseTimeZone } from "../doc-value-format.ts";
import { LONG_MAX, LONG_MIN, narrow, parseJavaDouble } from "../java-numbers.ts";
import { javaDouble, javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { metaParameter, parameter } from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  contentError,
  docValuesParameter,
  indexParameter,
  indexSettingFlag,
  isStructure,
  makeField,
  scalarText,
  storeParameter,
  tokenName,
} from "./common.ts";

function toDouble(value: JsonValue): number {
  if (typeof value === "number") return value;
  return value instanceof JsonNumber ? Number(value.text) : parseJavaDouble(javaText(value));
}

/** Java's Math.round: halves up, cut to the limits of a long. */
function roundToLong(value: number): number | bigint {
  if (Number.isNaN(value)) return 0;
  const rounded = Math.abs(value) >= 2 ** 52 ? value : Math.floor(value + 0.5);
  if (Number.isSafeInteger(rounded)) return rounded + 0;
  if (rounded >= 2 ** 63) return LONG_MAX;
  return rounded <= -(2 ** 63) ? LONG_MIN : narrow(BigInt(rounded));
}

function checkFinite(value: number): number {
  if (!Number.isFinite(value))
    throw illegalArgument(`[scaled_float] only supports finite values, but got [${javaDouble(value)}]`);
  return value;
}

export const scaledFloatType: FieldType = {
  type: "scaled_float",
  parameters: [
    indexParameter,
    docValuesParameter,
    storeParameter,
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
    indexSettingFlag("coerce", "index.mapping.coerce", true),
    parameter<number | undefined>(
      "scaling_factor",
      undefined,
      (value) => {
        const factor = toDouble(value);
        if (!(Number.isFinite(factor) && factor > 0)) {
          throw illegalArgument(`[scaling_factor] must be a positive number, got [${javaDouble(factor)}]`);
        }
        return factor;
      },
      { print: (value) => printDouble(value as number), show: (value) => javaDouble(value as number) },
    ),
    parameter<number | undefined>("null_value", undefined, (value) => (value === null ? undefined : toDouble(value)), {
      acceptsNull: true,
      updateable: true,
      print: (value) => printDouble(value as number),
      show: (value) => (value === undefined ? "null" : javaDouble(value)),
    }),
    metaParameter,
  ],
  create: (options) => {
    const { get, path, name } = options;
    const factor = get<number | undefined>("scaling_factor");
    if (factor === undefined) throw illegalArgument(`Field [${name}] misses required parameter [scaling_factor]`);
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const coerce = get<boolean>("coerce");
    const ignoreMalformed = get<boolean>("ignore_malformed");
    const nullValue = get<number | undefined>("null_value");
    const info: FieldInfo = {
      name: path,
      index: "none",
      norms: false,
      docValues: hasDocValues ? "long" : "none",
      points: indexed ? "long" : "none",
    };
    const read = (value: JsonValue): number => {
      if (typeof value === "boolean") {
        throw contentError(`Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`);
      }
      if (typeof value === "string" && !coerce) throw illegalArgument("Double value passed as String");
      return checkFinite(typeof value === "string" ? parseJavaDouble(value) : Number(scalarText(value)));
    };
    return makeField({
      options,
      type: "scaled_float",
      family: "number",
      info,
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? "docValues" : "_field_names",
      nullValue: nullValue === undefined ? undefined : printDouble(nullValue),
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument("Cannot parse object as number");
        let double: number | undefined;
        // An empty string counts as null.
        if (value === "" && coerce) double = nullValue;
        else {
          try {
            double = read(value);
          } catch (error) {
            if (ignoreMalformed) return true;
            throw error;
          }
        }
        if (double !== undefined && (indexed || hasDocValues)) addNumber(doc, info, roundToLong(double * factor));
        return false;
      },
      termValue: (value) => roundToLong(toDouble(value) * factor),
      rangeBound: (value, { roundUp }) => {
        const scaled = toDouble(value) * factor;
        return roundToLong(roundUp ? Math.floor(scaled) : Math.ceil(scaled));
      },
      nextUp: (value) => narrow(BigInt(value) + 1n),
      nextDown: (value) => narrow(BigInt(value) - 1n),
      scale: 1 / factor,
      valueFetcher: valuesBy(
        path,
        "scaled_float",
        (value) => {
          const double = value === "" ? nullValue : checkFinite(toDouble(value));
          return double === undefined ? undefined : printDouble(Number(roundToLong(double * factor)) / factor);
        },
        nullValue === undefined ? undefined : printDouble(nullValue),
      ),
      docValueFormat: (given = {}) => {
        refuseTimeZone(path, "scaled_float", given);
        const { format, sortValue } =
          given.format === undefined ? RAW_DOUBLE : decimalDocValueFormat(given.format, RAW_DOUBLE);
        // As the columns of Elasticsearch give it.
        const real = (value: DocValue) => Number(value) * (1 / factor);
        return {
          raw: given.format === undefined,
          format: (value) => format(real(value)),
          sortValue: (value) => sortValue(real(value)),
        };
      },
    });
  },
};
