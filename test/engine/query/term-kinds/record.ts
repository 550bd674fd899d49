/**
 * Records a node's answers: `npx tsx test/engine/query/term-kinds/record.ts http://127.0.0.1:9200 [topic …]`. The index `querykinds-world` is
 * made there and deleted again.
 */
import { writeFileSync } from "node:fs";
import { lineOf } from "./answers.ts";
import { TOPICS } from "./topics.ts";
import { DEFINITION, DOCUMENTS, INDEX } from "./world.ts";

const [node, ...named] = process.argv.slice(2);
if (node === undefined) throw new Error("give the node's URL");

async function send(method: string, path: string, body?: string) {
  const answer = await fetch(node + path, { method, headers: { "content-type": "application/json" }, body });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

await send("DELETE", `/${INDEX}`);
await send("PUT", `/${INDEX}`, JSON.stringify(DEFINITION));
const lines = Object.entries(DOCUMENTS).flatMap(([_id, source]) => [{ index: { _id } }, source]);
const loaded = await send(
  "POST",
  `/${INDEX}/_bulk?refresh=true`,
  lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
);
if (loaded.body.errors !== false) throw new Error(JSON.stringify(loaded.body));
for (const [topic, queries] of Object.entries(TOPICS)) {
  if (named.length > 0 && !named.includes(topic)) continue;
  const answers: string[] = [];
  for (const query of queries) {
    const { status, body } = await send("POST", `/${INDEX}/_search`, JSON.stringify({ size: 60, query }));
    answers.push(lineOf(status, body));
  }
  const rows = answers.map((answer) => `  ${JSON.stringify(answer)}`).join(",\n");
  writeFileSync(new URL(`${topic}.json`, import.meta.url), `[\n${rows}\n]\n`);
}
await send("DELETE", `/${INDEX}`);
