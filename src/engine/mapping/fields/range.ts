/** `integer_range`, `long_range`, `float_range`, `double_range`, `date_range`, `ip_range`: values that are spans themselves. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { dateFormatter, fromMillis } from "../date/formatter.ts";
import { parseZone } from "../date/zone.ts";
import { addOrdinal } from "../doc-buffer.ts";
import { dateDocValueFormat } from "../doc-value-format.ts";
import {
  formatAddress,
  GREATEST_ADDRESS,
  LEAST_ADDRESS,
  parseAddress,
  parseNetwork,
  stepAddress,
} from "../ip-address.ts";
import { LONG_MAX, LONG_MIN } from "../java-numbers.ts";
import { hashOrder, javaDouble, javaText } from "../java-text.ts";
import { isObject } from "../leaf.ts";
import type { CreateFieldOptions, FieldType } from "../model.ts";
import { metaParameter } from "../parameters.ts";
import type { IndexedValue, MappedField } from "../types.ts";
import {
  contentError,
  docValuesParameter,
  indexParameter,
  indexSettingFlag,
  makeField,
  queryText,
  scalarText,
  storeParameter,
  tokenName,
  ValueError,
} from "./common.ts";
import { dateFormat, dateMillis, dateParameters } from "./date.ts";
import { type NumberType, numberTypeOf, rawFormat } from "./number.ts";

/** What the ends of a range are. */
interface Ends {
  readonly least: IndexedValue;
  readonly greatest: IndexedValue;
  readonly read: (value: JsonValue, roundUp: boolean) => IndexedValue;
  readonly query: (
    value: JsonValue,
    options: { roundUp: boolean; now: number; format?: string; timeZone?: string },
  ) => IndexedValue;
  readonly step: (value: IndexedValue, steps: 1 | -1) => IndexedValue;
  /** Text in the order of the values, all of one length. */
  readonly key: (value: IndexedValue) => string;
  /** The number that a text of `key` stands for. */
  readonly numberOf?: (key: string) => number;
  readonly show: (value: IndexedValue) => string;
  /** How ends are printed as keys of buckets, where not as numbers. */
  readonly docValueFormat?: MappedField["docValueFormat"];
  /** How an end of a document is printed. */
  readonly fetch: (format: string | undefined) => (value: JsonValue) => JsonValue;
}

const longKey = (value: IndexedValue) => (BigInt(value) - LONG_MIN).toString(16).padStart(16, "0");

const longOf = (key: string) => BigInt(`0x${key}`) + LONG_MIN;

const scratch = new DataView(new ArrayBuffer(8));

/** NumericUtils.doubleToSortableLong, as text. */
function doubleKey(value: IndexedValue): string {
  scratch.setFloat64(0, Number(value));
  const bits = scratch.getBigInt64(0);
  return longKey(bits < 0n ? bits ^ 0x7fffffffffffffffn : bits);
}

function doubleOf(key: string): number {
  const bits = longOf(key);
  scratch.setBigInt64(0, bits < 0n ? bits ^ 0x7fffffffffffffffn : bits);
  return scratch.getFloat64(0);
}

function numberEnds(number: NumberType, coerce: boolean): Ends {
  const whole = number.kind === "long";
  const [least, greatest] = !whole
    ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
    : number.type === "long"
      ? [LONG_MIN, LONG_MAX]
      : [-(2 ** 31), 2 ** 31 - 1];
  return {
    least,
    greatest,
    read: (value) => number.read(value, coerce),
    query: (value) => number.readSetting(value),
    // As Java's numbers, the last one's next is the first.
    step: (value, steps) =>
      value === (steps > 0 ? greatest : least)
        ? whole
          ? steps > 0
            ? least
            : greatest
          : value
        : number.step(value as number | bigint, steps),
    key: whole ? longKey : doubleKey,
    numberOf: whole ? (key) => Number(longOf(key)) : doubleOf,
    show: (value) => (whole ? String(value) : javaDouble(Number(value))),
    fetch: () => (value) => rawFormat(number).sortValue(number.read(value, coerce)),
  };
}

function dateEnds(options: CreateFieldOptions): Ends {
  const formatter = dateFormat(options);
  return {
    least: LONG_MIN,
    greatest: LONG_MAX,
    read: (value, roundUp) => {
      const text = scalarText(value);
      if (text.startsWith("now")) {
        throw new EngineError("parse_exception", "could not read the current timestamp", {
          cause: illegalArgument("now is not used at indexing time"),
        });
      }
      return dateMillis(value, formatter, { roundUp, now: 0 });
    },
    query: (value, given) => dateMillis(value, formatter, given),
    step: (value, steps) => (typeof value === "bigint" ? value + BigInt(steps) : Number(value) + steps),
    key: longKey,
    numberOf: (key) => Number(longOf(key)),
    docValueFormat: ({ format, timeZone } = {}) =>
      dateDocValueFormat(format === undefined ? formatter : dateFormatter(format), fromMillis, {
        ...(timeZone === undefined ? {} : { zone: parseZone(timeZone) }),
        sorted: format !== undefined,
      }),
    show: (value) => String(value),
    fetch: (format) => {
      const printer = format === undefined ? formatter : dateFormatter(format);
      return (value) => printer.print(formatter.parse(javaText(value)));
    },
  };
}

const ADDRESSES: Ends = {
  least: LEAST_ADDRESS,
  greatest: GREATEST_ADDRESS,
  read: (value) => parseAddress(scalarText(value)),
  query: (value) => parseAddress(queryText(value)),
  step: (value, steps) => stepAddress(String(value), steps === 1 ? 1n : -1n),
  key: String,
  show: (value) => `/${formatAddress(String(value))}`,
  fetch: () => (value) => formatAddress(parseAddress(javaText(value))),
};

const BOUNDS = ["gt", "gte", "lt", "lte"];

function unexpected(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !(value instanceof JsonNumber);
}

/** A document's range as the text that is kept of it. */
function readRange(name: string, value: JsonValue, ends: Ends): string {
  if (ends === ADDRESSES && typeof value === "string") {
    const { low, high } = parseNetwork(value);
    return low + high;
  }
  if (!isObject(value)) {
    throw new ValueError(
      new EngineError(
        "document_parsing_exception",
        `error parsing field [${name}], expected an object but got ${name}`,
      ),
      { placed: true },
    );
  }
  let from = ends.least;
  let to = ends.greatest;
  for (const key of Object.keys(value)) {
    const bound = value[key];
    if (!BOUNDS.includes(key)) {
      throw new ValueError(
        new EngineError("document_parsing_exception", `error parsing field [${name}], with unknown parameter [${key}]`),
        { path: [key], placed: true, preview: { value: bound } },
      );
    }
    const lower = key.startsWith("g");
    if (bound === null) {
      if (lower) from = ends.least;
      else to = ends.greatest;
      continue;
    }
    if (unexpected(bound)) {
      throw new ValueError(
        contentError(`Current token (${tokenName(bound)}) not numeric, can not use numeric value accessors`),
        { path: [key], which: "end", preview: { value: bound } },
      );
    }
    const included = key.length === 3;
    let read: IndexedValue;
    try {
      read = ends.read(bound, lower ? !included : included);
    } catch (error) {
      throw error instanceof EngineError ? new ValueError(error, { path: [key], preview: { value: bound } }) : error;
    }
    if (lower) from = included ? read : ends.step(read, 1);
    else to = included ? read : ends.step(read, -1);
  }
  const [fromKey, toKey] = [ends.key(from), ends.key(to)];
  if (fromKey > toKey) {
    throw new ValueError(
      illegalArgument(
        ends === ADDRESSES
          ? "min value cannot be greater than max value for InetAddressRange field"
          : `min value (${ends.show(from)}) is greater than max value (${ends.show(to)})`,
      ),
      { which: "end", preview: { value: null } },
    );
  }
  return fromKey + toKey;
}

/** A range of the source with its ends as they are printed. */
function fetchedRange(fetchEnd: (value: JsonValue) => JsonValue): (value: JsonValue) => JsonValue {
  return (value) => {
    if (!isObject(value)) {
      const [address, prefix] = javaText(value).split("/");
      parseNetwork(javaText(value));
      return `${formatAddress(parseAddress(address))}/${Number(prefix)}`;
    }
    return Object.fromEntries(
      hashOrder(Object.keys(value)).map((key) => {
        if (value[key] === null) throw illegalArgument("a null end is not printed");
        return [key, fetchEnd(value[key])];
      }),
    );
  };
}

function rangeType(type: string, endsOf: (options: CreateFieldOptions) => Ends): FieldType {
  return {
    type,
    parameters: [
      indexParameter,
      docValuesParameter,
      storeParameter,
      indexSettingFlag("coerce", "index.mapping.coerce", true),
      ...dateParameters((error) => error),
      metaParameter,
    ],
    create: (options) => {
      const { get, path, name } = options;
      const indexed = get<boolean>("index");
      const hasDocValues = get<boolean>("doc_values");
      const kept = indexed || hasDocValues;
      if (type !== "date_range" && (options.has("format") || options.has("locale"))) {
        const what = options.has("format") ? "dateTimeFormatter" : "locale";
        throw illegalArgument(`field [${name}] of type [range] should not define a ${what} unless it is a DATE type`);
      }
      const ends = endsOf(options);
      const info: FieldInfo = {
        name: path,
        index: "none",
        norms: false,
        docValues: kept ? "ordinals" : "none",
        points: "none",
      };
      return makeField({
        options,
        type,
        family: "range",
        info,
        indexed,
        hasDocValues,
        existsBy: kept ? "docValues" : "_field_names",
        addValue: (doc, value) => {
          const range = readRange(name, value, ends);
          if (kept) addOrdinal(doc, info, range);
          return false;
        },
        termValue: (value, { now }) => ends.query(value, { roundUp: false, now }),
        rangeBound: (value, given) => ends.query(value, given),
        ranges: ends,
        ...(ends.docValueFormat ? { docValueFormat: ends.docValueFormat } : {}),
        valueFetcher: ({ format } = {}) => {
          // Elasticsearch looks for the field's own format, which only dates have, and fails.
          if (format !== undefined && type !== "date_range") throw unsupported(`a format for fields of type [${type}]`);
          return { kind: "values", nullValue: undefined, read: fetchedRange(ends.fetch(format)) };
        },
      });
    },
  };
}

const numberRange = (type: string): FieldType =>
  rangeType(`${type}_range`, (options) => numberEnds(numberTypeOf(type), options.get("coerce")));

export const rangeTypes: readonly FieldType[] = [
  ...["integer", "long", "float", "double"].map(numberRange),
  rangeType("date_range", dateEnds),
  rangeType("ip_range", () => ADDRESSES),
];
