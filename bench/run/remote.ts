/** A peer's process, asked from here. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Request } from "./protocol.ts";

export interface Remote {
  ask<T>(request: Request): Promise<T>;
  /** Ends the process. */
  end(): Promise<void>;
}

/** A library that hangs does not keep the others from being measured. */
const PATIENCE = 30 * 60_000;

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

/** The command of a peer that runs in Node. */
export const nodeCommand = (name: string, node: string | undefined): string[] => [
  process.execPath,
  "--import",
  "tsx",
  "--expose-gc",
  "--max-old-space-size=5000",
  WORKER,
  name,
  ...(node === undefined ? [] : [node]),
];

export function start([program, ...args]: readonly string[]): Remote {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  const answers: string[] = [];
  let wake: (() => void) | undefined;
  let gone: string | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Native libraries print what they like.
    if (!line.startsWith("{")) return;
    answers.push(line);
    wake?.();
  });
  const exited = new Promise<void>((resolve) => {
    const end = (how: string) => {
      gone ??= how;
      wake?.();
      resolve();
    };
    child.on("error", (error) => end(error.message));
    child.on("close", (code, signal) => end(`ended with ${signal ?? code}: ${said.trim()}`));
  });
  child.stdin.on("error", () => {});
  return {
    async ask<T>(request: Request): Promise<T> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const late = setTimeout(() => {
        gone ??= "did not answer within half an hour";
        child.kill("SIGKILL");
        wake?.();
      }, PATIENCE);
      while (answers.length === 0) {
        if (gone !== undefined) {
          clearTimeout(late);
          throw new Error(`the process ${gone}`);
        }
        await new Promise<void>((resolve) => (wake = resolve));
      }
      clearTimeout(late);
      const answer = JSON.parse(answers.shift()!) as T & { error?: string };
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer;
    },
    async end() {
      child.stdin.end();
      const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
      await exited;
      clearTimeout(late);
    },
  };
}
