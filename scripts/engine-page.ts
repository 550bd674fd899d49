/** Writes docs/engine.md: npm run docs:engine. */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { enginePage } from "./lib/engine-page.ts";

await writeFile(fileURLToPath(new URL("../docs/engine.md", import.meta.url)), enginePage());
