/** The built package, for tests that use it as its users do. It is built when `dist/` is missing or older than the sources. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sha256 } from "../src/schema/sha256.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const command = join(root, "bin/huiliu.js");

/** Builds the package when that is needed; test files that run at the same time wait for the one that builds. */
export async function buildPackage(): Promise<void> {
  const lock = join(tmpdir(), `huiliu-build-${sha256(root).slice(0, 12)}`);
  const giveUp = Date.now() + 120_000;
  while (!isCurrent()) {
    if (!tryMake(lock)) {
      // Left behind by a run that was killed.
      if (Date.now() > giveUp) rmSync(lock, { recursive: true, force: true });
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      const { status, stdout, stderr } = spawnSync("npm", ["run", "build"], { cwd: root, encoding: "utf8" });
      if (status !== 0) throw new Error(`npm run build failed:\n${stdout}\n${stderr}`);
      return;
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}

function tryMake(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

/** Whether the bundles are newer than every source. */
function isCurrent(): boolean {
  const names = ["cli.js", "index.js", "engine.js", "testing.js", "mcp.js", "search-worker.js", "ui/index.html"];
  const bundles = names.map((name) => join(root, "dist", name));
  if (!bundles.every((path) => existsSync(path))) return false;
  const built = Math.min(...bundles.map((path) => statSync(path).mtimeMs));
  return ["src", "web"].every((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).every(
      (name) => statSync(join(root, folder, name)).mtimeMs <= built,
    ),
  );
}

export interface Finished {
  code: number | null;
  out: string;
  err: string;
}

/** What the developer has set for the command is not meant for the tests. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("HUILIU_")));
}

/** Runs a program to its end. */
export function finished(
  args: readonly string[],
  options: {
    cwd: string;
    env?: Record<string, string>;
    onOut?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
  },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: options.cwd,
      env: { ...withoutSettings(process.env), NO_COLOR: "1", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      options.onOut?.(out, (signal) => child.kill(signal));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, out, err }));
  });
}
