/**
 * One writer process at a time: a lock file in the data folder that names its owner.
 *
 * The file is created exclusively, so two processes cannot both make it. An owner that died leaves it behind; whoever finds it looks whether the
 * owner still lives: on the same machine and in the same process namespace by process id and start time (an id that was given again has another
 * start time). Elsewhere (another container or machine on the same folder) an owner cannot be looked up, so it touches the file every few
 * seconds, and a file that nobody touched for long is taken over.
 */
import { randomUUID } from "node:crypto";
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { EngineError } from "../errors.ts";

const TOUCH_EVERY_MS = 5_000;
const GIVEN_UP_AFTER_MS = 30_000;

interface Owner {
  readonly pid: number;
  /** Start of the process in clock ticks since boot, where the system tells it. */
  readonly started: string | undefined;
  /** Machine, boot and process namespace: process ids mean the same only where this is equal. */
  readonly world: string;
  /** Tells apart two locks of one process. */
  readonly token: string;
}

/** Locks that this process holds: given back when it ends in order. */
const held = new Set<() => void>();
let watching = false;

/** Start time of a process, undefined where the system does not tell. */
function startTime(pid: number): string | undefined {
  try {
    // The name in parentheses may hold anything; the start time is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function world(): string {
  let boot = "";
  let namespace = "";
  try {
    boot = readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
    namespace = readlinkSync("/proc/self/ns/pid");
  } catch {
    // Not Linux: the machine's name has to do.
  }
  return `${hostname()} ${boot} ${namespace}`.trim();
}

function alive(owner: Owner): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return owner.started === undefined || startTime(owner.pid) === owner.started;
}

/** Takes the lock or throws naming its owner. The result gives it back. */
export function lockWriter(path: string): () => void {
  const mine: Owner = { pid: process.pid, started: startTime(process.pid), world: world(), token: randomUUID() };
  const text = JSON.stringify(mine);
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, text, { flag: "wx", mode: 0o600 });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const found = read(path);
    if (found === undefined) continue;
    const lives =
      found.owner !== undefined && found.owner.world === mine.world
        ? alive(found.owner)
        : Date.now() - found.touched < GIVEN_UP_AFTER_MS;
    if (lives || attempt >= 10) throw lockedBy(path, found.owner);
    takeAway(path, found.text);
  }
  const touch = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // The folder is gone; writes say so themselves.
    }
  }, TOUCH_EVERY_MS);
  touch.unref();
  const release = () => {
    clearInterval(touch);
    held.delete(release);
    if (read(path)?.text === text) rmSync(path, { force: true });
  };
  if (held.size === 0 && !watching) {
    watching = true;
    process.on("exit", () => {
      for (const give of held) give();
    });
  }
  held.add(release);
  return release;
}

function read(path: string): { text: string; owner: Owner | undefined; touched: number } | undefined {
  try {
    const text = readFileSync(path, "utf8");
    const touched = statSync(path).mtimeMs;
    let owner: Owner | undefined;
    try {
      const parsed = JSON.parse(text) as Owner;
      if (Number.isInteger(parsed.pid) && parsed.pid > 0 && typeof parsed.world === "string") owner = parsed;
    } catch {
      // Being written at this moment, or cut short by a crash: its age decides.
    }
    return { text, owner, touched };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Removes a dead owner's file. Should another process have replaced it in between, its file is put back. */
function takeAway(path: string, text: string): void {
  const aside = `${path}-${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    if (readFileSync(aside, "utf8") !== text) linkSync(aside, path);
  } finally {
    unlinkSync(aside);
  }
}

function lockedBy(path: string, owner: Owner | undefined): EngineError {
  const who =
    owner === undefined
      ? "another process"
      : `process ${owner.pid}${owner.world === world() ? "" : ` on ${owner.world.split(" ")[0]}`}`;
  return new EngineError(
    "lock_obtain_failed_exception",
    `${who} writes to this data folder already (lock file [${path}]), and there is one writer at a time: open the folder read-only, or let ` +
      "`huiliu serve` hold it and connect to that",
    { status: 500, metadata: owner === undefined ? {} : { pid: owner.pid } },
  );
}
