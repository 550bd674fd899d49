/** The query in a URL: `q` in query_string's language, with a few of its options (RestActions.urlParamsToQueryBuilder). */
import { illegalArgument } from "../errors.ts";
import { type QueryBuilder, queryStringOf } from "../query/dsl/index.ts";
import { readOperator } from "../query/dsl/match.ts";
import { type Params, parseBoolean } from "./params.ts";

/** What means nothing without `q`, in the order in which it is told. */
const OPTIONS = ["df", "analyzer", "analyze_wildcard", "lenient", "default_operator"];

/** Options are read one after the other: what follows a wrong one counts as never asked for. */
export function urlQuery(params: Params, path: string): QueryBuilder | undefined {
  const query = params.text("q");
  if (query === undefined) {
    const alone = OPTIONS.filter((name) => params.has(name));
    if (alone.length === 0) return undefined;
    throw illegalArgument(
      `request [${path}] contains parameters [${alone.join(", ")}] but missing query string parameter 'q'.`,
    );
  }
  const defaultField = params.text("df");
  const analyzer = params.text("analyzer");
  const analyzeWildcard =
    params.text("analyze_wildcard") === "" || (optionalBoolean(params, "analyze_wildcard") ?? false);
  const lenient = optionalBoolean(params, "lenient");
  const operator = params.text("default_operator");
  return queryStringOf({
    query,
    analyzeWildcard,
    ...(defaultField === undefined ? {} : { defaultField }),
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(lenient === undefined ? {} : { lenient }),
    ...(operator === undefined ? {} : { defaultOperator: readOperator(operator) }),
  });
}

/** Blank is as if it were absent. */
function optionalBoolean(params: Params, name: string): boolean | undefined {
  const value = params.text(name);
  return value === undefined || value.trim() === "" ? undefined : parseBoolean(value);
}
