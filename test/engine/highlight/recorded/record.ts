/** Asks a node for the highlights anew: `tsx test/engine/highlight/recorded/record.ts [--url http://127.0.0.1:9200]`. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { essence, load, type Send } from "./answers.ts";
import { DOCUMENTS, MAPPINGS, requests } from "./requests.ts";

const { values } = parseArgs({ options: { url: { type: "string", default: "http://127.0.0.1:9200" } } });
const send: Send = async (method, path, body) => {
  const type = path.includes("_bulk") ? "application/x-ndjson" : "application/json";
  const answer = await fetch(values.url + path, { method, body, headers: body ? { "content-type": type } : {} });
  return { status: answer.status, body: await answer.text() };
};
const index = `recorded-highlight-${process.pid}`;
try {
  await load(send, index, MAPPINGS, DOCUMENTS);
  const answers: string[] = [];
  for (const body of requests()) {
    const answer = await send("POST", `/${index}/_search`, JSON.stringify(body));
    answers.push(JSON.stringify(essence(answer.body, index)));
  }
  writeFileSync(new URL("answers.json", import.meta.url), `[\n${answers.join(",\n")}\n]\n`);
} finally {
  await send("DELETE", `/${index}`);
}
