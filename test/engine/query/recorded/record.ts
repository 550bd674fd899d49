/**
 * Asks a node for the answers of the recorded requests anew: `tsx test/engine/query/recorded/record.ts TOPIC… [--url http://127.0.0.1:9200]`.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { essence, FOLDER, load, pathOf, readTopic, type Send } from "./answers.ts";

const { values, positionals } = parseArgs({
  options: { url: { type: "string", default: "http://127.0.0.1:9200" } },
  allowPositionals: true,
});
const send: Send = async (method, path, body) => {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(values.url + path, { method, body, headers });
  return { status: answer.status, body: await answer.text() };
};
for (const topic of positionals) {
  const recorded = readTopic(topic);
  const index = `recorded-${topic}-${process.pid}`;
  try {
    await load(send, index, recorded);
    const requests = [];
    for (const { api, body } of recorded.requests) {
      const answer = await send("POST", pathOf(api, index), body === undefined ? undefined : JSON.stringify(body));
      requests.push({ api, body, answer: essence(answer.status, answer.body, index) });
    }
    // A line for each request.
    const head = JSON.stringify({ ...recorded, requests: [] }).slice(0, -2);
    const lines = requests.map((request) => JSON.stringify(request)).join(",\n");
    writeFileSync(new URL(`${topic}.json`, FOLDER), `${head}\n${lines}\n]}\n`);
  } finally {
    await send("DELETE", `/${index}`);
  }
}
