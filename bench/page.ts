/** Writes the tables of docs/performance.md out of bench/results/*.json: npm run docs:performance. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { goals, growth } from "./report/goals.ts";
import type { Result } from "./report/result.ts";
import { page } from "./report/table.ts";

const folder = fileURLToPath(new URL("results", import.meta.url));
const results = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")) as Result)
  .sort((a, b) => a.size - b.size);
const tables = [
  "### Goals",
  goals(results),
  "### Growth",
  growth(results),
  ...results.flatMap((result) => [`### All figures, ${result.size.toLocaleString("en-US")} passages`, page(result)]),
];
const path = fileURLToPath(new URL("../docs/performance.md", import.meta.url));
const text = readFileSync(path, "utf8");
const [before, rest] = text.split("<!-- table -->");
const after = rest.split("<!-- /table -->")[1];
writeFileSync(path, `${before}<!-- table -->\n\n${tables.join("\n\n").trim()}\n\n<!-- /table -->${after}`);
