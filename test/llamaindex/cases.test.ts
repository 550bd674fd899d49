/**
 * LlamaIndex's recorded behaviour, case by case. The folder comes from HUILIU_LLAMAINDEX_CASES (default: the copy beside this file); each
 * file in it is run by the topic of its name. A case with a `quirk` passes when it behaves as recorded, or better in the listed way.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type Case, expectClose, type Outcome, type Topic } from "./support.ts";

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
  const cases = all.filter((item) => topic.only?.(item.name) ?? true);
  if (cases.length < all.length) console.warn(`${name}: ${all.length - cases.length} cases are about other parts`);
  describe(name, () => {
    it.each(cases)("$name", (item) => check(topic, item));
  });
}

async function check(topic: Topic<never>, { name, input, expected, quirk }: Case): Promise<void> {
  const outcome = await attempt(() => topic.run(input, name, expected as never));
  const asRecorded = () => {
    if (isError(expected)) return expect(outcome, "the call must fail").toHaveProperty("error");
    if (outcome.error !== undefined) throw outcome.error;
    if (topic.compare) return topic.compare(outcome.value as never, expected as never, input, name);
    return expectClose(outcome.value, expected, topic.tolerance ?? 1e-9);
  };
  // A few differences are the library's choice without the recording calling them weak: these are listed by name.
  const better = Object.entries(topic.quirks ?? {}).filter(([words]) =>
    words.startsWith("name:") ? name.includes(words.slice("name:".length)) : quirk?.includes(words),
  );
  if (better.length === 0) return asRecorded();
  try {
    asRecorded();
  } catch (difference) {
    let reason = difference;
    for (const [, check] of better) {
      try {
        return check(outcome, expected as never, input, name);
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }
}

async function attempt(run: () => unknown): Promise<Outcome> {
  try {
    return { value: (await run()) as never };
  } catch (error) {
    return { error };
  }
}

function isError(expected: unknown): boolean {
  return typeof expected === "object" && expected !== null && "error" in expected && "message" in expected;
}
