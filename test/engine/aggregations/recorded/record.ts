/**
 * Asks a node for the answers to a topic's requests: `tsx test/engine/aggregations/recorded/record.ts TOPIC… [--url http://127.0.0.1:9200]`.
 * The requests of `TOPIC.txt` go to `TOPIC.json` with their answers.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { essence, FOLDER, loadWorlds, pathOf, type Recorded, requestsOf, type Send, WORLDS } from "./worlds.ts";

const { values, positionals } = parseArgs({
  options: { url: { type: "string", default: "http://127.0.0.1:9200" } },
  allowPositionals: true,
});
const send: Send = async (method, path, body) => {
  const headers: Record<string, string> = {
    "content-type": body?.endsWith("\n") ? "application/x-ndjson" : "application/json",
  };
  const answer = await fetch(values.url + path, { method, body, headers });
  return { status: answer.status, body: await answer.text() };
};
const suffix = `-${process.pid}`;
await loadWorlds(send, suffix);
for (const topic of positionals) {
  const recorded: Recorded[] = [];
  for (const { target, body } of requestsOf(readFileSync(new URL(`${topic}.txt`, FOLDER), "utf8"))) {
    const answer = await send("POST", pathOf(target, suffix), body);
    recorded.push({ target, body, answer: essence(answer.status, answer.body.replaceAll(suffix, "")) });
  }
  writeFileSync(
    new URL(`${topic}.json`, FOLDER),
    `[\n${recorded.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`,
  );
}
for (const name of Object.keys(WORLDS)) await send("DELETE", `/${name}${suffix}`);
