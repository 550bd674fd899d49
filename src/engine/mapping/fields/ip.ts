/** `ip`: addresses of IPv4 and IPv6 in one order; queries take networks too. */
import { illegalArgument, mapperParsing } from "../../errors.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addOrdinal, addTerm } from "../doc-buffer.ts";
import { IP_FORMAT } from "../doc-value-format.ts";
import { formatAddress, parseAddress, parseNetwork } from "../ip-address.ts";
import { javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { metaParameter, parameter } from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  docValuesParameter,
  EXPECTED_TEXT,
  indexParameter,
  indexSettingFlag,
  isStructure,
  makeField,
  plainFormat,
  queryText,
  scalarText,
  storeParameter,
} from "./common.ts";

export const ipType: FieldType = {
  type: "ip",
  parameters: [
    indexParameter,
    docValuesParameter,
    storeParameter,
    indexSettingFlag("ignore_malformed", "index.mapping.ignore_malformed", false),
    parameter<string | undefined>("null_value", undefined, (value) => (value === null ? undefined : javaText(value)), {
      acceptsNull: true,
    }),
    metaParameter,
  ],
  create: (options) => {
    const { get, path, name } = options;
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const ignoreMalformed = get<boolean>("ignore_malformed");
    const nullValue = get<string | undefined>("null_value");
    if (nullValue !== undefined) {
      try {
        parseAddress(nullValue);
      } catch (error) {
        throw mapperParsing(`Error parsing [null_value] on field [${name}]: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
    const info: FieldInfo = {
      name: path,
      index: indexed ? "docs" : "none",
      norms: false,
      docValues: hasDocValues ? "ordinals" : "none",
      points: "none",
    };
    return makeField({
      options,
      type: "ip",
      family: "ip",
      info,
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? "docValues" : "_field_names",
      nullValue,
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument(EXPECTED_TEXT);
        let address: string;
        try {
          address = parseAddress(scalarText(value));
        } catch (error) {
          if (ignoreMalformed) return true;
          throw error;
        }
        if (indexed) addTerm(doc, info, address);
        if (hasDocValues) addOrdinal(doc, info, address);
        return false;
      },
      termValue: (value) => {
        const text = queryText(value);
        if (text.includes("/")) return parseNetwork(text);
        const address = parseAddress(text);
        return { low: address, high: address };
      },
      rangeBound: (value) => parseAddress(queryText(value)),
      docValueFormat: plainFormat(path, "ip", IP_FORMAT),
      valueFetcher: valuesBy(path, "ip", (value) => formatAddress(parseAddress(javaText(value))), nullValue),
    });
  },
};
