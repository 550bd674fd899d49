/** `_delete_by_query`: reading the request, and the shape of the answer. */

import { deleteByQuery } from "../action/delete-by-query.ts";
import { resolveIndices } from "../action/index-names.ts";
import { urlQuery } from "../action/url-query.ts";
import { validationFailed } from "../action/write.ts";
import { illegalArgument, parsingError, unsupported } from "../errors.ts";
import { positionOf } from "../json/parse.ts";
import { JsonNumber, type JsonValue } from "../json/types.ts";
import { parseInnerQuery, type QueryBuilder } from "../query/dsl/index.ts";
import { isObject, textOf, tokenName } from "../query/dsl/read.ts";
import { type Action, acceptTimeouts, activeShards, bodyJson, type Call, indicesOptions, names } from "./call.ts";
import { describeError } from "./errors.ts";
import { readable } from "./search-actions.ts";

const DEFAULT_BATCH = 1000;

interface Body {
  readonly query: QueryBuilder | undefined;
  readonly maxDocs: JsonValue | undefined;
  readonly conflicts: string | undefined;
}

function readBody(body: JsonValue | undefined): Body {
  if (!isObject(body)) return { query: undefined, maxDocs: undefined, conflicts: undefined };
  let query: QueryBuilder | undefined;
  for (const key of Object.keys(body)) {
    if (key === "query") query = parseInnerQuery(body, "query", 1);
    else if (key === "sort" || key === "slice") throw unsupported(`_delete_by_query.${key}`);
    else if (key !== "max_docs" && key !== "conflicts") {
      const { line, col } = positionOf(body, { value: key }) ?? { line: 1, col: 1 };
      throw parsingError(`Unknown key for a ${tokenName(body[key])} in [${key}].`, { metadata: { line, col } });
    }
  }
  return { query, maxDocs: body.max_docs, conflicts: textOf(body.conflicts ?? null) };
}

function checkConflicts(conflicts: string | undefined): boolean {
  if (conflicts === undefined || conflicts === "abort") return false;
  if (conflicts === "proceed") return true;
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${conflicts}]`);
}

function readMaxDocs(call: Call, inBody: JsonValue | undefined): number | undefined {
  const given = call.params.int("max_docs");
  const own = inBody === undefined ? undefined : Number(String(inBody));
  if (given !== undefined && own !== undefined && given !== own) {
    throw illegalArgument(`[max_docs] set to two different values [${own}] and [${given}]`);
  }
  const maxDocs = own ?? given;
  if (maxDocs === undefined || maxDocs === -1) return undefined;
  if (maxDocs < 0) throw illegalArgument(`[max_docs] parameter cannot be negative, found [${maxDocs}]`);
  if (maxDocs === 0) throw illegalArgument("[max_docs] should be >= [slices]");
  return maxDocs;
}

/** One thread does the work, as fast as it goes. */
function refuseOrchestration(call: Call): void {
  const slices = call.params.text("slices") ?? "1";
  if (slices !== "auto" && slices !== "1") {
    if (!/^[1-9]\d*$/.test(slices)) {
      throw illegalArgument(`[slices] must be a positive integer or the string "auto", but was [${slices}]`);
    }
    throw unsupported(`_delete_by_query?slices=${slices}`);
  }
  const pace = call.params.text("requests_per_second");
  if (pace !== undefined && Number(pace) !== -1) {
    if (!(Number(pace) > 0)) {
      throw illegalArgument("[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.");
    }
    throw unsupported("_delete_by_query?requests_per_second");
  }
  if (call.params.flag("wait_for_completion") === false) throw unsupported("wait_for_completion=false");
  for (const name of ["sort", "terminate_after", "search_type"]) {
    if (call.params.text(name) !== undefined) throw unsupported(`_delete_by_query?${name}`);
  }
}

export const deleteMatching: Action = (call) => {
  const expressions = names(call, "index");
  const options = indicesOptions(call);
  acceptTimeouts(call);
  activeShards(call);
  call.params.accept("preference", "routing", "scroll", "search_timeout", "request_cache", "stats", "size");
  const body = readBody(bodyJson(call));
  const query = urlQuery(call.params, call.path) ?? body.query;
  const proceed = checkConflicts(body.conflicts ?? call.params.text("conflicts"));
  call.params.accept("conflicts");
  refuseOrchestration(call);
  const maxDocs = readMaxDocs(call, body.maxDocs);
  const batch = call.params.int("scroll_size") ?? DEFAULT_BATCH;
  if (batch <= 0) throw validationFailed([`[size] cannot be [${batch}] in a scroll context`]);
  const refresh = call.params.flag("refresh") ?? false;
  if (query === undefined) throw validationFailed(["query is missing"]);
  return async () => {
    const began = performance.now();
    const indices = readable(resolveIndices(call.registry, expressions, options));
    const done = await deleteByQuery(call.registry, indices, {
      query,
      maxDocs,
      batch,
      proceed,
      refresh,
      signal: call.signal,
    });
    return {
      status: done.failures.length > 0 ? 409 : 200,
      body: {
        took: Math.round(performance.now() - began),
        timed_out: false,
        total: done.total,
        deleted: done.deleted,
        batches: done.batches,
        version_conflicts: done.versionConflicts,
        noops: 0,
        retries: { bulk: 0, search: 0 },
        throttled_millis: 0,
        requests_per_second: new JsonNumber("-1.0"),
        throttled_until_millis: 0,
        failures: done.failures.map(({ index, id, cause }) => ({
          index,
          id,
          cause: describeError(cause),
          status: cause.status,
        })),
      },
    };
  };
};
