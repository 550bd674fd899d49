/**
 * The documentation's site: `npm run docs:build` makes docs/.vitepress/dist, `npm run docs:dev` shows it while it is written.
 * Its tools are installed in docs/, so that whoever only builds or tests the package needs none of them.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brokenLinks } from "./lib/site-links.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));

function done(program: string, args: string[]): boolean {
  const { status, error } = spawnSync(program, args, {
    cwd: docs,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) throw error;
  return status === 0;
}

function run(program: string, args: string[]): void {
  if (done(program, args)) return;
  console.error(`${program} ${args.join(" ")} failed`);
  process.exit(1);
}

/** Installs what the lockfile says, where that has not been done. */
function install(): void {
  const lock = readFileSync(join(docs, "package-lock.json"), "utf8");
  const mark = join(docs, "node_modules", ".installed-lock.json");
  if (existsSync(mark) && readFileSync(mark, "utf8") === lock) return;
  const args = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  // A registry that did not answer may the next time.
  if (!done("npm", args)) run("npm", args);
  writeFileSync(mark, lock);
}

install();
rmSync(join(docs, "api"), { recursive: true, force: true });
run("npx", ["tsc", "--project", "."]);
run("npx", ["typedoc"]);
if (process.argv[2] === "dev") {
  run("npx", ["vitepress", "dev"]);
} else {
  // Pages that are linked and not there end the build; anchors are looked for in what it made.
  run("npx", ["vitepress", "build"]);
  const broken = await brokenLinks(join(docs, ".vitepress/dist"));
  for (const link of broken) console.error(link);
  if (broken.length > 0) {
    console.error(`${broken.length} links lead nowhere`);
    process.exit(1);
  }
  console.log("docs/.vitepress/dist");
}
