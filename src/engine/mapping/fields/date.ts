/** `date`: milliseconds since the epoch, read and printed by the field's format. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { type DateFormatter, dateFormatter, fromMillis, toMillis } from "../date/formatter.ts";
import { parseDateMath } from "../date/math.ts";
import { parseZone } from "../date/zone.ts";
import { addNumber } from "../doc-buffer.ts";
import { javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { metaParameter, parameter } from "../parameters.ts";
import {
  docValuesParameter,
  EXPECTED_TEXT,
  indexParameter,
  indexSettingFlag,
  isStructure,
  makeField,
  scalarText,
  storeParameter,
} from "./common.ts";

export const DEFAULT_DATE_FORMAT = "strict_date_optional_time||epoch_millis";

/** Milliseconds since the epoch of `now` in date math: one value for a request. */
function queryMillis(
  value: JsonValue,
  formatter: DateFormatter,
  options: { now: number; roundUp: boolean; timeZone?: string },
): number | bigint {
  const zone = options.timeZone === undefined ? undefined : parseZone(options.timeZone);
  return parseDateMath(scalarText(value), formatter, { now: options.now, roundUp: options.roundUp, zone });
}

export const dateType: FieldType = {
  type: "date",
  parameters: [
    indexParameter,
    docValuesParameter,
    storeParameter,
    parameter("format", DEFAULT_DATE_FORMAT, (value, { field }) => {
      const pattern = javaText(value);
      try {
        dateFormatter(pattern);
      } catch (error) {
        if (error instanceof EngineError && error.type === "illegal_argument_exception") {
          throw illegalArgument(`Error parsing [format] on field [${field}]: ${error.message}`, { cause: error });
        }
        throw error;
      }
      return pattern;
    }),
    // Java's name of the root locale prints as nothing.
    parameter("locale", "en", (value) => (javaText(value) === "ROOT" ? "" : javaText(value))),
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
    const formatter = dateFormatter(get("format"));
    const locale = get<string>("locale");
    if (formatter.usesNames && locale !== "" && !/^en\b/.test(locale)) {
      throw unsupported(`locale [${locale}] for the names in date format [${formatter.pattern}]`);
    }
    const nullText = get<string | undefined>("null_value");
    let nullValue: string | undefined;
    if (nullText !== undefined) {
      try {
        formatter.parse(nullText);
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
      type: "date",
      family: "date",
      info,
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? "docValues" : "_field_names",
      nullValue,
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument(EXPECTED_TEXT);
        let millis: number | bigint;
        try {
          millis = toMillis(formatter.parse(scalarText(value)));
        } catch (error) {
          if (ignoreMalformed) return true;
          throw error;
        }
        if (indexed || hasDocValues) addNumber(doc, info, millis);
        return false;
      },
      termValue: (value, { now }) => {
        const low = queryMillis(value, formatter, { now, roundUp: false });
        const high = queryMillis(value, formatter, { now, roundUp: true });
        return { low, high };
      },
      rangeBound: (value, { roundUp, format, timeZone, now }) =>
        queryMillis(value, format === undefined ? formatter : dateFormatter(format), { now, roundUp, timeZone }),
      nextUp: (value) => (typeof value === "bigint" ? value + 1n : value + 1),
      nextDown: (value) => (typeof value === "bigint" ? value - 1n : value - 1),
      formatDocValue: (value) => formatter.print(fromMillis(value as number | bigint)),
    });
  },
};
