import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { gzipSync } from "node:zlib";
import { Client } from "@elastic/elasticsearch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import type { RestRequest } from "../../src/engine/rest/types.ts";
import { type RunningServer, startServer } from "../../src/server/index.ts";

let engine: Engine;
let server: RunningServer;
beforeEach(async () => {
  engine = await openEngine();
  server = await startServer({ engine, port: 0, maxBodyBytes: 100_000 });
});
afterEach(async () => {
  await server.close();
  await engine.close();
});

interface Answer {
  status: number;
  text: string;
  headers: http.IncomingHttpHeaders;
}

/** Sends a request as it stands: nothing is normalised on the way. */
function send(
  method: string,
  target: string,
  options: { headers?: http.OutgoingHttpHeaders; body?: string | Buffer; agent?: http.Agent; port?: number } = {},
): Promise<Answer> {
  const { headers = {}, body, agent, port = server.port } = options;
  return new Promise((resolve, reject) => {
    const type = body === undefined || headers["content-type"] ? {} : { "content-type": "application/json" };
    const request = http.request(
      { host: "127.0.0.1", port, method, path: target, headers: { ...type, ...headers }, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode!, text: Buffer.concat(chunks).toString(), headers: response.headers }),
        );
        response.on("error", reject);
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}
const json = ({ text }: Answer) => JSON.parse(text);

/** Sends bytes and gives back what comes until the connection ends. */
async function raw(bytes: string): Promise<string> {
  const socket = net.connect(server.port, "127.0.0.1");
  socket.write(bytes);
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  socket.on("error", () => {});
  await once(socket, "close");
  return text;
}

describe("the server", () => {
  it("serves the official client over the network", async () => {
    const es = new Client({ node: server.url });
    await es.index({ index: "books", id: "1", document: { a: "书" } });
    expect(await es.get({ index: "books", id: "1" })).toMatchObject({ _source: { a: "书" } });
    await es.close();
  });

  it("keeps paths as they are sent", async () => {
    const id = "%E4%B8%AD%2F%00%F0%9F%98%80%2e%2e";
    expect((await send("PUT", `/books/_doc/${id}`, { body: "{}" })).status).toBe(201);
    expect(json(await send("GET", `/books/_doc/${id}`))).toMatchObject({ found: true, _id: "中/\u0000😀.." });
    expect(json(await send("PUT", "/books/../../etc", { body: "{}" })).error).toMatch(/no handler found/);
    expect(json(await send("PUT", "/..", { body: "{}" })).error.type).toBe("invalid_index_name_exception");
    expect(json(await send("GET", "/books/_doc/a%zz")).error.reason).toContain("invalid escape sequence");
  });

  it("reads compressed bodies, and says what is wrong with them", async () => {
    const headers = { "content-encoding": "gzip" };
    expect((await send("PUT", "/books/_doc/1", { headers, body: gzipSync('{"a":1}') })).status).toBe(201);
    expect(json(await send("PUT", "/books/_doc/1", { headers, body: "{}" })).error.reason).toContain(
      "cannot be read as gzip",
    );
    expect((await send("PUT", "/books/_doc/1", { headers: { "content-encoding": "br" }, body: "{}" })).status).toBe(
      415,
    );
  });

  it("refuses bodies that are too large, packed or not, before it has them all", async () => {
    expect((await send("PUT", "/books/_doc/1", { body: `{"a":"${"x".repeat(100_000)}"}` })).status).toBe(413);
    const bomb = gzipSync(`{"a":"${"x".repeat(5_000_000)}"}`);
    expect(bomb.length).toBeLessThan(100_000);
    expect((await send("PUT", "/books/_doc/1", { headers: { "content-encoding": "gzip" }, body: bomb })).status).toBe(
      413,
    );
    const chunk = `400\r\n${"x".repeat(1024)}\r\n`;
    const answer = await raw(
      `PUT /b/_doc/1 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(120)}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect((await send("GET", "/")).status).toBe(200);
  });

  it("refuses a first line that is too long", async () => {
    expect(json(await send("GET", `/books/_doc/${"x".repeat(5000)}`)).error.type).toBe("too_long_http_line_exception");
  });

  it("answers bad requests like Elasticsearch", async () => {
    expect((await send("PUT", "/a/_doc/1", { body: "{}", headers: { "content-type": "text/plain" } })).status).toBe(
      406,
    );
    expect(json(await send("POST", "/_bulk", { body: '{"index":{"_index":"a"}}\n{}' })).error.type).toBe(
      "illegal_argument_exception",
    );
    const invalid = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    expect((await send("PUT", "/a/_doc/1", { body: invalid })).status).toBe(400);
    expect(
      (await send("PUT", "/a/_doc/1", { body: `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}` })).status,
    ).toBeGreaterThanOrEqual(400);
    expect(await raw("NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect((await send("HEAD", "/a")).text).toBe("");
  });

  it("keeps connections open and serves 200 clients at once", async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, at) => send("PUT", `/many/_doc/${at}`, { body: `{"n":${at}}`, agent })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(answers[0].headers.connection).toBe("keep-alive");
    agent.destroy();
  });
});

describe("who may ask", () => {
  it.each([
    ["localhost:9200", 200],
    ["127.0.0.1", 200],
    ["[::1]:9200", 200],
    ["evil.example", 403],
    ["127.0.0.1.evil.example:9200", 403],
  ])("host %s: %d", async (host, status) =>
    expect((await send("GET", "/", { headers: { host } })).status).toBe(status),
  );

  it.each([
    [{ origin: "http://evil.example" }, 403],
    [{ origin: "null" }, 403],
    [{ host: "localhost:1234", origin: "http://localhost:1234" }, 200],
    [{ host: "localhost:1234", origin: "http://localhost:5678" }, 403],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }, 403],
    [{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }, 200],
    [{ "sec-fetch-site": "same-origin" }, 200],
  ])("headers %j: %d", async (headers, status) => {
    const answer = await send("GET", "/", { headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(json(answer)).toMatchObject({ status: 403, error: { type: "security_exception" } });
  });
});

describe("starting and stopping", () => {
  /** An engine that takes its time. */
  function slow(): {
    engine: { request(request: RestRequest): ReturnType<Engine["request"]> };
    started: Promise<void>;
    finish(): void;
    aborted: Promise<void>;
  } {
    let finish = () => {};
    let begin = () => {};
    let abort = () => {};
    const started = new Promise<void>((resolve) => (begin = resolve));
    const aborted = new Promise<void>((resolve) => (abort = resolve));
    const gate = new Promise<void>((resolve) => (finish = resolve));
    const request = async ({ signal }: RestRequest) => {
      begin();
      signal?.addEventListener("abort", () => abort());
      await gate;
      return { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
    };
    return { engine: { request }, started, finish: () => finish(), aborted };
  }

  it("says that a port is taken", async () => {
    await expect(startServer({ engine, port: server.port })).rejects.toThrow(`127.0.0.1:${server.port} is taken`);
  });

  it("lets running requests end, and takes no new ones", async () => {
    const { engine: late, started, finish } = slow();
    const other = await startServer({ engine: late, port: 0 });
    const running = send("GET", "/", { port: other.port });
    await started;
    const closed = other.close();
    await expect(send("GET", "/", { port: other.port, agent: new http.Agent() })).rejects.toThrow();
    finish();
    expect((await running).status).toBe(200);
    await closed;
  });

  it("does not wait for connections that were opened in advance", async () => {
    const socket = net.connect(server.port, "127.0.0.1");
    await once(socket, "connect");
    const ended = once(socket, "close");
    const first = await Promise.race([
      server.close().then(() => "closed"),
      new Promise((r) => setTimeout(r, 5000, "waits")),
    ]);
    expect(first).toBe("closed");
    await ended;
  });

  it("stops by its signal, idle connections or not", async () => {
    const stop = new AbortController();
    const other = await startServer({ engine, port: 0, signal: stop.signal });
    const agent = new http.Agent({ keepAlive: true });
    await send("GET", "/", { port: other.port, agent });
    stop.abort();
    await other.closed;
    agent.destroy();
  });

  it("tells the engine when the client has gone", async () => {
    const { engine: late, started, finish, aborted } = slow();
    const other = await startServer({ engine: late, port: 0 });
    const request = http.get({ host: "127.0.0.1", port: other.port, path: "/" });
    request.on("error", () => {});
    await started;
    request.destroy();
    await aborted;
    finish();
    await other.close();
  });

  it("has room for further routes, with the same checks", async () => {
    const other = await startServer({
      engine,
      port: 0,
      routes: (app) => app.get("/_ui/", (context) => context.text("hello")),
    });
    expect((await send("GET", "/_ui/", { port: other.port })).text).toBe("hello");
    expect((await send("GET", "/_ui/", { port: other.port, headers: { host: "evil.example" } })).status).toBe(403);
    await other.close();
  });
});
