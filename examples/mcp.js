// The handbook over the Model Context Protocol: what an agent sees that is connected to `huiliu mcp`.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { openCollection } from "huiliu";
import { openEngine } from "huiliu/engine";
import { mcpServer } from "huiliu/mcp";
import { handbookDocuments } from "./handbook-documents.js";

const engine = await openEngine();
const handbook = await openCollection("handbook", { elasticsearch: engine.client() });
await handbook.addDocuments(await handbookDocuments("zh"));

const [here, there] = InMemoryTransport.createLinkedPair();
await mcpServer(handbook).connect(here);
const agent = new Client({ name: "example", version: "1.0.0" });
await agent.connect(there);

const { tools } = await agent.listTools();
console.log(tools.map(({ name }) => name).join(", "));
const { structuredContent } = await agent.callTool({ name: "search", arguments: { query: "婚假有几天", topK: 1 } });
console.log(structuredContent.hits[0].file);
const { resources } = await agent.listResources();
console.log(`${resources.length} documents`);
await agent.close();
await engine.close();
