/** Asks a node for the answers anew: `tsx test/engine/suggest/recorded/record.ts [http://127.0.0.1:9200]`. */
import { writeFileSync } from "node:fs";
import { kept, keptError } from "./answers.ts";
import { RECORDED, RECORDED_MAPPINGS, RECORDED_URLS, RECORDED_WRITES } from "./requests.ts";
import { BATCHES, INDICES } from "./world.ts";

const base = process.argv[2] ?? "http://127.0.0.1:9200";
/** Names have the length of the engine's, and the order. */
const prefix = "sugg-";
const own = (name: string) => `${prefix}${name}`;

async function send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const lines = Array.isArray(body) ? body.map((line) => `${JSON.stringify(line)}\n`).join("") : JSON.stringify(body);
  const headers = { "content-type": "application/json" };
  const answer = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body: lines }) });
  return { status: answer.status, text: await answer.text() };
}

const targets = (target: string) => target.split(",").map(own).join(",");
const NULL = '"type":"null_pointer_exception","reason":';
const MESSAGE = 'Cannot read field "boost" because the return value of "java.util.PriorityQueue.peek()" is null';
/** A virtual machine leaves messages out when it throws the same again and again. */
const plain = (text: string) =>
  text.replaceAll(prefix, "").replaceAll(`${NULL}null`, `${NULL}${JSON.stringify(MESSAGE)}`);

try {
  for (const [name, definition] of Object.entries(INDICES)) await send("PUT", `/${own(name)}`, definition);
  for (const batch of BATCHES) {
    const named = batch.map((line) => JSON.parse(JSON.stringify(line).replaceAll('"_index":"', `"_index":"${prefix}`)));
    await send("POST", "/_bulk?refresh=true", named);
  }
  const answers: unknown[] = [];
  for (const { target, body } of RECORDED) {
    const { status, text } = await send("POST", `/${targets(target)}/_search`, body);
    answers.push(kept(status, plain(text)));
  }
  for (const url of RECORDED_URLS) {
    const { status, text } = await send("GET", `/${own("words")}/_search?${url}`);
    answers.push(kept(status, plain(text)));
  }
  for (const value of RECORDED_WRITES) {
    const { status, text } = await send("PUT", `/${own("typed")}/_doc/w`, { c: value });
    answers.push(keptError(status, plain(text)));
  }
  for (const mapping of RECORDED_MAPPINGS) {
    const path = `/${own("mapped")}`;
    const { status, text } = await send("PUT", path, {
      mappings: { properties: { c: { type: "completion", ...mapping } } },
    });
    const shown = status === 200 ? JSON.parse((await send("GET", `${path}/_mapping`)).text)[own("mapped")] : undefined;
    answers.push({ ...keptError(status, plain(text)), ...shown });
    await send("DELETE", path);
  }
  const rows = answers.map((answer) => JSON.stringify(answer)).join(",\n");
  writeFileSync(new URL("answers.json", import.meta.url), `[\n${rows}\n]\n`);
} finally {
  for (const name of Object.keys(INDICES)) await send("DELETE", `/${own(name)}`);
}
