/**
 * Records what Elasticsearch answers to the conversations beside this file. Their indices begin with `rec-`; each conversation ends by
 * deleting its own.
 *
 *   npx tsx test/engine/rest/recorded/record.ts http://127.0.0.1:9200 [NAME…]
 */
import { readdirSync, writeFileSync } from "node:fs";
import { answerOf, contentType, noteId, read, requestsOf, withIds } from "./conversation.ts";

const [url, ...wanted] = process.argv.slice(2);
const folder = new URL(".", import.meta.url);
for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
  const name = file.slice(0, -4);
  // Of modules that the node lacks, OpenSearch's answers stand in, by name only.
  if (wanted.length > 0 ? !wanted.includes(name) : name.startsWith("opensearch-")) continue;
  const answers: string[] = [];
  const ids: string[] = [];
  for (const request of requestsOf(read(file))) {
    const response = await fetch(url + withIds(request.path, ids), {
      // A client of the web sends no body with GET.
      method: request.method === "GET" && request.body !== undefined ? "POST" : request.method,
      headers: request.body === undefined ? {} : { "content-type": contentType(request) },
      body: withIds(request.body, ids),
    });
    const text = await response.text();
    noteId(text, ids);
    answers.push(JSON.stringify(answerOf(response.status, text)));
  }
  writeFileSync(new URL(`${name}.json`, folder), `[\n${answers.join(",\n")}\n]\n`);
  console.log(`${name}: ${answers.length}`);
}
