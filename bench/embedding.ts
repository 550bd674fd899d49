/**
 * Measures the bundled embedding on one core: loading the file, English abstracts of about 1,000 characters, Chinese paragraphs of about 250.
 *
 *     npx tsx bench/embedding.ts [--seconds 3] [--texts FILE …]
 *
 * A file of texts has a JSON object with a `text` a line (the corpus of BEIR's layout). Without one, the sections of the handbook are put
 * together until they are as long.
 */
import { readdirSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { assetPath } from "../src/models/asset.ts";
import { type StaticEmbedding, staticEmbedding } from "../src/models/static-embedding.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "3" }, texts: { type: "string", multiple: true } },
});
const GOALS = { en: 8_000, zh: 5_000 };
const LENGTHS = { en: 1_025, zh: 250 };

function handbook(language: "en" | "zh"): string[] {
  const folder = new URL(`../examples/handbook/${language}/`, import.meta.url);
  return readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8").replace(/^---[\s\S]*?---/, ""));
}

/** Different texts of a length, out of sections put together from changing places on. */
function texts(sections: string[], length: number, count: number): string[] {
  const all = sections.join("\n");
  return Array.from({ length: count }, (_, i) => {
    const start = (i * 7919) % Math.max(1, all.length - length);
    return all.slice(start, start + length);
  });
}

function fileTexts(file: string): string[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => String((JSON.parse(line) as { text?: unknown }).text ?? ""));
}

function measure(name: string, model: StaticEmbedding, list: string[], goal?: number): void {
  for (const text of list) model.embed(text);
  const seconds = Number(values.seconds);
  const began = performance.now();
  const cpu = process.cpuUsage();
  let done = 0;
  while (performance.now() - began < 1000 * seconds)
    for (const text of list) done += model.embed(text).length > 0 ? 1 : 0;
  // Of one core's time, which other work on the machine does not take away; the garbage collector's threads count too.
  const { user, system } = process.cpuUsage(cpu);
  const rate = (1e6 * done) / (user + system);
  const mean = list.reduce((sum, text) => sum + text.length, 0) / list.length;
  const wanted = goal === undefined ? "" : ` (goal ${goal})`;
  console.log(`${name}: ${Math.round(rate)} texts of ${Math.round(mean)} characters for a second of one core${wanted}`);
}

const path = await assetPath("embedding/model.bin");
const cpu = process.cpuUsage();
const model = staticEmbedding(readFileSync(path));
model.embed("年休假 annual leave");
const { user, system } = process.cpuUsage(cpu);
console.log(`loading, up to the first vector: ${Math.round((user + system) / 1000)} ms of one core (goal 100)`);
if (values.texts) for (const file of values.texts) measure(file, model, fileTexts(file));
else
  for (const language of ["en", "zh"] as const) {
    measure(language, model, texts(handbook(language), LENGTHS[language], 2_000), GOALS[language]);
  }
