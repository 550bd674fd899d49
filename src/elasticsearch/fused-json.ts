/** JSON as it goes over the wire, and errors as a cluster prints them. */

export type Json = string | number | boolean | null | readonly Json[] | JsonBody;

/** What is undefined is not sent. */
export interface JsonBody {
  readonly [key: string]: Json | undefined;
}

/** A search failed: what its error says. */
export class QueryFailed extends Error {
  readonly status: number;
  readonly #type: string;
  readonly #facts: JsonBody;

  constructor(type: string, reason: string, status = 400, facts: JsonBody = {}) {
    super(reason);
    this.#type = type;
    this.status = status;
    this.#facts = facts;
  }

  described(): JsonBody {
    return { type: this.#type, reason: this.message, ...this.#facts };
  }

  /** As the body of an answer. */
  body(): JsonBody {
    return { error: { root_cause: [this.described()], ...this.described() }, status: this.status };
  }
}

/** The error that a cluster's answer tells. */
export function failureOf(body: unknown, status: number): QueryFailed {
  const error = (body as JsonBody | undefined)?.["error"];
  if (!isObject(error)) {
    return new QueryFailed("exception", String(error), status);
  }
  const { root_cause: _, type, reason, ...facts } = error;
  return new QueryFailed(String(type), String(reason), status, facts);
}

const isObject = (value: Json | undefined): value is JsonBody =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A query without the name that it has itself: `{ name: { _name } }`, or `{ name: { field: { _name } } }`. */
export function withoutName(query: Json): Json {
  if (!isObject(query)) return query;
  const entries = Object.entries(query).map(([name, body]): [string, Json | undefined] => {
    if (!isObject(body)) return [name, body];
    const { _name, ...rest } = body;
    const fields = Object.entries(rest).map(([field, options]): [string, Json | undefined] => {
      if (!isObject(options) || COMPOUND.has(field)) return [field, options];
      const { _name: _own, ...others } = options;
      return [field, typeof options["_name"] === "string" ? others : options];
    });
    return [name, Object.fromEntries(fields)];
  });
  return Object.fromEntries(entries);
}

/** Keys under which other queries stand, whose names are their own. */
const COMPOUND = new Set([
  "must",
  "should",
  "filter",
  "must_not",
  "query",
  "positive",
  "negative",
  "functions",
  "queries",
  "inner_hits",
]);
