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

/** What was asked took longer than it may: a library that hangs does not keep the others from being measured. Its process is gone. */
export class Late extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`took more than ${seconds} s`);
    this.seconds = seconds;
  }
}

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

interface Starting {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Seconds in which each request is to be answered. */
  readonly limit: number;
}

export function start({ command: [program, ...args], env, limit }: Starting): Remote {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"], env: { ...process.env, ...env } });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)));
  const answers: string[] = [];
  let wake: (() => void) | undefined;
  let gone: Error | undefined;
  createInterface({ input: child.stdout }).on("line", (line) => {
    // Native libraries print what they like.
    if (!line.startsWith("{")) return;
    answers.push(line);
    wake?.();
  });
  const exited = new Promise<void>((resolve) => {
    const end = (how: string) => {
      gone ??= new Error(`the process ${how}`);
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
        gone ??= new Late(limit);
        child.kill("SIGKILL");
        wake?.();
      }, limit * 1000);
      while (answers.length === 0) {
        if (gone !== undefined) {
          clearTimeout(late);
          throw gone;
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
