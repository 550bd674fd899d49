/**
 * The REST layer: Elasticsearch's HTTP API without a socket. A request is routed to an action, which reads it and calls the engine; answers
 * and errors have Elasticsearch's shapes. The in-process client and the HTTP server both come through here.
 *
 *   request ── router ──▶ action ── action/* ──▶ index, search │ errors.ts, filter-path.ts, write.ts ──▶ response
 */
import { createSearchContexts, type Rerankers, type SearchContexts } from "../action/search/index.ts";
import { type View, viewOf } from "../action/view.ts";
import { illegalArgument } from "../errors.ts";
import type { IndexRegistry } from "../index/types.ts";
import { suggestion } from "../query/dsl/suggestion.ts";
import type { Action } from "./call.ts";
import { errorBody, statusOf, UnknownRoute } from "./errors.ts";
import { filterPath } from "./filter-path.ts";
import { checkMedia, type Media, NotAcceptable } from "./media-type.ts";
import { createParams, decodeComponent, type Params, parseQuery } from "./params.ts";
import { RequestCall } from "./request-call.ts";
import { createRouter, type Match } from "./router.ts";
import { addRoutes } from "./routes.ts";
import type { ResponseValue, RestRequest, RestResponse } from "./types.ts";
import { checkView } from "./view-rules.ts";
import { writeResponse } from "./write.ts";

export type { RestRequest, RestResponse } from "./types.ts";

export interface Rest {
  /** Answers a request. Never throws: errors are answers too. */
  handle(request: RestRequest): Promise<RestResponse>;
  /** Lets go of what searches left open. */
  close(): void;
}

const PLAIN_JSON = "application/json";

function headerOf(request: RestRequest, name: string): string | undefined {
  const value = request.headers?.[name];
  return value === undefined || typeof value === "string" ? value : value.join(",");
}

function answer(
  status: number,
  contentType: string,
  body: string,
  method: string,
  headers: Readonly<Record<string, string>> = {},
): RestResponse {
  return {
    status,
    headers: { "x-elastic-product": "Elasticsearch", "content-type": contentType, ...headers },
    body: method === "HEAD" ? "" : body,
  };
}

/**
 * Makes the REST layer of an engine.
 *
 * @example
 * const rest = createRest(registry);
 * const { status, body } = await rest.handle({ method: "GET", path: "/" });
 */
export function createRest(registry: IndexRegistry, rerankers: Rerankers = {}): Rest {
  const router = createRouter<Action>();
  const own = createSearchContexts();
  const contexts = new Map<string, SearchContexts>();
  addRoutes(router);

  /** What a view's searches leave open. */
  function contextsOf(view: View | undefined): SearchContexts {
    if (view === undefined) return own;
    const found = contexts.get(view.owner) ?? createSearchContexts();
    contexts.set(view.owner, found);
    return found;
  }

  async function perform(
    request: RestRequest,
    method: string,
    match: Match<Action>,
    params: Params,
    media: Media,
    options: { pretty: boolean; filters: readonly string[] },
  ) {
    const { view } = request;
    const seen = view ? viewOf(registry, view) : registry;
    const call = new RequestCall(request, method, seen, contextsOf(view), rerankers, params, media.wantsJson);
    const run = match.target(call);
    const unknown = params.unknown();
    if (unknown.length > 0) {
      const listed = unknown
        .map((name) => `[${name}]${suggestion(name, params.known()).replace(/^ /, " -> ")}`)
        .join(", ");
      throw illegalArgument(
        `request [${request.path}] contains unrecognized parameter${unknown.length > 1 ? "s" : ""}: ${listed}`,
      );
    }
    if (call.body.length > 0 && !call.bodyRead)
      throw illegalArgument(`request [${method} ${request.path}] does not support having a body`);
    const reply = await run();
    const status = reply.status ?? 200;
    if ("text" in reply) return answer(status, "text/plain; charset=UTF-8", reply.text, method, reply.headers);
    const shown = options.filters.length > 0 ? filterPath(reply.body, options.filters) : reply.body;
    return answer(status, media.contentType, writeResponse(shown, options.pretty), method, reply.headers);
  }

  async function handle(given: RestRequest): Promise<RestResponse> {
    const request = withQuery(given);
    const uri = uriOf(request);
    const method = request.method.toUpperCase();
    let contentType = PLAIN_JSON;
    let pretty = false;
    let trace = false;
    const plain = (status: number, body: ResponseValue, headers?: Readonly<Record<string, string>>) =>
      answer(status, contentType, writeResponse(body, pretty), method, headers);
    try {
      const hasBody = request.body !== undefined && request.body.length > 0;
      const values = parseQuery(request.query);
      const media = checkMedia(
        headerOf(request, "content-type"),
        headerOf(request, "accept"),
        hasBody,
        values.get("format"),
      );
      contentType = media.contentType;
      const { match, allowed } = router.find(method, request.path);
      if (match === undefined) {
        if (method === "OPTIONS" && allowed.length > 0) {
          return answer(200, "text/plain; charset=UTF-8", "", method, { allow: allowed.join(",") });
        }
        if (allowed.length === 0) return plain(400, noHandler(uri, method));
        const error = `Incorrect HTTP method for uri [${uri}] and method [${method}], allowed: [${allowed.join(", ")}]`;
        return plain(405, { error, status: 405 }, { allow: allowed.join(",") });
      }
      if (request.view) checkView(request.view, method, match.path, values);
      for (const [name, value] of match.values) values.set(name, decodeComponent(value, false));
      const params = createParams(values);
      pretty = params.flag("pretty") ?? false;
      trace = params.flag("error_trace") ?? false;
      params.accept("human", "format", ...match.values.keys());
      const filters = params.list("filter_path") ?? [];
      return await perform(request, method, match, params, media, { pretty, filters });
    } catch (error) {
      if (error instanceof NotAcceptable) return plain(406, { error: error.message, status: 406 });
      if (error instanceof UnknownRoute) return plain(400, noHandler(uri, method));
      return plain(statusOf(error), errorBody(error, trace));
    }
  }

  return {
    handle,
    close() {
      for (const each of [own, ...contexts.values()]) each.close();
    },
  };
}

/** A path may bring its query along. */
function withQuery(request: RestRequest): RestRequest {
  const question = request.path.indexOf("?");
  if (question < 0 || request.query !== undefined) return request;
  return { ...request, path: request.path.slice(0, question), query: request.path.slice(question + 1) };
}

/** As errors name it: with its query where that came as text. */
function uriOf({ path, query }: RestRequest): string {
  return typeof query === "string" && query !== "" ? `${path}?${query}` : path;
}

function noHandler(path: string, method: string): ResponseValue {
  return { error: `no handler found for uri [${path}] and method [${method}]` };
}
