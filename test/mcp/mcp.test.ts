import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { mcpServer, serveMcp } from "../../src/mcp/index.ts";
import type { McpOptions } from "../../src/mcp/server.ts";
import { document } from "../../src/schema/index.ts";
import { startServer } from "../../src/server/index.ts";
import { mcpRoutes } from "../../src/server/mcp.ts";
import { buildPackage, command } from "../built.ts";
import { NOTES, type Opened, openNotes } from "../collection/fixtures.ts";

let notes: Opened;
beforeAll(async () => {
  notes = await openNotes();
});
afterAll(() => notes.close());

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

function newClient(): Client {
  const client = new Client({ name: "test", version: "1" });
  clients.push(client);
  return client;
}

async function connected(options: McpOptions = {}, { collection } = notes): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await mcpServer(collection, options).connect(ours);
  const client = newClient();
  await client.connect(theirs);
  return client;
}

const textOf = (result: object) => (result as { content: { text: string }[] }).content[0]!.text;

describe("a collection over MCP", () => {
  it("offers tools that say what they take, and only read", async () => {
    const { tools } = await (await connected()).listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search", "ask", "get", "list", "count", "analyze"]);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: "object" });
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(description!.length).toBeGreaterThan(20);
    }
  });

  it("searches, answers, reads, lists and analyzes", async () => {
    const client = await connected();
    const found = await client.callTool({ name: "search", arguments: { query: "婚假几天" } });
    expect(found.structuredContent).toMatchObject({ hits: [{ file: "婚假.md" }, {}, {}] });
    expect(textOf(found)).toContain("婚假为三天");
    const answer = await client.callTool({ name: "ask", arguments: { question: "Who approves annual leave?" } });
    expect(answer.structuredContent).toMatchObject({ kind: "extract" });
    expect(textOf(await client.callTool({ name: "get", arguments: { document: "leave.md" } }))).toContain("ten days");
    expect(textOf(await client.callTool({ name: "list", arguments: {} }))).toContain("secret/pay.md");
    expect(textOf(await client.callTool({ name: "analyze", arguments: { text: "Annual leave" } }))).toBe(
      "annual | leave",
    );
  });

  it("says what is wrong with a call, and keeps serving", async () => {
    const told: unknown[] = [];
    const client = await connected({ onError: (error) => told.push(error) });
    const missing = await client.callTool({ name: "get", arguments: { document: "none.md" } });
    expect(missing).toMatchObject({ isError: true });
    expect(textOf(missing)).toMatch(/there is no document "none\.md"/);
    expect(told).toHaveLength(1);
    const wrong = await client.callTool({ name: "search", arguments: { query: "x", size: 3 } });
    expect(wrong).toMatchObject({ isError: true });
    expect(textOf(wrong)).toMatch(/size/);
    expect(await client.callTool({ name: "search", arguments: { query: "leave" } })).not.toMatchObject({
      isError: true,
    });
  });

  it("gives documents as resources, in pages", async () => {
    const many = await openNotes(
      Array.from({ length: 450 }, (_, i) => document({ id: `d${String(i).padStart(3, "0")}`, text: `text ${i}` })),
      "many",
    );
    const client = await connected({}, many);
    const names: string[] = [];
    const uris: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      names.push(...page.resources.map(({ name }) => name));
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
      pages++;
    } while (cursor !== undefined);
    expect([names.length, new Set(names).size, pages]).toEqual([450, 450, 3]);
    const { contents } = await client.readResource({ uri: uris[7]! });
    expect(contents).toEqual([{ uri: uris[7], mimeType: "text/plain", text: "text 7" }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates[0]!.uriTemplate).toBe("huiliu://many/documents/{document}");
    await many.close();
  });

  it("reads a resource by its file's name and refuses others", async () => {
    const client = await connected();
    const uri = `huiliu://notes/documents/${encodeURIComponent("secret/pay.md")}`;
    expect((await client.readResource({ uri })).contents[0]).toMatchObject({
      text: "The pay of the board is a secret.",
    });
    for (const bad of [
      "huiliu://notes/documents/none.md",
      "huiliu://other/documents/leave.md",
      "file:///etc/passwd",
      "huiliu://notes/documents/%E0%A4%A",
    ])
      await expect(client.readResource({ uri: bad }), bad).rejects.toThrow();
  });

  it("shows no resource that a filter hides", async () => {
    const client = await connected({ filters: { tenant: "a" } });
    const read = (file: string) => client.readResource({ uri: `huiliu://notes/documents/${encodeURIComponent(file)}` });
    expect((await read("leave.md")).contents).toHaveLength(1);
    await expect(read("secret/pay.md")).rejects.toThrow(/there is no document/);
    expect((await client.listResources()).resources).toEqual([]);
    expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain("list");
  });

  it("stops a search that the client cancels", async () => {
    let aborted = false;
    const slow = {
      ...notes.collection,
      search: (_: string, { signal }: { signal?: AbortSignal } = {}) =>
        new Promise<never>((_, reject) => {
          signal!.addEventListener("abort", () => {
            aborted = true;
            reject(signal!.reason as Error);
          });
        }),
    };
    const client = await connected({}, { ...notes, collection: slow });
    const cancel = new AbortController();
    const call = client.callTool({ name: "search", arguments: { query: "leave" } }, undefined, {
      signal: cancel.signal,
    });
    setTimeout(() => cancel.abort(), 20);
    await expect(call).rejects.toThrow();
    await expect.poll(() => aborted).toBe(true);
  });

  it("ends with its signal", async () => {
    const [ours] = InMemoryTransport.createLinkedPair();
    const stop = new AbortController();
    const served = serveMcp(notes.collection, ours, { signal: stop.signal });
    stop.abort();
    await served;
  });
});

describe("MCP over HTTP", () => {
  it("serves any collection beside Elasticsearch's API, with its checks", async () => {
    const client = notes.engine.client();
    const server = await startServer({
      engine: notes.engine,
      port: 0,
      routes: (app) =>
        mcpRoutes(app, {
          collection: "notes",
          open: (name) => openCollection(name, { elasticsearch: client, readOnly: true, create: false }),
        }),
    });
    try {
      const agent = newClient();
      await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/_mcp`)));
      const found = await agent.callTool({ name: "search", arguments: { query: "annual leave" } });
      expect(found.structuredContent).toMatchObject({ hits: [{ file: "leave.md" }, {}, {}] });
      const post = (path: string, headers: Record<string, string> = {}, body = "{}") =>
        fetch(`${server.url}${path}`, {
          method: "POST",
          body,
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
        });
      expect((await post("/_mcp/other")).status).toBe(404);
      expect((await post("/_mcp/A B")).status).toBe(400);
      expect((await post("/_mcp", {}, "{")).status).toBe(400);
      expect((await post("/_mcp", { origin: "https://evil.example" })).status).toBe(403);
      expect((await post("/_mcp", {}, `"${"x".repeat(2_000_000)}"`)).status).toBe(413);
      expect((await fetch(`${server.url}/_mcp`)).status).toBe(405);
      expect((await fetch(`${server.url}/notes/_count`)).status).toBe(200);
    } finally {
      await server.close();
    }
  });
});

describe("huiliu mcp", () => {
  beforeAll(buildPackage, 180_000);

  it("speaks the protocol on standard input and output and ends when they are closed", async () => {
    const data = mkdtempSync(join(tmpdir(), "huiliu-mcp-"));
    const own = await openCollection("documents", { data });
    await own.addDocuments(NOTES);
    await own.close();
    const transport = new StdioClientTransport({ command: process.execPath, args: [command, "mcp", "--data", data] });
    const client = newClient();
    await client.connect(transport);
    const answer = await client.callTool({ name: "ask", arguments: { question: "How long is annual leave?" } });
    expect(textOf(answer)).toContain("ten days");
    const { pid } = transport;
    await client.close();
    expect(() => process.kill(pid!, 0)).toThrow();
    rmSync(data, { recursive: true });
  }, 60_000);
});
