/** `wildcard`: values of any length as they are, searched by patterns; every match counts the same. */
import { illegalArgument } from "../../errors.ts";
import { utf8Length } from "../../json/utf8.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addOrdinal, addTerm, immenseKeyword, MAX_TERM_BYTES } from "../doc-buffer.ts";
import { javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { metaParameter, parameter, readInteger } from "../parameters.ts";

import { valuesBy } from "../value-fetcher.ts";
import { EXPECTED_TEXT, isStructure, makeField, queryText, scalarText } from "./common.ts";

const NO_LIMIT = 0x7fffffff;

export const wildcardType: FieldType = {
  type: "wildcard",
  parameters: [
    parameter(
      "ignore_above",
      (_get, context) => Number(context.setting?.("index.mapping.ignore_above") ?? NO_LIMIT),
      (value) => {
        const limit = readInteger(value);
        if (limit < 0) throw illegalArgument(`[ignore_above] must be positive, got [${limit}]`);
        return limit;
      },
      { updateable: true },
    ),
    parameter<string | undefined>("null_value", undefined, (value) => (value === null ? undefined : javaText(value)), {
      acceptsNull: true,
    }),
    metaParameter,
  ],
  create: (options) => {
    const { get, path } = options;
    const ignoreAbove = get<number>("ignore_above");
    const info: FieldInfo = { name: path, index: "docs", norms: false, docValues: "ordinals", points: "none" };
    return makeField({
      options,
      type: "wildcard",
      family: "wildcard",
      info,
      indexed: true,
      hasDocValues: true,
      existsBy: "docValues",
      nullValue: get<string | undefined>("null_value"),
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument(EXPECTED_TEXT);
        const text = scalarText(value);
        if (text.length > ignoreAbove) return true;
        if (text.length > MAX_TERM_BYTES / 3 && utf8Length(text) > MAX_TERM_BYTES) throw immenseKeyword(path, text);
        addTerm(doc, info, text);
        addOrdinal(doc, info, text);
        return false;
      },
      valueFetcher: valuesBy(
        path,
        "wildcard",
        (value) => {
          const text = javaText(value);
          return text.length > ignoreAbove ? undefined : text;
        },
        get<string | undefined>("null_value"),
      ),
      termValue: (value) => {
        const text = queryText(value);
        return { low: text, high: text };
      },
      rangeBound: queryText,
    });
  },
};
