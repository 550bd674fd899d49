/** `_msearch`: several searches in one request, a line of options before each. A search that fails answers with its error in its place. */
import { resolveIndices } from "../action/index-names.ts";
import type { Params } from "../action/params.ts";
import type { ResponseValue } from "../action/response-value.ts";
import { parseSearchRequest } from "../action/search/index.ts";
import { validationFailed } from "../action/write.ts";
import { EngineError, illegalArgument, parsingError } from "../errors.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonValue } from "../json/types.ts";
import { isArray, isObject, textOf } from "../query/dsl/read.ts";
import { type Action, type Call, indicesOptions, names, nodeBoolean } from "./call.ts";
import { errorObject, statusOf } from "./errors.ts";
import { createParams } from "./params.ts";
import { answerSearch, readable } from "./search-actions.ts";

/** Options of a header under the names that a URL has for them. */
const HEADER_KEYS: Readonly<Record<string, string>> = {
  index: "index",
  indices: "index",
  search_type: "search_type",
  searchType: "search_type",
  request_cache: "request_cache",
  requestCache: "request_cache",
  preference: "preference",
  routing: "routing",
  allow_partial_search_results: "allow_partial_search_results",
  ccs_minimize_roundtrips: "ccs_minimize_roundtrips",
  ccsMinimizeRoundtrips: "ccs_minimize_roundtrips",
  expand_wildcards: "expand_wildcards",
  expandWildcards: "expand_wildcards",
  ignore_unavailable: "ignore_unavailable",
  ignoreUnavailable: "ignore_unavailable",
  allow_no_indices: "allow_no_indices",
  allowNoIndices: "allow_no_indices",
  ignore_throttled: "ignore_throttled",
  ignoreThrottled: "ignore_throttled",
};

const BOOLEANS = ["request_cache", "allow_partial_search_results", "ccs_minimize_roundtrips"];

/** Parameters of the URL that stand for every search. */
const SHARED = [
  "search_type",
  "rest_total_hits_as_int",
  "typed_keys",
  "max_concurrent_shard_requests",
  "pre_filter_shard_size",
  "ccs_minimize_roundtrips",
  "include_named_queries_score",
  "index",
  "routing",
  "expand_wildcards",
  "ignore_unavailable",
  "allow_no_indices",
  "ignore_throttled",
];

interface Lines {
  readonly header: string;
  readonly body: string;
}

/** Pairs of lines; a last line without a partner asks for nothing. */
function readLines(text: string): Lines[] {
  const pairs: Lines[] = [];
  if (text !== "" && !text.endsWith("\n")) {
    throw illegalArgument("The msearch request must be terminated by a newline [\n]");
  }
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  lines.pop();
  for (let i = 0; i + 1 < lines.length; i += 2) pairs.push({ header: lines[i], body: lines[i + 1] });
  return pairs;
}

function headerText(value: JsonValue): string {
  if (value === null) {
    const reason = 'Cannot invoke "Object.toString()" because "node" is null';
    throw new EngineError("null_pointer_exception", reason, { status: 500 });
  }
  return isArray(value) ? value.map(headerText).join(",") : (textOf(value) ?? "");
}

/** A search's options as parameters: its header's over the URL's. */
function readHeader(header: string, shared: ReadonlyMap<string, string>): Params {
  const values = new Map(shared);
  const json = header.trim() === "" ? undefined : parseJson(header, { positions: true });
  if (isObject(json)) {
    for (const [key, value] of Object.entries(json)) {
      const name = HEADER_KEYS[key];
      if (name === undefined) throw illegalArgument(`key [${key}] is not supported in the metadata section`);
      const text = headerText(value);
      if (name === "index" && text === "") continue;
      values.set(name, text);
    }
  }
  const params = createParams(values);
  for (const name of BOOLEANS) nodeBoolean({ params }, name, false);
  return params;
}

function readBody(body: string): JsonValue {
  if (body.trim() !== "") return parseJson(body, { positions: true });
  throw parsingError("Expected [START_OBJECT] but found [null]", { metadata: { line: 1, col: 0 } });
}

/** One search, read: what it does when its turn comes. */
function readSearch(call: Call, { header, body }: Lines, shared: ReadonlyMap<string, string>) {
  const params = readHeader(header, shared);
  const search = readBody(body);
  call.checkSearch(search);
  const request = parseSearchRequest(search, params, call.path);
  const own = { params };
  const wanted = names(own, "index");
  const options = indicesOptions(own);
  const run = () =>
    answerSearch(call, request, () => readable(resolveIndices(call.registry, wanted, options)), {
      signal: call.signal,
      indicesOptions: options,
    });
  return { problems: request.problems, run };
}

async function answer(run: () => Promise<ResponseValue>): Promise<ResponseValue> {
  try {
    return { ...((await run()) as { [key: string]: ResponseValue }), status: 200 };
  } catch (error) {
    if (error instanceof EngineError && error.type === "task_cancelled_exception") throw error;
    return { error: errorObject(error), status: statusOf(error) };
  }
}

export const multiSearch: Action = (call) => {
  if (!call.hasBody) throw new EngineError("parse_exception", "request body or source parameter is required");
  const most = call.params.int("max_concurrent_searches");
  if (most !== undefined && most < 1) throw illegalArgument("maxConcurrentSearchRequests must be positive");
  const shared = new Map<string, string>();
  for (const name of SHARED) {
    const value = call.params.text(name);
    if (value !== undefined) shared.set(name, value);
  }
  const raw = call.raw();
  const text = typeof raw === "string" ? raw : new TextDecoder().decode(raw);
  const searches = readLines(text).map((lines) => readSearch(call, lines, shared));
  return async () => {
    const wrong = searches.length === 0 ? ["no requests added"] : searches.flatMap(({ problems }) => problems);
    if (wrong.length > 0) throw validationFailed(wrong);
    const began = performance.now();
    const responses: ResponseValue[] = [];
    for (const { run } of searches) responses.push(await answer(run));
    return { body: { took: Math.round(performance.now() - began), responses } };
  };
};
