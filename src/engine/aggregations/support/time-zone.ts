/** `time_zone` of aggregations: a name, an offset, or hours as a number. */
import { EngineError } from "../../errors.ts";
import { offsetId, parseZone } from "../../mapping/date/zone.ts";
import { readInt } from "../../query/dsl/read.ts";
import { type FieldReader, field } from "./object-parser.ts";

export const timeZone: FieldReader<string> = field(["string", "number"], (value, json, key) => {
  if (typeof value !== "string") return offsetId(readInt(value, json, key) * 3600);
  try {
    parseZone(value);
    return value;
  } catch (error) {
    // Here Java's own error is told, without Elasticsearch's around it.
    throw error instanceof EngineError && error.cause instanceof EngineError ? error.cause : error;
  }
});
