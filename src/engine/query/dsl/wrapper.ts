/** wrapper: a query written as JSON, in base64. */
import { EngineError, illegalArgument, unsupported } from "../../errors.ts";
import { parseJson } from "../../json/parse.ts";
import type { JsonValue } from "../../json/types.ts";
import type { QueryBuilder } from "./builder.ts";
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
  const bytes = decoded(value, () => contentError(json, { value: key }, "Failed to decode VALUE_STRING as base64"));
  if (second !== undefined) {
    throw errorAt(json, { key: second }, "[wrapper] malformed query, expected [END_OBJECT] but found [FIELD_NAME]");
  }
  return unwrapped(() => parseInnerQuery({ query: contentOf(bytes) }, "query", depth));
};

/** What is wrong within is told when the rest of the request was read, and on its own (WrapperQueryBuilder.doRewrite). */
function unwrapped(read: () => QueryBuilder): QueryBuilder {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof EngineError) || failure.type === "unsupported_feature_exception") throw failure;
    // Within a wrapper Elasticsearch reads the names that it does not take elsewhere any more.
    if (causes(failure).some(({ reason }) => reason.startsWith("deprecated fields not supported")))
      throw unsupported("deprecated names within wrapper");
    return {
      name: "wrapper",
      lookups: [{ failure }],
      toQuery() {
        throw failure;
      },
    };
  }
}

function causes(error: EngineError): EngineError[] {
  return [error, ...(error.cause instanceof EngineError ? causes(error.cause) : [])];
}

function decoded(text: string, malformed: () => EngineError): Uint8Array {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) throw malformed();
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function contentOf(bytes: Uint8Array): JsonValue {
  const parsed = bytes[0] === 0x7b ? parseJson(bytes, { positions: true }) : undefined;
  if (!isObject(parsed)) throw new EngineError("x_content_parse_exception", "Failed to derive xcontent");
  return parsed;
}
