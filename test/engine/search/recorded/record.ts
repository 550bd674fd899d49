/**
 * Records a node's answers: `npx tsx test/engine/search/recorded/record.ts http://127.0.0.1:9200`. Indices named `querytests-*` are made there
 * and deleted again.
 */
import { writeFileSync } from "node:fs";
import { answerOf } from "./answers.ts";
import { optionRequests } from "./options.ts";
import { recordedRequests } from "./requests.ts";
import { BATCHES, INDICES, SHELF } from "./world.ts";

const node = process.argv[2];
if (node === undefined) throw new Error("give the node's URL");

async function send(method: string, path: string, body?: string, type = "application/json") {
  const answer = await fetch(node + path, {
    method,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

async function expectDone(sent: ReturnType<typeof send>): Promise<void> {
  const { status, body } = await sent;
  if (status >= 300 || body.errors) throw new Error(JSON.stringify(body));
}

const remove = () => Promise.all(Object.keys(INDICES).map((index) => send("DELETE", `/${index}`)));
await remove();
for (const [index, definition] of Object.entries(INDICES)) {
  await expectDone(send("PUT", `/${index}`, JSON.stringify(definition)));
}
for (const batch of BATCHES) {
  const lines = batch.map((line) => `${JSON.stringify(line)}\n`).join("");
  await expectDone(send("POST", "/_bulk?refresh=true", lines, "application/x-ndjson"));
}
const search = async (target: string, body: string) => {
  const answer = await send("POST", `/${target}/_search`, body);
  return answerOf(answer.status, answer.body);
};

const answers: unknown[] = [];
for (const { target, body } of recordedRequests()) answers.push(await search(target, body));
const line = (value: unknown) => ` ${JSON.stringify(value)}`;
writeFileSync(new URL("answers.json", import.meta.url), `[\n${answers.map(line).join(",\n")}\n]\n`);

/** Most answers come many times: they are listed once, and named by their places in the list. */
const distinct: string[] = [];
const places: Record<string, Record<string, number>> = {};
for (const { place, value, body } of optionRequests()) {
  const text = JSON.stringify(await search(SHELF, body));
  let at = distinct.indexOf(text);
  if (at < 0) at = distinct.push(text) - 1;
  (places[place] ??= {})[value] = at;
}
const rows = Object.entries(places).map(([place, row]) => ` ${JSON.stringify(place)}: ${JSON.stringify(row)}`);
writeFileSync(
  new URL("options.json", import.meta.url),
  `{"answers": [\n${distinct.map((text) => ` ${text}`).join(",\n")}\n],\n"places": {\n${rows.join(",\n")}\n}}\n`,
);
await remove();
