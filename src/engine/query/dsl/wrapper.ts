/** wrapper: a query written as JSON, in base64. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { parseJson } from "../../json/parse.ts";
import type { JsonValue } from "../../json/types.ts";
import { parseInnerQuery, type QueryParser } from "./parse.ts";
import { contentError, errorAt, isObject } from "./read.ts";

export const parseWrapper: QueryParser = (json, depth) => {
  const [key, second] = Object.keys(json);
  if (key === undefined) throw errorAt(json, "end", "[wrapper] query malformed");
  if (key !== "query") throw errorAt(json, { key }, `[wrapper] query malformed, expected \`query\` but was ${key}`);
  const value = json[key];
  if (typeof value !== "string") {
    const reason = "Current token not VALUE_STRING or VALUE_EMBEDDED_OBJECT, can not access as binary";
    throw contentError(json, { value: key }, reason);
  }
  if (value === "") throw illegalArgument("query source text cannot be null or empty");
  const inner = decoded(value, () => contentError(json, { value: key }, "Failed to decode VALUE_STRING as base64"));
  if (second !== undefined) {
    throw errorAt(json, { key: second }, "[wrapper] malformed query, expected [END_OBJECT] but found [FIELD_NAME]");
  }
  return parseInnerQuery({ query: inner }, "query", depth);
};

function decoded(text: string, malformed: () => EngineError): JsonValue {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw malformed();
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const parsed = bytes[0] === 0x7b ? parseJson(bytes, { positions: true }) : undefined;
  if (!isObject(parsed)) throw new EngineError("x_content_parse_exception", "Failed to derive xcontent");
  return parsed;
}
