/** Clients that mean no good, or are broken: none of them keeps the server from answering others. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type Serving, serve } from "../../src/server/serve.ts";

let folder: string;
let engine: Engine;
let server: Serving;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "huiliu-hostile-"));
  engine = await openEngine({ data: join(folder, "data") });
  server = await serve({
    engine,
    port: 0,
    collection: "notes",
    limits: { concurrent: 4 },
    maxBodyBytes: 2_000_000,
    patience: { headers: 400, request: 1500 },
    openCollection: (name, client, { write = false, create = false }) =>
      openCollection(name, { elasticsearch: client, readOnly: !write, create }),
  });
  await ask("PUT", "/_huiliu/collections/notes", {});
});
afterAll(async () => {
  await server.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined
      ? {}
      : { body: typeof body === "string" || body instanceof Uint8Array ? (body as string) : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Sends bytes as they are, and gives what came until the connection ended. */
function raw(bytes: string | Buffer, { hangUp = false } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(server.port, "127.0.0.1");
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    socket.on("error", () => {});
    socket.on("close", () => resolve(text));
    socket.write(bytes, () => {
      if (hangUp) socket.destroy();
    });
  });
}

const statusesOf = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
const answersOthers = async () => expect((await ask("GET", "/_count")).status).toBe(200);

describe("hostile clients", () => {
  it("that send their headers or bodies a byte at a time are let go, and hold nobody up", async () => {
    const slow = [
      "GET / HTTP/1.1\r\nHost: localhost\r\nX-",
      "POST /_search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
      "POST /_huiliu/collections/notes/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
      "POST /_bulk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
    ];
    // More of them than requests may run at once.
    const waiting = Promise.all(slow.flatMap((each) => Array.from({ length: 20 }, () => raw(each))));
    await answersOthers();
    for (const text of await waiting)
      expect(statusesOf(text)).toEqual(expect.toSatisfy((all: number[]) => all.every((s) => s === 408 || s === 400)));
    await answersOthers();
  });

  it("with headers that are too large, or too many, or none that can be read", async () => {
    expect(
      statusesOf(await raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Large: ${"x".repeat(70_000)}\r\n\r\n`)),
    ).toEqual([431]);
    expect(statusesOf(await raw("GET / HTTP/1.1\r\nHost: localhost\r\nbad header\r\n\r\n"))).toEqual([400]);
    expect(statusesOf(await raw("\u0000\u0001\u0002\r\n\r\n"))).toEqual([400]);
    expect(statusesOf(await raw(`GET /${"x".repeat(5000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`))).toEqual([400]);
    await answersOthers();
  });

  it("that say two lengths of a body, as those do who smuggle a request past a proxy", async () => {
    const head = "POST /_search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for (const lengths of [
      "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
      "Content-Length: 2\r\nContent-Length: 3\r\n",
      "Content-Length: -1\r\n",
    ])
      expect(statusesOf(await raw(`${head}${lengths}\r\n{}`))).toEqual([400]);
  });

  it("that send several requests at once get their answers in order", async () => {
    const one = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
    const text = await raw(
      one("/_count") + one("/nothing/_count") + one("/_huiliu/health") + one("/_count", "Connection: close\r\n"),
    );
    expect(statusesOf(text)).toEqual([200, 404, 200, 200]);
  });

  it.each([
    ["half a document", "{"],
    ["no text", Buffer.from([0xff, 0xfe, 0x00])],
    ["broken UTF-8", Buffer.from('{"query":{"match":{"a":"\xc3"}}}', "latin1")],
    ["a lone surrogate", '{"query":{"match":{"a":"\\ud800"}}}'],
    ["a hundred thousand brackets", "[".repeat(100_000)],
    ["a hundred thousand objects in each other", '{"a":'.repeat(100_000)],
    ["a number beyond all", `{"size":${"9".repeat(10_000)}}`],
    ["a key that others inherit", '{"__proto__":{"query":{}},"constructor":1}'],
  ])("with a body of %s get an answer of theirs", async (_, body) => {
    for (const path of [
      "/_search",
      "/notes/_search",
      "/_msearch",
      "/_bulk",
      "/_huiliu/collections/notes/search",
      "/_mcp",
    ]) {
      const { status, text } = await ask("POST", path, body);
      // Elasticsearch itself answers 500 to JSON that its parser refuses.
      const own = /"type":"(?:json_parse|stream_constraints|not_x_content)_exception"/.test(text);
      expect(status, `${path} ${text}`).toSatisfy((each: number) => each === 200 || (each === 500 ? own : each < 500));
      if (path.includes("_huiliu") || path === "/_mcp") expect(status, text).toBeLessThan(500);
    }
    await answersOthers();
  });

  it("with bodies that unpack to more than may be, or do not unpack", async () => {
    const bomb = gzipSync(Buffer.alloc(3_000_000, 0x20));
    expect(bomb.length).toBeLessThan(10_000);
    const packed = { "content-encoding": "gzip" };
    for (const path of ["/_search", "/_bulk", "/_huiliu/collections/notes/search", "/_mcp"])
      expect((await ask("POST", path, bomb, packed)).status, path).toBe(413);
    expect((await ask("POST", "/_search", gzipSync(gzipSync("{}")), packed)).status).toBe(400);
    expect((await ask("POST", "/_search", bomb.subarray(0, 100), packed)).status).toBe(400);
    expect((await ask("POST", "/_search", "{}", { "content-encoding": "br" })).status).toBe(415);
    await answersOthers();
  });

  it("with ten thousand fields are told Elasticsearch's limit", async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`f${i}`, i]));
    const { status, text } = await ask("PUT", "/wide/_doc/1", many);
    expect(status).toBe(400);
    expect(text).toContain("Limit of total fields [1000] has been exceeded");
    expect((await ask("PUT", "/wide/_doc/1?refresh=true", { f: 1 })).status).toBe(201);
  });

  it("that go away in the middle of a request or an answer leave nothing running", async () => {
    const body = JSON.stringify({ question: "annual leave" });
    const head = (path: string, length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const asked = head("/_huiliu/collections/notes/ask", body.length) + body;
    const half = `${head("/_bulk", 1_000_000)}{"index":{"_index":"half"}}\n{"a":1}\n`;
    await Promise.all(Array.from({ length: 40 }, (_, i) => raw(i % 2 === 0 ? asked : half, { hangUp: true })));
    await expect
      .poll(async () => (await ask("POST", "/_huiliu/collections/notes/search", { query: "leave" })).status)
      .toBe(200);
    // Nothing of half a request was written.
    expect((await ask("GET", "/half")).status).toBe(404);
  });

  it("cannot leave the data folder by the name of a collection or a file", async () => {
    const before = readdirSync(folder);
    const ways = ["..", "../x", "../../etc/passwd", "/etc/passwd", "..\\x", "a/../../x", "%2e%2e/x", "C:\\x"];
    for (const way of ways) {
      const name = encodeURIComponent(way);
      for (const [method, path, body] of [
        ["PUT", `/_huiliu/collections/${name}`, {}],
        ["GET", `/_huiliu/collections/${name}`, undefined],
        ["PUT", `/${name}`, {}],
        ["PUT", `/${name}/_doc/1`, { a: 1 }],
        ["GET", `/_huiliu/collections/notes/documents/${name}`, undefined],
        ["DELETE", `/_huiliu/collections/notes/documents/${name}`, undefined],
        ["POST", `/_mcp/${name}`, { jsonrpc: "2.0", id: 1, method: "tools/list" }],
      ] as const)
        expect((await ask(method, path, body)).status, `${method} ${path}`).toSatisfy(
          (status: number) => status >= 400 && status < 500,
        );
      // Files are names in an index and never opened: it may be any, or be refused.
      expect((await ask("PUT", `/_huiliu/collections/notes/files/${name}`, "text")).status).toBeLessThan(500);
    }
    for (const path of ["/../keys.json", "/_huiliu/../../keys.json", "/data/keys.json", "/..%2fkeys.json"])
      expect(
        statusesOf(await raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`))[0],
      ).toBeGreaterThanOrEqual(400);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("in a browser, by another name or from another page, are refused everywhere", async () => {
    const targets = [
      "GET /_search",
      "POST /_bulk",
      "GET /_huiliu/health",
      "POST /_huiliu/collections/notes/ask",
      "POST /_mcp",
      "OPTIONS /_search",
      "GET /",
    ];
    const origins = [
      "Host: evil.example",
      "Host: localhost.evil.example",
      "Host: localhost\r\nOrigin: https://evil.example",
      "Host: localhost\r\nOrigin: null",
      "Host: localhost\r\nSec-Fetch-Site: cross-site",
    ];
    for (const target of targets)
      for (const headers of origins) {
        const text = await raw(`${target} HTTP/1.1\r\n${headers}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
        expect(statusesOf(text), `${target} ${headers}`).toEqual([403]);
        expect(text.toLowerCase()).not.toContain("access-control-allow-origin");
      }
    // Two hosts, or none, are no request of HTTP 1.1.
    expect(statusesOf(await raw("GET / HTTP/1.1\r\nConnection: close\r\n\r\n"))).toEqual([400]);
  });
});
