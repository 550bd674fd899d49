/**
 * LlamaIndex's recorded behaviour, case by case. The folder comes from HUILIU_LLAMAINDEX_CASES (default: the copy beside this file); each
 * file in it is run by the topic of its name. A case with a `quirk` passes when it behaves as recorded, or better in the listed way.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { check } from "./run.ts";
import type { Case, Topic } from "./support.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = process.env["HUILIU_LLAMAINDEX_CASES"] ?? `${here}cases`;
const topics = readdirSync(`${here}topics`).map((file) => file.replace(/\.ts$/, ""));
const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
const unknown = files.filter((file) => !topics.includes(file.replace(/\.json$/, "")));
if (unknown.length > 0) console.warn(`not run, no topic of this name: ${unknown.join(", ")}`);

for (const name of topics) {
  const path = `${folder}/${name}.json`;
  if (!existsSync(path)) continue;
  const { topic } = (await import(`./topics/${name}.ts`)) as { topic: Topic<never> };
  const all = JSON.parse(readFileSync(path, "utf8")) as Case[];
  const reasonOf = (item: Case) => topic.notRun?.find(([part]) => part.test(item.name))?.[1];
  const cases = all.filter((item) => reasonOf(item) === undefined);
  for (const item of all) {
    const reason = reasonOf(item);
    if (reason !== undefined) console.warn(`not run: ${name}: ${item.name}: ${reason}`);
  }
  describe(name, () => {
    it.each(cases)("$name", (item) => check(topic, item));
  });
}
