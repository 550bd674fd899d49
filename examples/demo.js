// Indexes the handbook of this folder and asks it two questions: npm run demo
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { openCollection } from "huiliu";

const QUESTIONS = ["试用期的员工可以请婚假吗？", "How many days of annual leave do I get?"];

/** Runs a step, and says how long it took. */
async function timed(name, step) {
  const started = performance.now();
  const result = await step();
  console.log(`${name}: ${(performance.now() - started).toFixed(0)} ms`);
  return result;
}

const data = await mkdtemp(join(tmpdir(), "huiliu-demo-"));
const handbook = relative(process.cwd(), fileURLToPath(new URL("handbook", import.meta.url)));

const collection = await timed("open", () => openCollection("handbook", { data }));
try {
  const added = await timed("index", () => collection.add([join(handbook, "zh"), join(handbook, "en")]));
  console.log(`${added.added} files, ${added.passages} passages\n`);
  for (const { file, error } of added.failed) console.error(`${file}: ${error.message}`);
  if (added.failed.length > 0) process.exitCode = 1;

  for (const question of QUESTIONS) {
    console.log(question);
    const answer = await timed("answer", async () => {
      const found = await collection.ask(question);
      await found.text;
      return found;
    });
    console.log(`\n${await answer.text}\n`);
    for (const { n, file, heading, score } of answer.sources) {
      console.log(`[${n}] ${heading ? `${file} › ${heading}` : file} (${score?.toFixed(3)})`);
    }
    console.log();
  }
} finally {
  await collection.close();
  await rm(data, { recursive: true });
}
