/** Items of `fields` and `docvalue_fields`: a name or pattern, or an object with a format (FieldAndFormat). */
import { illegalArgument, unsupported } from "../../../errors.ts";
import type { JsonObject, JsonValue } from "../../../json/types.ts";
import {
  contentError,
  inField,
  isArray,
  isObject,
  readBoolean,
  textOf,
  tokenName,
  wrongKind,
} from "../../../query/dsl/read.ts";
import { suggestion } from "../../../query/dsl/suggestion.ts";

export interface FieldAndFormat {
  readonly field: string;
  readonly format?: string;
  readonly includeUnmapped?: boolean;
  /** Shown where no other item shows the field. */
  readonly otherwise?: boolean;
}

const PARSER = "fetch_field_and_format";
const KEYS = ["field", "format", "include_unmapped"];

export function parseFieldsAndFormats(list: readonly JsonValue[]): FieldAndFormat[] {
  return list.flatMap((item, at) => {
    const text = textOf(item);
    if (text !== undefined) return [{ field: text }];
    if (isObject(item)) return [parseObject(item)];
    checkNext(list, at);
    return [];
  });
}

/** What is neither text nor object is stepped over, and an object expected behind it. */
function checkNext(list: readonly JsonValue[], at: number): void {
  const item = list[at];
  const [around, next] = isArray(item) ? [item, 0] : [list, at + 1];
  if (isObject(around[next])) {
    if (around === list) return;
    throw unsupported("a list within a list of fields");
  }
  const end = next >= around.length;
  const found = end ? "END_ARRAY" : tokenName(around[next]);
  throw contentError(around, end ? "end" : { value: next }, `[${PARSER}] Expected START_OBJECT but was: ${found}`);
}

function parseObject(json: JsonObject): FieldAndFormat {
  let field: string | undefined;
  let format: string | undefined;
  let includeUnmapped: boolean | undefined;
  for (const key of Object.keys(json)) {
    const value = json[key];
    if (key === "field" && typeof value === "string") field = value;
    else if (key === "format" && (typeof value === "string" || value === null)) format = value ?? undefined;
    else if (key === "include_unmapped" && (typeof value === "boolean" || typeof value === "string")) {
      includeUnmapped = inField(PARSER, json, key, () => readBoolean(value));
    } else if (KEYS.includes(key)) throw wrongKind(PARSER, json, key);
    else throw contentError(json, { key }, `[${PARSER}] unknown field [${key}]${suggestion(key, KEYS)}`);
  }
  if (field === undefined) throw illegalArgument("Required [field]");
  return {
    field,
    ...(format === undefined ? {} : { format }),
    ...(includeUnmapped === undefined ? {} : { includeUnmapped }),
  };
}
