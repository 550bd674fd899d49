/**
 * The official client's transport, for clusters whose licence or version has no `rrf`, `linear` or `text_similarity_reranker`: a search with
 * such a retriever is sent as it is, and where the cluster refuses it, computed on this side with the same result (fused-search.ts).
 */
import { errors, Transport, type TransportRequestOptions, type TransportRequestParams } from "@elastic/elasticsearch";
import type { Reranker } from "../engine/action/search/index.ts";
import { readRetriever } from "../engine/action/search/retrievers/parse.ts";
import { compoundProblems } from "../engine/action/search/retrievers/shown.ts";
import { type CompoundRetriever, nameOf, type Retriever } from "../engine/action/search/retrievers/types.ts";
import { EngineError } from "../engine/errors.ts";
import { parseJson } from "../engine/json/parse.ts";
import type { JsonObject } from "../engine/json/types.ts";
import { errorBody } from "../engine/rest/errors.ts";
import { failureOf, type JsonBody, QueryFailed } from "./fused-json.ts";
import { fusedRequest } from "./fused-search.ts";

/** What a client needs to compute itself what its cluster's licence lacks. */
export interface FusingOptions {
  /** Models of this side that `text_similarity_reranker` names by its `inference_id`. */
  readonly rerankers?: Readonly<Record<string, Reranker>>;
}

const COMPOUND = ["rrf", "linear", "text_similarity_reranker"];
const SEARCH = /^(?:\/[^/]+)?\/_search$/;
const KEEP_ALIVE = "1m";
/** Parameters that say which indices are meant. */
const OF_INDICES = ["routing", "preference", "ignore_unavailable", "expand_wildcards", "allow_no_indices"];

/**
 * A `Transport` for the official client.
 *
 * @example new Client({ node, Transport: fusingTransport({ rerankers: { mine: await rerankModelFromName("cohere/rerank-v3.5") } }) })
 */
export function fusingTransport(
  { rerankers = {} }: FusingOptions = {},
  Base: typeof Transport = Transport,
): typeof Transport {
  // A class, because that is what the client asks for.
  class FusingTransport extends Base {
    /** Retrievers that the cluster has refused. */
    readonly #refused = new Set<string>();

    override async request(params: TransportRequestParams, options: TransportRequestOptions = {}): Promise<never> {
      const compound = compoundOf(params);
      if (!compound || options.asStream) return (await super.request(params, options)) as never;
      const { body, names } = compound;
      const here = names.some((name) => this.#refused.has(name)) || usesModel(body["retriever"], rerankers);
      if (!here) {
        try {
          return (await super.request(params, options)) as never;
        } catch (error) {
          const refused = refusedName(error);
          if (refused === undefined) throw error;
          if (COMPOUND.includes(refused)) this.#refused.add(refused);
        }
      }
      return (await this.#fused(params, body, options)) as never;
    }

    /** Sends a request; what the cluster says of it stays its error. */
    async #ask(params: TransportRequestParams, { signal, requestTimeout }: TransportRequestOptions): Promise<JsonBody> {
      const call = { ...(signal ? { signal } : {}), ...(requestTimeout === undefined ? {} : { requestTimeout }) };
      return (await super.request(params, call)) as JsonBody;
    }

    async #fused(params: TransportRequestParams, body: JsonBody, options: TransportRequestOptions): Promise<unknown> {
      const query = queryOf(params.querystring);
      const { retriever: _, pit: given, ...rest } = body;
      const retriever = await this.#checked(body, query);
      const pit = given === undefined ? await this.#open(params.path, query, options) : undefined;
      const shared = pit === undefined ? given : { id: pit, keep_alive: KEEP_ALIVE };
      const meta = params.meta === undefined ? {} : { meta: params.meta };
      try {
        const last = await fusedRequest({
          retriever,
          body: rest,
          rerankers,
          signal: options.signal,
          search: (own) => this.#search({ ...own, pit: shared }, options),
        });
        const querystring = Object.fromEntries(
          Object.entries(query).filter(([name]) => !OF_INDICES.includes(name) && !PAGING.includes(name)),
        );
        const answer: unknown = await super.request(
          { method: "POST", path: "/_search", querystring, body: { ...last, pit: shared }, ...meta },
          options,
        );
        if (pit !== undefined) forgetPit(answer, options);
        return answer;
      } catch (error) {
        throw error instanceof QueryFailed ? this.#refusal(error) : error;
      } finally {
        if (pit !== undefined) await this.#close(pit);
      }
    }

    async #search(body: JsonBody, options: TransportRequestOptions): Promise<JsonBody> {
      try {
        return await this.#ask({ method: "POST", path: "/_search", body }, options);
      } catch (error) {
        const cause = responseErrorOf(error);
        throw cause === undefined || cause.statusCode === 401 || cause.statusCode === 403
          ? error
          : failureOf(cause.body, cause.statusCode ?? 400);
      }
    }

    /** Reads the retriever as the engine does. @throws what a cluster would say is wrong */
    async #checked(body: JsonBody, query: Readonly<Record<string, unknown>>): Promise<CompoundRetriever> {
      try {
        const parsed = parseJson(JSON.stringify(body), { positions: true }) as JsonObject;
        const retriever = readRetriever(parsed, "retriever");
        const problems = problemsOf(body, retriever, query);
        if (problems.length > 0) throw new QueryFailed("action_request_validation_exception", validation(problems));
        if (body["explain"] === true || body["profile"] === true) {
          throw new QueryFailed(
            "unsupported_feature_exception",
            `[explain] and [profile] are not supported with [${nameOf(retriever)}] computed beside the cluster`,
          );
        }
        return retriever as CompoundRetriever;
      } catch (error) {
        if (error instanceof QueryFailed) throw this.#refusal(error);
        if (!(error instanceof EngineError)) throw error;
        throw this.#responseError(JSON.parse(JSON.stringify(errorBody(error))) as JsonBody, error.status);
      }
    }

    #refusal(error: QueryFailed): Error {
      return this.#responseError(error.body(), error.status);
    }

    #responseError(body: JsonBody, statusCode: number): Error {
      const meta = {
        context: null,
        name: "huiliu",
        request: { params: { method: "POST", path: "/_search" }, options: {}, id: 0 },
        connection: null,
        attempts: 0,
        aborted: false,
      };
      return new errors.ResponseError({ body, statusCode, headers: {}, warnings: null, meta } as never);
    }

    async #open(
      path: string,
      query: Readonly<Record<string, unknown>>,
      options: TransportRequestOptions,
    ): Promise<string> {
      const index = path === "/_search" ? "/_all" : path.slice(0, -"/_search".length);
      const own = Object.fromEntries(
        Object.entries(query).filter(([name]) => OF_INDICES.includes(name) && name !== "allow_no_indices"),
      );
      const querystring = { ...own, keep_alive: KEEP_ALIVE };
      const { id } = await this.#ask({ method: "POST", path: `${index}/_pit`, querystring }, options);
      return String(id);
    }

    /** Whatever becomes of the search, the cluster shall not keep its point in time; if it does, it lets it go after its time. */
    async #close(id: string): Promise<void> {
      await super.request({ method: "DELETE", path: "/_pit", body: { id } }, { maxRetries: 0 }).catch(() => undefined);
    }
  }
  return FusingTransport;
}

/** What the URL says of the page stands in the body of the last search. */
const PAGING = ["from", "size"];

function queryOf(given: TransportRequestParams["querystring"]): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  return typeof given === "string" ? Object.fromEntries(new URLSearchParams(given)) : given;
}

/** The body of a search with a compound retriever, and which retrievers it has. */
function compoundOf({
  path,
  body,
  querystring,
}: TransportRequestParams): { body: JsonBody; names: string[] } | undefined {
  if (!SEARCH.test(path) || body === undefined || body === null) return undefined;
  const parsed = objectOf(body);
  const { retriever } = parsed ?? {};
  if (parsed === undefined || typeof retriever !== "object" || retriever === null) return undefined;
  const names = Object.keys(retriever).filter((name) => COMPOUND.includes(name));
  if (names.length === 0) return undefined;
  const query = queryOf(querystring);
  const page = Object.fromEntries(
    PAGING.filter((name) => query[name] !== undefined).map((name) => [name, Number(query[name])]),
  );
  return { body: { ...parsed, ...page }, names: namesWithin(retriever) };
}

function objectOf(body: TransportRequestParams["body"]): JsonBody | undefined {
  try {
    const text = typeof body === "string" || Buffer.isBuffer(body) ? body.toString() : JSON.stringify(body);
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonBody) : undefined;
  } catch {
    return undefined;
  }
}

function namesWithin(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesWithin);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(COMPOUND.includes(key) ? [key] : []),
    ...namesWithin(inner),
  ]);
}

/** Whether a reranker of this side is meant: no cluster has it. */
function usesModel(value: unknown, rerankers: NonNullable<FusingOptions["rerankers"]>): boolean {
  if (Array.isArray(value)) return value.some((each) => usesModel(each, rerankers));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      (key === "inference_id" && typeof inner === "string" && Object.hasOwn(rerankers, inner)) ||
      usesModel(inner, rerankers),
  );
}

/** The client's error behind one that says more. */
function responseErrorOf(error: unknown): errors.ResponseError | undefined {
  if (error instanceof errors.ResponseError) return error;
  return error instanceof Error && error.cause instanceof errors.ResponseError ? error.cause : undefined;
}

/**
 * Which retriever a cluster does not have: its licence lacks it ("current license is non-compliant for [Reciprocal Rank Fusion (RRF)]"), or it
 * does not know it ("unknown retriever [rrf]", "unknown field [rrf]").
 */
function refusedName(error: unknown): string | undefined {
  const response = responseErrorOf(error);
  if (!response) return undefined;
  const told = JSON.stringify(response.body ?? "");
  if (response.statusCode === 403) {
    const feature = /license is non-compliant for \[([^\]]*)\]/.exec(told)?.[1];
    if (feature === undefined) return undefined;
    if (/rrf|reciprocal/i.test(feature)) return "rrf";
    if (/linear/i.test(feature)) return "linear";
    return /rerank/i.test(feature) ? "text_similarity_reranker" : undefined;
  }
  if (response.statusCode !== 400) return undefined;
  return /unknown (?:retriever|field) \[(rrf|linear|text_similarity_reranker)\]/.exec(told)?.[1];
}

const BESIDE = ["query", "knn", "search_after", "terminate_after", "sort", "rescore"];

function problemsOf(body: JsonBody, retriever: Retriever, query: Readonly<Record<string, unknown>>): string[] {
  const beside = BESIDE.filter((key) => body[key] !== undefined || query[key] !== undefined);
  const wrong = beside.length > 0 ? [`cannot specify [retriever] and [${beside.join(", ")}]`] : [];
  const { size } = body;
  return [
    ...wrong,
    ...compoundProblems(retriever, {
      size: size === undefined ? undefined : Number(size),
      scroll: query["scroll"] !== undefined,
      partialResults: String(query["allow_partial_search_results"]) === "true",
    }),
  ];
}

const validation = (problems: readonly string[]) =>
  `Validation Failed: ${problems.map((problem, i) => `${i + 1}: ${problem};`).join("")}`;

/** The caller asked for no point in time. */
function forgetPit(answer: unknown, { meta }: TransportRequestOptions): void {
  const body = meta === true ? (answer as { body?: unknown }).body : answer;
  if (typeof body === "object" && body !== null) delete (body as { pit_id?: unknown }).pit_id;
}
