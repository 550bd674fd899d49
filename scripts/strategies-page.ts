/** Writes docs/strategies.md and docs/zh/strategies.md: npm run docs:strategies. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { strategiesPage } from "./lib/strategies-page.ts";

await writeFile(fileURLToPath(new URL("../docs/strategies.md", import.meta.url)), strategiesPage());
await writeFile(fileURLToPath(new URL("../docs/zh/strategies.md", import.meta.url)), strategiesPage("zh"));
