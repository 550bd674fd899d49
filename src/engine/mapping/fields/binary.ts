/** `binary`: kept in the source, found by `exists`, and not searched. */
import { illegalArgument } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { RAW_TEXT } from "../doc-value-format.ts";
import type { FieldType } from "../model.ts";
import { booleanParameter, metaParameter } from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import { contentError, makeField, storeParameter, tokenName } from "./common.ts";

/** Jackson's MIME variant: padding is required, blanks between groups of four are passed over. */
function checkBase64(value: JsonValue): void {
  if (typeof value !== "string") {
    throw contentError(
      `Current token (${tokenName(value)}) not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary`,
    );
  }
  const packed = value.replace(/[\u0000- ]/g, "");
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed)) {
    throw contentError("Failed to decode VALUE_STRING as base64");
  }
}

export const binaryType: FieldType = {
  type: "binary",
  parameters: [storeParameter, booleanParameter("doc_values", false), metaParameter],
  create: (options) => {
    const { get, path } = options;
    const hasDocValues = get<boolean>("doc_values");
    const stored = get<boolean>("store");
    const info: FieldInfo = { name: path, index: "none", norms: false, docValues: "none", points: "none" };
    const refuse = (): never => {
      throw illegalArgument(`Binary fields do not support searching`);
    };
    return makeField({
      options,
      type: "binary",
      family: "opaque",
      info,
      indexed: false,
      hasDocValues,
      existsBy: "_field_names",
      recordsName: stored || hasDocValues,
      addValue: (_doc, value) => {
        if (stored || hasDocValues) checkBase64(value);
        return false;
      },
      termValue: refuse,
      rangeBound: refuse,
      docValueFormat: () => RAW_TEXT,
      valueFetcher: valuesBy(path, undefined, (value) => value),
    });
  },
};
