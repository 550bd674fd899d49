/** `boolean`: true and false, stored as 1 and 0. */
import { illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addNumber, addTerm } from "../doc-buffer.ts";
import { BOOLEAN_FORMAT } from "../doc-value-format.ts";
import { javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { metaParameter, parameter, readBoolean } from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  contentError,
  docValuesParameter,
  indexParameter,
  indexSettingFlag,
  isStructure,
  makeField,
  plainFormat,
  storeParameter,
  tokenName,
} from "./common.ts";

function read(value: JsonValue): number {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === "true") return 1;
  if (value === "false" || value === "") return 0;
  if (typeof value === "string")
    throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
  throw contentError(`Current token (${tokenName(value)}) not of boolean type`);
}

function query(value: JsonValue): number {
  if (value === true || value === "true") return 1;
  if (value === false || value === "false") return 0;
  throw illegalArgument(`Can't parse boolean value [${javaText(value)}], expected [true] or [false]`);
}

/** The indexed term (BooleanFieldMapper.Values). */
const termOf = (value: number): string => (value === 1 ? "T" : "F");

export const booleanType: FieldType = {
  type: "boolean",
  parameters: [
    metaParameter,
    docValuesParameter,
    indexParameter,
    parameter<boolean | undefined>(
      "null_value",
      undefined,
      (value) => (value === null ? undefined : readBoolean(value)),
      {
        acceptsNull: true,
      },
    ),
    storeParameter,
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
  ],
  create: (options) => {
    const { get, path } = options;
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const ignoreMalformed = get<boolean>("ignore_malformed");
    const info: FieldInfo = {
      name: path,
      // As in Elasticsearch, a boolean is a term, which scores as terms do.
      index: indexed ? "docs" : "none",
      norms: false,
      docValues: hasDocValues ? "long" : "none",
      points: "none",
    };
    return makeField({
      options,
      type: "boolean",
      family: "boolean",
      info,
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? "docValues" : "_field_names",
      nullValue: get<boolean | undefined>("null_value"),
      addValue: (doc, value) => {
        let parsed: number;
        try {
          parsed = read(value);
        } catch (error) {
          if (ignoreMalformed && !isStructure(value)) return true;
          throw error;
        }
        if (indexed) addTerm(doc, info, termOf(parsed));
        if (hasDocValues) addNumber(doc, info, parsed);
        return false;
      },
      termValue: (value) => termOf(query(value)),
      rangeBound: (value) => termOf(query(value)),
      nextUp: (value) => Number(value) + 1,
      nextDown: (value) => Number(value) - 1,
      docValueFormat: plainFormat(path, "boolean", BOOLEAN_FORMAT),
      valueFetcher: valuesBy(
        path,
        "boolean",
        (value) => read(typeof value === "boolean" ? value : javaText(value)) === 1,
        get<boolean | undefined>("null_value"),
      ),
    });
  },
};
