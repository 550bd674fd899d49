/** From a body's `query` to a builder: one object with the query's name as its only key. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../../errors.ts";
import { positionOf } from "../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { QueryBuilder } from "./builder.ts";
import { errorAt, isObject, located } from "./read.ts";
import { suggestion } from "./suggestion.ts";

/** Reads the object behind a query's name. `depth` counts the queries around it. */
export type QueryParser = (json: JsonObject, depth: number) => QueryBuilder;

/** `indices.query.bool.max_nested_depth` */
const MAX_DEPTH = 30;

const parsers = new Map<string, QueryParser>();
/** Queries that Elasticsearch knows and this engine does not. */
const refused = new Set<string>();

export function registerQueries(
  known: Readonly<Record<string, QueryParser>>,
  unsupportedNames: readonly string[],
): void {
  for (const [name, parser] of Object.entries(known)) parsers.set(name, parser);
  for (const name of unsupportedNames) refused.add(name);
}

/** A query within `parent[key]`. */
export function parseInnerQuery(
  parent: JsonObject | readonly JsonValue[],
  key: string | number,
  depth: number,
): QueryBuilder {
  const json = (parent as { [key: string | number]: JsonValue })[key];
  if (!isObject(json))
    throw errorAt(parent as JsonValue, { value: key }, "[_na] query malformed, must start with start_object");
  const [name, second] = Object.keys(json);
  if (name === undefined) {
    const place = positionOf(json, "end");
    const error = illegalArgument(
      `query malformed, empty clause found${place ? ` at [${place.line}:${place.col}]` : ""}`,
    );
    throw located(error, json, "end");
  }
  const body = json[name];
  if (!isObject(body))
    throw errorAt(json, { value: name }, `[${name}] query malformed, no start_object after query name`);
  const parser = parsers.get(name);
  if (!parser) {
    if (refused.has(name)) throw unsupported(name);
    throw unknownQuery(json, name);
  }
  if (depth > MAX_DEPTH) {
    const error = illegalArgument(
      `The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth]`,
    );
    throw located(error, json, { value: name });
  }
  const builder = parser(body, depth);
  if (second !== undefined) {
    throw errorAt(json, { key: second }, `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  }
  return builder;
}

function unknownQuery(json: JsonObject, name: string): EngineError {
  const place = positionOf(json, { value: name });
  const known = [...parsers.keys(), ...refused];
  const error = parsingError(`unknown query [${name}]${suggestion(name, known)}`, {
    ...(place ? { metadata: { line: place.line, col: place.col } } : {}),
    cause: new EngineError(
      "named_object_not_found_exception",
      `${place ? `[${place.line}:${place.col}] ` : ""}unknown field [${name}]`,
    ),
  });
  return located(error, json, { value: name });
}
