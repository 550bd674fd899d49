/** `fields` and `docvalue_fields`. */
import { unsupported } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { isObject } from "../../../query/dsl/read.ts";
import { parseFieldsAndFormats } from "../fields/field-and-format.ts";
import type { RequestFeature } from "./types.ts";

export const fieldKeys: RequestFeature = {
  keys: {
    fields: {
      kinds: ["list"],
      read(body, key, draft) {
        draft.fields = parseFieldsAndFormats(body[key] as readonly JsonValue[]);
        draft.fieldsGiven = true;
      },
    },
    docvalue_fields: {
      kinds: ["list"],
      read(body, key, draft) {
        draft.docValueFields = parseFieldsAndFormats(body[key] as readonly JsonValue[]);
      },
    },
    script_fields: {
      kinds: ["object"],
      read(body, key) {
        const scripts = body[key];
        if (isObject(scripts) && Object.keys(scripts).length > 0) {
          throw unsupported("script_fields (scripts; compute the value when the document is written, or from the hit)");
        }
      },
    },
  },
  params(params, draft) {
    const names = params.list("docvalue_fields");
    if (names) draft.docValueFields = [...draft.docValueFields, ...names.map((field) => ({ field }))];
  },
  validate: ({ storedFields, fieldsGiven }) =>
    !storedFields && fieldsGiven ? ["[stored_fields] cannot be disabled when using the [fields] option"] : [],
};
