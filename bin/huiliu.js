#!/usr/bin/env node
import { readFileSync } from "node:fs";

const args = process.argv.slice(2);

// Answered before anything else is loaded.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else {
  const { run } = await import("../dist/cli.js");
  await run(args);
}
