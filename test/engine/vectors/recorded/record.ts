/** Asks a node: `npx tsx test/engine/vectors/recorded/record.ts http://localhost:9200`. */
import { readFileSync, writeFileSync } from "node:fs";
import { SCENES } from "./scenes.ts";
import { settled } from "./support.ts";

const [url = "http://localhost:9200", part] = process.argv.slice(2);
const INDEX = "vectors-recorded";

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const lines = Array.isArray(body) ? `${body.map((line) => JSON.stringify(line)).join("\n")}\n` : undefined;
  const text = lines ?? (typeof body === "string" || body === undefined ? body : JSON.stringify(body));
  const answer = await fetch(url + path.replaceAll("/vec", `/${INDEX}`), {
    method,
    ...(text === undefined
      ? {}
      : { body: text, headers: { "content-type": lines ? "application/x-ndjson" : "application/json" } }),
  });
  const json = (await answer.text()).replaceAll(INDEX, "vec");
  return { status: answer.status, body: settled(JSON.parse(json)) };
}

const place = new URL("./answers.json", import.meta.url);
const known = JSON.parse(readFileSync(place, "utf8")) as Record<string, unknown[]>;
const answers: Record<string, unknown[]> = {};
for (const { name, steps } of SCENES) {
  // With a text beside the node's address, only scenes whose names have it are asked again.
  if (known[name] !== undefined && part !== undefined && !name.includes(part)) {
    answers[name] = known[name];
    continue;
  }
  await ask("DELETE", "/vec");
  answers[name] = [];
  for (const [method, path, body] of steps) {
    const answer = await ask(method, path, body);
    // What loading answers is of no interest.
    answers[name].push(path.includes("_bulk") ? { status: answer.status } : answer);
  }
}
await ask("DELETE", "/vec");
writeFileSync(place, `${JSON.stringify(answers)}\n`);
