/** Writes docs/engine.md and docs/zh/engine.md: npm run docs:engine. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { enginePage } from "./lib/engine-page.ts";
import { enginePageZh } from "./lib/engine-page-zh.ts";

await writeFile(fileURLToPath(new URL("../docs/engine.md", import.meta.url)), enginePage());
await writeFile(fileURLToPath(new URL("../docs/zh/engine.md", import.meta.url)), enginePageZh());
