/**
 * The product's own routes, below `/_huiliu/`: each says what it takes and gives, and is checked, run and described (OpenAPI) from that.
 * Answers are JSON; errors are `{ "error": { "code", "message" } }`.
 */
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import { z } from "zod";
import { HuiliuError } from "../../schema/index.ts";
import { currentCaller, ForbiddenError, mayDo, type Needs, OPEN, OVERSEES } from "../access/caller.ts";
import { RefusedBody, readBody } from "../body.ts";
import { type Limits, requestLimits } from "../limits.ts";

export const PREFIX = "/_huiliu";

/** Bytes of a question. */
const MAX_QUESTION = 1024 * 1024;

export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  /** Aborted when the client goes away before the answer is sent. */
  signal: AbortSignal;
}

/** Bytes as they are: a file. */
export interface BytesBody {
  readonly bytes: true;
  readonly description: string;
}

/** An answer that is still being written when it is sent. */
export interface Streaming {
  readonly response: Response;
  /** Resolves when it has been written, or broke off. */
  readonly ended: Promise<void>;
}

export interface Route {
  readonly method: "get" | "post" | "put" | "delete";
  /** Below the prefix, in OpenAPI's form: `/collections/{name}`. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  /** What it asks of its caller. Left out: only who may do everything may use it. */
  readonly needs?: Needs;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | BytesBody;
  /** Bytes of a body at most. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  readonly status?: number;
  /** What comes back: JSON of this shape, or another kind of content. */
  readonly answer: z.ZodType | { readonly contentType: string; readonly description: string };
  run(input: RouteInput<never, never, never>): unknown;
}

type Read<T> = T extends z.ZodType ? z.output<T> : T extends BytesBody ? Uint8Array : undefined;

/** A route whose function knows the types of what it gets. */
export function defineRoute<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | BytesBody | undefined = undefined,
>(
  route: Omit<Route, "run" | "params" | "query" | "body"> & {
    params?: Params;
    query?: Query;
    body?: Body;
    run(input: RouteInput<Read<Params>, Read<Query>, Read<Body>>): unknown;
  },
): Route {
  return route as unknown as Route;
}

/** Shape of an error. */
export const errorShape = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

class BadRequest extends HuiliuError {
  constructor(message: string) {
    super("INVALID_ARGUMENT", message);
  }
}

/** Codes whose errors are the caller's to mend. */
const STATUSES: Record<string, number> = {
  INVALID_ARGUMENT: 400,
  INVALID_FILTER: 400,
  MODEL_NOT_CONFIGURED: 400,
  FORBIDDEN: 403,
  COLLECTION_NOT_FOUND: 404,
  NOT_FOUND: 404,
  PASSAGE_NOT_FOUND: 404,
  EMBEDDING_DIFFERS: 409,
  TOO_MANY_JOBS: 429,
  WORKER_ENDED: 503,
  TOO_BUSY: 429,
  TOOK_TOO_LONG: 504,
};

export function failureOf(error: unknown): { status: number; code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RefusedBody) return { status: error.status, code: error.type.toUpperCase(), message };
  if (error instanceof HuiliuError) return { status: STATUSES[error.code] ?? 500, code: error.code, message };
  // The engine, or a cluster, refused the request that a strategy made of the question.
  const { meta } = (error ?? {}) as {
    meta?: { statusCode?: number; body?: { error?: { type?: string; reason?: string } } };
  };
  const refusal = meta?.body?.error;
  if (typeof meta?.statusCode === "number" && typeof refusal?.type === "string") {
    return { status: meta.statusCode, code: refusal.type.toUpperCase(), message: refusal.reason ?? message };
  }
  return { status: 500, code: "INTERNAL", message };
}

function failure(error: unknown): Response {
  const { status, code, message } = failureOf(error);
  // What is left of a body that nobody reads cannot be told from the next request.
  const unread = error instanceof RefusedBody || status === 429 || status === 403;
  const headers: Record<string, string> = unread ? { connection: "close" } : {};
  if (status === 429) headers["retry-after"] = "1";
  return Response.json({ error: { code, message } }, { status, headers });
}

/** Adds the routes to a server. */
export function addRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  routes: readonly Route[],
  limits: Limits = requestLimits(),
): void {
  for (const route of routes) {
    app.on(route.method.toUpperCase(), PREFIX + route.path.replace(/\{(\w+)\}/g, ":$1"), (context) =>
      answer(context, route, limits),
    );
  }
  // Nothing below the prefix is Elasticsearch's.
  app.all(`${PREFIX}/*`, (context) =>
    Response.json(
      {
        error: {
          code: "NOT_FOUND",
          message: `there is no ${context.req.method} ${context.req.path}: see ${PREFIX}/openapi.json`,
        },
      },
      { status: 404 },
    ),
  );
}

async function answer(context: Context<{ Bindings: HttpBindings }>, route: Route, limits: Limits): Promise<Response> {
  const { incoming, outgoing } = context.env;
  const gone = new AbortController();
  outgoing.once("close", () => {
    if (!outgoing.writableFinished) gone.abort();
  });
  try {
    const caller = currentCaller();
    if (!mayDo(caller, route.needs)) throw new ForbiddenError(`${route.id}`, caller);
    const params = checked(route.params, context.req.param(), "the path");
    const query = checked(route.query ?? z.strictObject({}), context.req.query(), "the query");
    const body = await bodyOf(route, incoming, outgoing, limits);
    const run = route.run as (input: RouteInput<unknown, unknown, unknown>) => unknown;
    const work = async (signal: AbortSignal) => run({ params, query, body, signal }) as unknown;
    // Whoever looks after a busy server is not sent to the end of the queue.
    const result = await (route.needs === OPEN || route.needs === OVERSEES
      ? work(gone.signal)
      : limited(limits, gone.signal, work));
    return result instanceof Response ? result : Response.json(result, { status: route.status ?? 200 });
  } catch (error) {
    return failure(error);
  }
}

/** Gives an answer as soon as there is one; what is still being written keeps its place among those that run, and its time. */
function limited(
  limits: Limits,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const whole = limits.run(signal, async (both) => {
      const result = await work(both);
      if (!isStreaming(result)) return result;
      resolve(result.response);
      return result.ended;
    });
    whole.then(resolve, reject);
  });
}

const isStreaming = (result: unknown): result is Streaming =>
  typeof result === "object" && result !== null && "ended" in result && "response" in result;

async function bodyOf(
  { body, maxBodyBytes = MAX_QUESTION }: Route,
  incoming: HttpBindings["incoming"],
  outgoing: HttpBindings["outgoing"],
  limits: Limits,
): Promise<unknown> {
  if (body === undefined) return undefined;
  const bytes = (await readBody(incoming, outgoing, maxBodyBytes, limits)) ?? new Uint8Array();
  if (!(body instanceof z.ZodType)) return bytes;
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new BadRequest(`the body is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return checked(body, json, "the body");
}

function checked(shape: z.ZodType | undefined, value: unknown, where: string): unknown {
  if (!shape) return undefined;
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const at = issue.path.length > 0 ? `, at ${issue.path.map(String).join(".")}` : "";
  throw new BadRequest(`${where}${at}: ${issue.message}`);
}
