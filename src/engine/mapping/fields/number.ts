/** `long`, `integer`, `short`, `byte`, `double`, `float`, `half_float`: read, cut and refused as Java's types do. */
import { type EngineError, illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo, NumberKind } from "../../segment/types.ts";
import { addNumber } from "../doc-buffer.ts";
import {
  type DocValueFormat,
  decimalDocValueFormat,
  RAW_DOUBLE,
  RAW_FLOAT,
  RAW_LONG,
  refuseTimeZone,
} from "../doc-value-format.ts";
import {
  halfFloatBits,
  halfFloatOf,
  LONG_MAX,
  LONG_MIN,
  narrow,
  numberFormat,
  parseDecimal,
  parseJavaDouble,
  parseLongText,
  stepDouble,
  stepFloat,
  stepHalfFloat,
} from "../java-numbers.ts";
import { expandDots, javaDouble, javaFloat, javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { metaParameter, type Parameter, parameter } from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  contentError,
  docValuesParameter,
  indexParameter,
  indexSettingFlag,
  isInteger,
  isStructure,
  makeField,
  scalarText,
  storeParameter,
  tokenName,
} from "./common.ts";

export interface NumberType {
  readonly type: string;
  readonly kind: NumberKind;
  /** A value of a document; throws. The empty string has been dealt with. */
  readonly read: (value: JsonValue, coerce: boolean) => number | bigint;
  /** A value of the mapping (`null_value`). */
  readonly readSetting: (value: JsonValue) => number | bigint;
  /** A value of a term query; undefined when no document can have it. */
  readonly term: (value: JsonValue) => number | bigint | undefined;
  /** A bound of a range; fractions of whole numbers are rounded up or down. */
  readonly bound: (value: JsonValue, roundUp: boolean) => number | bigint;
  readonly step: (value: number | bigint, steps: 1 | -1) => number | bigint;
}

function notNumeric(value: JsonValue): EngineError {
  return contentError(`Current token (${tokenName(value)}) not numeric, can not use numeric value accessors`);
}

const WORDS: {
  readonly [type: string]: { readonly word: string; readonly java: string; readonly min: number; readonly max: number };
} = {
  integer: { word: "an integer", java: "Integer", min: -(2 ** 31), max: 2 ** 31 - 1 },
  short: { word: "a short", java: "Short", min: -32768, max: 32767 },
  byte: { word: "a byte", java: "Byte", min: -128, max: 127 },
};

function outOfRange(text: string, word: string): EngineError {
  return illegalArgument(`Value [${text}] is out of range for ${word}`);
}

/** A scalar of a query or setting as a double, as Java's `Number.doubleValue` or `Double.parseDouble` gives it. */
function toDouble(value: JsonValue): number {
  if (typeof value === "number") return value;
  if (value instanceof JsonNumber) return Number(value.text);
  return parseJavaDouble(javaText(value));
}

function smallIntegers(type: "integer" | "short" | "byte"): NumberType {
  const { word, java, min, max } = WORDS[type];
  // Elasticsearch reads bytes as integers and checks them afterwards.
  const readAs = type === "byte" ? "integer" : type;
  const wide = WORDS[readAs];
  const read = (value: JsonValue, coerce: boolean): number => {
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return value;
    if (typeof value === "boolean") throw notNumeric(value);
    const text = scalarText(value);
    let number: number;
    if (typeof value === "string") {
      if (!coerce) throw illegalArgument(`${wide.java} value passed as String`);
      const double = parseJavaDouble(value);
      if (double < wide.min || double > wide.max) throw outOfRange(text, wide.word);
      number = Number.isNaN(double) ? 0 : Math.trunc(double);
    } else {
      const double = Number(text);
      if (!(Math.trunc(double) >= -(2 ** 31) && Math.trunc(double) <= 2 ** 31 - 1)) {
        throw contentError(`Numeric value (${text}) out of range of int (-2147483648 - 2147483647)`);
      }
      number = Math.trunc(double);
      if (readAs === "short" && (number < min || number > max))
        throw contentError(`Numeric value (${text}) out of range of Java short`);
      if (!coerce && double !== number)
        throw illegalArgument(`${javaDouble(double)} cannot be converted to ${java} without data loss`);
    }
    if (number < min || number > max) throw outOfRange(String(number), word);
    return number + 0;
  };
  const term = (value: JsonValue): number | undefined => {
    const double = toDouble(value);
    if (double % 1 !== 0 && !Number.isNaN(double)) return undefined;
    return double < min || double > max ? undefined : Number.isNaN(double) ? 0 : double + 0;
  };
  return {
    type,
    kind: "long",
    read,
    readSetting: (value) => {
      const double = toDouble(value);
      if (double < min || double > max) throw outOfRange(javaText(value), word);
      if (double % 1 !== 0) throw illegalArgument(`Value [${javaText(value)}] has a decimal part`);
      return double;
    },
    term,
    bound: (value, roundUp) => {
      const double = toDouble(value);
      // Ranges of bytes and shorts are ranges of integers.
      if (double < WORDS.integer.min || double > WORDS.integer.max)
        throw outOfRange(javaText(value), WORDS.integer.word);
      return Number.isNaN(double) ? 0 : (roundUp ? Math.floor(double) : Math.ceil(double)) + 0;
    },
    step: (value, steps) => Number(value) + steps,
  };
}

function longText(value: JsonValue): string {
  return typeof value === "number" ? String(value) : value instanceof JsonNumber ? value.text : javaText(value);
}

const longNumbers: NumberType = {
  type: "long",
  kind: "long",
  read: (value, coerce) => {
    if (typeof value === "number" && Number.isSafeInteger(value)) return value;
    if (typeof value === "boolean") throw notNumeric(value);
    if (typeof value === "string") {
      if (!coerce) throw illegalArgument("Long value passed as String");
      return narrow(parseLongText(value, true));
    }
    const text = scalarText(value);
    const decimal = parseDecimal(text);
    const whole =
      decimal === undefined || decimal === "huge"
        ? undefined
        : isInteger(value)
          ? decimal.whole
          : doubleToLong(Number(text));
    if (decimal === undefined || decimal === "huge" || whole === undefined || whole > LONG_MAX || whole < LONG_MIN) {
      throw contentError(`Numeric value (${text}) out of range of long (-9223372036854775808 - 9223372036854775807)`);
    }
    if (!coerce && decimal.fraction)
      throw illegalArgument(`${javaDouble(Number(text))} cannot be converted to Long without data loss`);
    return narrow(whole);
  },
  readSetting: (value) => {
    const text = longText(value);
    // Here what is no number is found by another of Java's readers than in a document.
    if (parseDecimal(text) === undefined) parseJavaDouble(text);
    return narrow(parseLongText(text, false));
  },
  term: (value) => {
    // What is no finite number has a fraction, for Java's remainder.
    if (typeof value === "string" && /^\s*[-+]?(NaN|Infinity)\s*$/.test(value)) return undefined;
    // Whether there is a fraction is asked of a double.
    if (typeof value === "string") parseJavaDouble(value);
    const decimal = queryDecimal(value);
    if (decimal === "huge" || decimal.fraction || decimal.whole > LONG_MAX || decimal.whole < LONG_MIN)
      return undefined;
    return narrow(decimal.whole);
  },
  bound: (value, roundUp) => {
    const decimal = boundDecimal(value);
    if (decimal === "huge" || decimal.whole > LONG_MAX || decimal.whole < LONG_MIN) {
      throw outOfRange(typeof value === "string" ? value : javaText(value), "a long");
    }
    const step = decimal.fraction && decimal.negative === roundUp ? (roundUp ? -1n : 1n) : 0n;
    return narrow(decimal.whole + step);
  },
  step: (value, steps) => narrow(BigInt(value) + BigInt(steps)),
};

/** Jackson cuts a double to a long, as Java's cast does. */
function doubleToLong(value: number): bigint | undefined {
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
}

/** A value as BigDecimal reads it, which has words of its own for what it does not. */
function queryDecimal(value: JsonValue) {
  const text = longText(value);
  const decimal = parseDecimal(text);
  if (decimal !== undefined) return decimal;
  if (text === "") throw numberFormat("Index 0 out of bounds for length 0");
  const odd = [...text].find((c) => !/[-+.eE\d]/.test(c));
  throw numberFormat(
    odd === undefined
      ? `For input string: "${text}"`
      : `Character ${odd} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`,
  );
}

/** A bound of a long: it is read as a double first. */
function boundDecimal(value: JsonValue) {
  const text = longText(value);
  parseJavaDouble(text);
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw illegalArgument(`For input string: "${text}"`);
  return decimal;
}

function fractions(
  type: "double" | "float" | "half_float",
  round: (value: number) => number,
  step: (value: number, steps: number) => number,
): NumberType {
  const java = type === "double" ? "Double" : "Float";
  const shown = type === "double" ? javaDouble : (value: number) => javaFloat(Math.fround(value));
  const finite = (value: number): number => {
    const rounded = round(value);
    if (!Number.isFinite(rounded))
      throw illegalArgument(`[${type}] supports only finite values, but got [${shown(value)}]`);
    return rounded;
  };
  return {
    type,
    kind: "double",
    read: (value, coerce) => {
      if (typeof value === "number") {
        const rounded = round(value);
        return Number.isFinite(rounded) ? rounded : finite(value);
      }
      if (typeof value === "boolean") throw notNumeric(value);
      if (typeof value === "string" && !coerce) throw illegalArgument(`${java} value passed as String`);
      return finite(typeof value === "string" ? parseJavaDouble(value) : Number(scalarText(value)));
    },
    readSetting: (value) => finite(toDouble(value)),
    term: (value) => {
      const rounded = round(toDouble(value));
      return Number.isFinite(rounded) ? rounded : undefined;
    },
    bound: (value, roundUp) => {
      const double = toDouble(value);
      if (type !== "half_float") return round(double);
      // As Lucene does: the step to the neighbour and back.
      const float = Math.fround(double);
      return roundUp ? step(step(float, 1), -1) : step(step(float, -1), 1);
    },
    step: (value, steps) => step(Number(value), steps),
  };
}

function previewsAsFloat(type: string): boolean {
  return type === "float" || type === "half_float";
}

/** A number in the preview of an error: what Java makes of it after having read it as this type. */
export function numberPreview(value: JsonValue, type: string): string {
  if ((typeof value === "number" || value instanceof JsonNumber) && !isInteger(value) && previewsAsFloat(type)) {
    return javaFloat(Math.fround(Number(value)));
  }
  return javaText(expandDots(value));
}

const TYPES: readonly NumberType[] = [
  longNumbers,
  smallIntegers("integer"),
  smallIntegers("short"),
  smallIntegers("byte"),
  fractions("double", (value) => value, stepDouble),
  fractions("float", Math.fround, stepFloat),
  fractions("half_float", (value) => halfFloatOf(halfFloatBits(value)), stepHalfFloat),
];

/** What a type of numbers does with its values; other types are made of them. */
export const numberTypeOf = (type: string) => TYPES.find((known) => known.type === type) as NumberType;

function fieldType(number: NumberType): FieldType {
  const raw = rawFormat(number);
  const parameters: readonly Parameter[] = [
    indexParameter,
    docValuesParameter,
    storeParameter,
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
    indexSettingFlag("coerce", "index.mapping.coerce", true),
    parameter<number | bigint | undefined>(
      "null_value",
      undefined,
      (value) => (value === null ? undefined : number.readSetting(value)),
      {
        acceptsNull: true,
        print: (value) => raw.format(value as number | bigint),
        show: (value) => javaText(value === undefined ? null : raw.format(value)),
      },
    ),
    metaParameter,
  ];
  return {
    type: number.type,
    parameters,
    create: (options) => {
      const { get, path } = options;
      const indexed = get<boolean>("index");
      const hasDocValues = get<boolean>("doc_values");
      const coerce = get<boolean>("coerce");
      const ignoreMalformed = get<boolean>("ignore_malformed");
      const nullValue = get<number | bigint | undefined>("null_value");
      const info: FieldInfo = {
        name: path,
        index: "none",
        norms: false,
        docValues: hasDocValues ? number.kind : "none",
        points: indexed ? number.kind : "none",
      };
      const kept = indexed || hasDocValues;
      return makeField({
        options,
        type: number.type,
        family: "number",
        info,
        indexed,
        hasDocValues,
        existsBy: hasDocValues ? "docValues" : "_field_names",
        nullValue: nullValue === undefined ? undefined : raw.format(nullValue),
        addValue: (doc, value) => {
          let parsed: number | bigint | undefined;
          if (isStructure(value)) throw illegalArgument("Cannot parse object as number");
          if (value === "" && coerce) {
            // An empty string counts as null.
            parsed = nullValue;
          } else {
            try {
              parsed = number.read(value, coerce);
            } catch (error) {
              if (ignoreMalformed) return true;
              throw error;
            }
          }
          if (parsed !== undefined && kept) addNumber(doc, info, parsed);
          return false;
        },
        termValue: (value) => number.term(value),
        rangeBound: (value, { roundUp }) => number.bound(value, roundUp),
        nextUp: (value) => number.step(value, 1),
        nextDown: (value) => number.step(value, -1),
        valueFetcher: valuesBy(
          path,
          number.type,
          (value) => {
            const parsed = value === "" ? nullValue : number.read(value, coerce || typeof value === "string");
            return parsed === undefined ? undefined : raw.sortValue(parsed);
          },
          nullValue === undefined ? undefined : raw.format(nullValue),
        ),
        docValueFormat: (given = {}) => {
          refuseTimeZone(path, number.type, given);
          return given.format === undefined ? raw : decimalDocValueFormat(given.format, raw);
        },
      });
    },
  };
}

/** How values of a type are printed without a pattern. */
export function rawFormat({ type, kind }: NumberType): DocValueFormat {
  if (kind === "long") return RAW_LONG;
  return type === "double" ? RAW_DOUBLE : RAW_FLOAT;
}

export const numberTypes: readonly FieldType[] = TYPES.map(fieldType);
