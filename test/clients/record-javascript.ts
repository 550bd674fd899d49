/** Asks a node what the JavaScript client gets from it: `tsx test/clients/record-javascript.ts [--url http://127.0.0.1:9200]`. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client } from "@elastic/elasticsearch";
import { clientSteps } from "./javascript.ts";

const { values } = parseArgs({ options: { url: { type: "string", default: "http://127.0.0.1:9200" } } });
const steps = await clientSteps(new Client({ node: values.url, maxRetries: 0 }), "huiliu-clients");
writeFileSync(new URL("javascript.json", import.meta.url), `${JSON.stringify(steps, null, 2)}\n`);
