/** What a query's text says when it cannot be parsed (Lucene's ParseException): told by the query around it. */
export class QueryParseError extends Error {
  readonly type: string;
  constructor(reason: string, type = "parse_exception") {
    super(reason);
    this.type = type;
  }
}

export function queryParseError(reason: string): QueryParseError {
  return new QueryParseError(reason);
}
