/** Replays what a node answered about vectors. `recorded/record.ts` asks it again. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { SCENES } from "./recorded/scenes.ts";
import { difference, settled } from "./recorded/support.ts";

const answers = JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"));

it.each(SCENES.map((scene) => [scene.name, scene] as const))("%s", async (name, { steps }) => {
  const engine = await openEngine();
  try {
    const wrong: string[] = [];
    for (const [i, [method, path, body]] of steps.entries()) {
      const lines = Array.isArray(body) ? `${body.map((line) => JSON.stringify(line)).join("\n")}\n` : undefined;
      const text = lines ?? (typeof body === "string" || body === undefined ? body : JSON.stringify(body));
      const answer = await engine.request({
        method,
        path: path.split("?")[0],
        query: Object.fromEntries(new URLSearchParams(path.split("?")[1] ?? "")),
        headers: text === undefined ? {} : { "content-type": lines ? "application/x-ndjson" : "application/json" },
        body: text,
      });
      const got = { status: answer.status, body: settled(JSON.parse(answer.body)) };
      const expected = settled(answers[name][i]) as { status: number; body?: unknown };
      const found = difference(expected, expected.body === undefined ? { status: got.status } : got);
      if (found !== undefined) wrong.push(`${method} ${path} ${JSON.stringify(body)?.slice(0, 120)} ${found}`);
    }
    expect(wrong, wrong.join("\n")).toEqual([]);
  } finally {
    await engine.close();
  }
});
