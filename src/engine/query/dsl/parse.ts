/** From a body's `query` to a builder: one object with the query's name as its only key. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../../errors.ts";
import { positionOf } from "../../json/parse.ts";
import type { JsonObject, JsonValue } from "../../json/types.ts";
import type { QueryBuilder } from "./builder.ts";
import { errorAt, isArray, isObject, located, placeOf } from "./read.ts";
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
  if (!isObject(json)) throw errorAt(parent as JsonValue, { value: key }, MALFORMED);
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
  const builder = atEnd(body, () => parser(body, depth));
  if (second !== undefined) {
    throw errorAt(json, { key: second }, `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`);
  }
  return builder;
}

/** What is found wrong without a place is found when all of the query has been read. */
function atEnd<T>(body: JsonObject, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof EngineError && !placeOf(error) ? located(error, body, "end") : error;
  }
}

const MALFORMED = "[_na] query malformed, must start with start_object";

/**
 * The queries of a list, as Elasticsearch's reader of a query finds them: where it does not stand on a brace it takes one step, so that a single scalar
 * before a query is passed over.
 *
 * @param inList the error of a list within the list, where the reader looks at items itself
 * @param behind the error of what follows when such a list's end was taken for the end of the list around it
 */
export function parseInnerQueries<T>(
  list: readonly JsonValue[],
  parse: (parent: readonly JsonValue[], key: number) => T,
  errors: { readonly inList?: () => EngineError; readonly behind?: (list: readonly JsonValue[]) => EngineError },
): T[] {
  const builders: T[] = [];
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    if (isArray(item)) {
      if (errors.inList) throw located(errors.inList(), list, { value: at });
      if (!isObject(item[0])) throw errorAt(item, item.length > 0 ? { value: 0 } : "end", MALFORMED);
      parse(item, 0);
      if (item.length > 1 || at + 1 < list.length || !errors.behind)
        throw unsupported("a list within a list of queries");
      throw errors.behind(list);
    }
    if (!isObject(item)) at++;
    if (at >= list.length) throw errorAt(list, "end", MALFORMED);
    if (!isObject(list[at])) throw errorAt(list, { value: at }, MALFORMED);
    builders.push(parse(list, at));
  }
  return builders;
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
