/** `date` and `date_nanos`: time since the epoch in milli- or nanoseconds, read and printed by the field's format. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import {
  type DateFormatter,
  dateFormatter,
  fromMillis,
  type Instant,
  instantOfNanos,
  toMillis,
} from "../date/formatter.ts";
import { parseDateMath } from "../date/math.ts";
import { parseZone } from "../date/zone.ts";
import { decimalFormat } from "../decimal-format.ts";
import { addNumber } from "../doc-buffer.ts";
import { dateDocValueFormat } from "../doc-value-format.ts";
import { narrow } from "../java-numbers.ts";
import { javaText } from "../java-text.ts";
import type { CreateFieldOptions, FieldType } from "../model.ts";
import { metaParameter, type Parameter, parameter } from "../parameters.ts";
import {
  docValuesParameter,
  EXPECTED_TEXT,
  indexParameter,
  indexSettingFlag,
  isStructure,
  makeField,
  queryText,
  scalarText,
  storeParameter,
} from "./common.ts";

/** How finely a type counts time (DateFieldMapper.Resolution). */
interface Resolution {
  readonly type: string;
  readonly format: string;
  readonly toValue: (instant: Instant) => number | bigint;
  readonly toInstant: (value: number | bigint) => Instant;
}

export const DEFAULT_DATE_FORMAT = "strict_date_optional_time||epoch_millis";

const PLAIN_NUMBER = decimalFormat(`#.${"#".repeat(300)}`);

/** A number of the source as the text that is read as a date: without exponent. */
export function numberText(value: JsonValue): string {
  if (typeof value === "number") return PLAIN_NUMBER.format(value);
  if (!(value instanceof JsonNumber)) return javaText(value);
  return value.integer ? value.text : PLAIN_NUMBER.format(Number(value.text));
}

interface DateOptions {
  readonly now: number;
  readonly roundUp: boolean;
  readonly format?: string;
  readonly timeZone?: string;
  readonly ownZone?: boolean;
}

/** A date with math. */
function queryInstant(value: JsonValue, formatter: DateFormatter, options: DateOptions): Instant {
  const zone = options.timeZone === undefined ? undefined : parseZone(options.timeZone);
  const reader = options.format === undefined ? formatter : dateFormatter(options.format);
  return parseDateMath(queryText(value), reader, { ...options, zone });
}

/** The same in milliseconds since the epoch. */
export function dateMillis(value: JsonValue, formatter: DateFormatter, options: DateOptions): number | bigint {
  return toMillis(queryInstant(value, formatter, options));
}

/** `format` and `locale`. @param explain makes the error of a format that cannot be read */
export function dateParameters(
  explain: (error: EngineError, field: string) => EngineError,
  fallback = DEFAULT_DATE_FORMAT,
): readonly Parameter[] {
  return [
    parameter(
      "format",
      fallback,
      (value, { field }) => {
        const pattern = javaText(value);
        try {
          dateFormatter(pattern);
        } catch (error) {
          throw error instanceof EngineError && error.type === "illegal_argument_exception"
            ? explain(error, field)
            : error;
        }
        return pattern;
      },
      { late: true },
    ),
    parameter("locale", "en", (value) => readLocale(javaText(value))),
  ];
}

/** Language, country and variant (LocaleUtils.parse). Java's name of the root locale prints as nothing. */
function readLocale(text: string): string {
  if (text === "ROOT") return "";
  const parts = text.split("_");
  if (parts.length > 3) {
    throw illegalArgument(`Locales can have at most 3 parts but got ${parts.length}: [${parts.join(", ")}]`);
  }
  return text;
}

/** The formatter that a field's parameters ask for. */
export function dateFormat({ get }: CreateFieldOptions): DateFormatter {
  const formatter = dateFormatter(get("format"));
  const locale = get<string>("locale");
  if (formatter.usesNames && locale !== "" && !/^en\b/.test(locale)) {
    throw unsupported(`locale [${locale}] for the names in date format [${formatter.pattern}]`);
  }
  return formatter;
}

const MAX_NANOS = 2n ** 63n - 1n;

/** Nanoseconds since the epoch, from 1970 to 2262. */
function toNanos(instant: Instant): number | bigint {
  const nanos = BigInt(instant.seconds) * 1_000_000_000n + BigInt(instant.nanos);
  // As Java prints an instant: no fraction, or three, six or nine digits of it.
  const shown = () =>
    dateFormatter("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'")
      .print(instant)
      .replace(/(?:000){1,3}Z$/, "Z")
      .replace(".Z", "Z");
  if (nanos < 0n) {
    throw illegalArgument(`date[${shown()}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`);
  }
  if (nanos > MAX_NANOS) {
    throw illegalArgument(
      `date[${shown()}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
    );
  }
  return narrow(nanos);
}

const dateOf = ({ type, format, toValue, toInstant }: Resolution): FieldType => ({
  type,
  parameters: [
    indexParameter,
    docValuesParameter,
    storeParameter,
    ...dateParameters(
      (error, field) =>
        illegalArgument(`Error parsing [format] on field [${field}]: ${error.message}`, { cause: error }),
      format,
    ),
    parameter<string | undefined>("null_value", undefined, (value) => (value === null ? undefined : javaText(value)), {
      acceptsNull: true,
    }),
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
    metaParameter,
  ],
  create: (options) => {
    const { get, path, name } = options;
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const ignoreMalformed = get<boolean>("ignore_malformed");
    const formatter = dateFormat(options);
    const nullText = get<string | undefined>("null_value");
    let nullValue: string | undefined;
    if (nullText !== undefined) {
      try {
        toValue(formatter.parse(nullText));
        nullValue = nullText;
      } catch (error) {
        throw mapperParsing(`Error parsing [null_value] on field [${name}]: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    const info: FieldInfo = {
      name: path,
      index: "none",
      norms: false,
      docValues: hasDocValues ? "long" : "none",
      points: indexed ? "long" : "none",
    };
    return makeField({
      options,
      type,
      family: "date",
      info,
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? "docValues" : "_field_names",
      nullValue,
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument(EXPECTED_TEXT);
        let time: number | bigint;
        try {
          time = toValue(formatter.parse(scalarText(value)));
        } catch (error) {
          if (ignoreMalformed) return true;
          throw error;
        }
        if (indexed || hasDocValues) addNumber(doc, info, time);
        return false;
      },
      termValue: (value, { now }) => {
        // A number is milliseconds, whatever the field's format.
        const format = typeof value === "number" || value instanceof JsonNumber ? { format: "epoch_millis" } : {};
        const low = toValue(queryInstant(value, formatter, { now, roundUp: false, ...format }));
        const high = toValue(queryInstant(value, formatter, { now, roundUp: true, ...format }));
        return { low, high };
      },
      rangeBound: (value, given) => toValue(queryInstant(value, formatter, given)),
      nextUp: (value) => narrow(BigInt(value) + 1n),
      nextDown: (value) => narrow(BigInt(value) - 1n),
      valueFetcher: ({ format } = {}) => {
        const printer = format === undefined ? formatter : dateFormatter(format);
        return {
          kind: "values",
          nullValue,
          read: (value) => printer.print(toInstant(toValue(formatter.parse(numberText(value))))),
        };
      },
      docValueFormat: ({ format, timeZone } = {}) =>
        dateDocValueFormat(format === undefined ? formatter : dateFormatter(format), toInstant, {
          ...(timeZone === undefined ? {} : { zone: parseZone(timeZone) }),
          sorted: format !== undefined,
        }),
    });
  },
});

export const dateType = dateOf({
  type: "date",
  format: DEFAULT_DATE_FORMAT,
  toValue: toMillis,
  toInstant: fromMillis,
});

export const dateNanosType = dateOf({
  type: "date_nanos",
  format: "strict_date_optional_time_nanos||epoch_millis",
  toValue: toNanos,
  toInstant: (value) => instantOfNanos(BigInt(value)),
});
