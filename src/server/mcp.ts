/** The Model Context Protocol beside Elasticsearch's API: `/_mcp` for one collection, `/_mcp/NAME` for any. */
import type { HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import { CollectionNotFoundError } from "../collection/layout.ts";
import type { Collection } from "../collection/types.ts";
import type { McpOptions } from "../mcp/server.ts";
import { InvalidArgumentError } from "../schema/index.ts";
import { currentCaller, ForbiddenError, mayDo, READS_FILTERED } from "./access/caller.ts";
import { RefusedBody, readBody } from "./body.ts";
import { type Limits, requestLimits, TooBusyError, TookTooLongError } from "./limits.ts";

/** Bytes of a request: questions are short. */
const MAX_BODY = 1024 * 1024;

export interface McpRouteOptions extends McpOptions {
  /** Opens a collection; it is closed after each request. */
  open(name: string): Promise<Collection>;
  /** The collection behind `/_mcp`. */
  collection: string;
  limits?: Limits;
}

/** Adds the routes. The protocol is loaded with its first request. */
export function mcpRoutes(
  app: Hono<{ Bindings: HttpBindings }>,
  { open, collection, limits = requestLimits(), ...options }: McpRouteOptions,
): void {
  app.all("/_mcp/:name?", async (context) => {
    const { incoming, outgoing } = context.env;
    if (context.req.method !== "POST")
      return refusal(405, "this server keeps no sessions: send requests by POST", { allow: "POST" });
    const gone = new AbortController();
    const onClose = () => gone.abort();
    outgoing.once("close", onClose);
    try {
      const caller = currentCaller();
      if (!mayDo(caller, READS_FILTERED)) throw new ForbiddenError("asking over MCP", caller);
      const body = await readBody(incoming, outgoing, MAX_BODY, limits);
      return await limits.run(gone.signal, async (signal) => {
        const opened = await open(context.req.param("name") ?? collection);
        try {
          const request = new Request(context.req.url, {
            method: "POST",
            headers: headersOf(incoming.headers),
            body: body === undefined ? null : new Uint8Array(body),
            signal,
          });
          const { mcpResponse } = await import("../mcp/http.ts");
          // What a filter of passages hides of a document's record, or of its text as a whole, is not known: those tools are left out.
          const only = caller.view?.filter === undefined ? {} : { only: ["search", "ask"] };
          return await mcpResponse(request, opened, { ...options, ...only });
        } finally {
          await opened.close();
        }
      });
    } catch (error) {
      if (error instanceof RefusedBody) return refusal(error.status, error.message, { connection: "close" });
      if (error instanceof TooBusyError)
        return refusal(429, error.message, { "retry-after": "1", connection: "close" });
      if (error instanceof TookTooLongError) return refusal(504, error.message);
      if (error instanceof ForbiddenError) return refusal(403, error.message);
      if (error instanceof CollectionNotFoundError) return refusal(404, error.message);
      if (error instanceof InvalidArgumentError) return refusal(400, error.message);
      return refusal(500, error instanceof Error ? error.message : String(error));
    } finally {
      outgoing.off("close", onClose);
    }
  });
}

/** The headers without those that speak of the body as it was sent: it has been unpacked. */
function headersOf(headers: Record<string, string | string[] | undefined>): Headers {
  const out = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name === "content-encoding" || name === "content-length" || value === undefined) continue;
    out.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return out;
}

function refusal(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code: -32600, message } };
  return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
}
