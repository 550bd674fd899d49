/** A local server that speaks OpenAI's chat API, streamed and not, as a script tells it to; it can fail in the ways that servers do. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatRequest {
  model: string;
  stream?: boolean;
  messages: { role: "system" | "user" | "assistant"; content: string }[];
}

/** What is answered: pieces (one, where it is not streamed), or a failure. */
export type Reply =
  | { pieces: readonly string[] }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** Sends the pieces, then closes the connection, goes silent, or sends what is no event. */
  | { pieces: readonly string[]; fails: "cut" | "end" | "stall" | "garbage" | "error" };

export interface OpenAiServer {
  readonly baseUrl: string;
  readonly requests: ChatRequest[];
  /** Resolves once the client has closed a connection that was still open. */
  readonly hungUp: Promise<void>;
  close(): Promise<void>;
}

export async function openAiServer(
  reply: (request: ChatRequest, n: number) => Reply | Promise<Reply>,
): Promise<OpenAiServer> {
  const requests: ChatRequest[] = [];
  let hungUp!: () => void;
  const closed = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as ChatRequest;
      response.on("close", () => {
        if (!response.writableFinished) hungUp();
      });
      answer(response, body, await reply(body, requests.push(body)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    hungUp: closed,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, request: ChatRequest, reply: Reply): void {
  if ("status" in reply) {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
    response.end(JSON.stringify(reply.body ?? { error: { message: `status ${reply.status}` } }));
    return;
  }
  const frame = { id: "1", created: 0, model: request.model };
  const fails = "fails" in reply ? reply.fails : undefined;
  if (!request.stream) {
    if (fails === "stall") return;
    if (fails === "cut") return void response.socket!.destroy();
    response.writeHead(200, { "content-type": "application/json" });
    const message = { role: "assistant", content: reply.pieces.join("") };
    const whole = { ...frame, object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] };
    response.end(fails === "garbage" ? "<html>" : JSON.stringify(whole));
    return;
  }
  const event = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ ...frame, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  for (const content of reply.pieces) response.write(event({ content }));
  if (fails === undefined) response.end(`${event({}, "stop")}data: [DONE]\n\n`);
  else if (fails === "end") response.end();
  else if (fails === "garbage")
    response.end("data: {not json\n\n: comment\n\nevent: what\ndata: [1,2]\n\ndata: [DONE]\n\n");
  else if (fails === "error")
    response.end(`data: ${JSON.stringify({ error: { message: "out of memory", code: 500 } })}\n\n`);
  else if (fails === "cut") setTimeout(() => response.socket!.destroy(), 5);
}
