/**
 * A process that runs the documentation's snippets one after the other, so that the package is loaded once: commands through the built command's
 * `main`, programs by importing them. Started by snippets.test.ts with fork().
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type Job = { folder: string; env: Record<string, string> } & (
  | { kind: "command"; args: string[] }
  | { kind: "program"; file: string }
  | { kind: "serve"; name: string; args: string[] }
  | { kind: "stop"; name: string }
);

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

const root = process.argv[2]!;
const { main } = await import(pathToFileURL(join(root, "dist/cli.js")).href);
const { openCollection } = await import(pathToFileURL(join(root, "dist/index.js")).href);

function command(args: string[], env: Record<string, string>, onOut: (text: string) => void, signal: AbortSignal) {
  const outcome: Outcome = { code: -1, out: "", err: "" };
  const io = {
    out: (text: string) => {
      outcome.out += text;
      onOut(outcome.out);
    },
    err: (text: string) => {
      outcome.err += text;
    },
    outIsTerminal: false,
    errIsTerminal: false,
    columns: 80,
    env: { ...process.env, ...env },
    now: () => performance.now(),
  };
  const context = { io, signal, outputClosed: new AbortController().signal, openCollection };
  const ended = (main(args, context) as Promise<number>).then((code) => ({ ...outcome, code }));
  return ended;
}

/** Imports a program, with what it prints kept. */
async function program(file: string): Promise<Outcome> {
  const outcome: Outcome = { code: 0, out: "", err: "" };
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => {
    outcome.out += text;
    return true;
  }) as typeof write;
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    outcome.code = 1;
    outcome.err = error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    process.stdout.write = write;
  }
  return outcome;
}

const serving = new Map<string, { end: AbortController; ended: Promise<Outcome> }>();

async function run(job: Job): Promise<Outcome> {
  process.chdir(job.folder);
  if (job.kind === "program") return program(job.file);
  if (job.kind === "command") return command(job.args, job.env, () => {}, new AbortController().signal);
  if (job.kind === "stop") {
    const server = serving.get(job.name);
    serving.delete(job.name);
    server?.end.abort();
    return (await server?.ended) ?? { code: 0, out: "", err: "" };
  }
  const end = new AbortController();
  return new Promise((resolve) => {
    const ended = command(job.args, job.env, (out) => resolve({ code: 0, out, err: "" }), end.signal);
    serving.set(job.name, { end, ended });
    ended.then(resolve);
  });
}

process.on("message", ({ id, job }: { id: number; job: Job }) => {
  run(job).then(
    (outcome) => process.send!({ id, outcome }),
    (error) => process.send!({ id, outcome: { code: 1, out: "", err: String(error?.stack ?? error) } }),
  );
});
process.on("unhandledRejection", (error) => process.stderr.write(`${error}\n`));
process.send!({ id: 0 });
