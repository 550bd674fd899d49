/** The data folder: who may open it, its format and permissions, and other processes. */
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lmdbStorage } from "../../../src/engine/storage/lmdb.ts";
import type { Storage } from "../../../src/engine/storage/types.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array | undefined) => (value === undefined ? undefined : new TextDecoder().decode(value));
const HOLDER = fileURLToPath(new URL("./support/hold-folder.ts", import.meta.url));

let parent: string;
let folder: string;
const open: Storage[] = [];
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "huiliu-folder-"));
  folder = join(parent, "data");
});
afterEach(async () => {
  for (const storage of open.splice(0)) await storage.close();
  rmSync(parent, { recursive: true, force: true });
});

async function opened(options?: { readOnly?: boolean }): Promise<Storage> {
  const storage = await lmdbStorage(folder, options);
  open.push(storage);
  return storage;
}

/** Another process that holds the folder for writing until it is told otherwise. */
async function holder(): Promise<{
  pid: number;
  tell(line: string): void;
  line(): Promise<string>;
  kill(): Promise<void>;
}> {
  const child = spawn(process.execPath, ["--import", "tsx", HOLDER, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let rest = "";
  child.stdout.on("data", (data: Buffer) => {
    rest += data.toString();
    const parts = rest.split("\n");
    rest = parts.pop() as string;
    for (const part of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(part);
      else next(part);
    }
  });
  const line = () => {
    const next = lines.shift();
    return next === undefined ? new Promise<string>((resolve) => waiting.push(resolve)) : Promise.resolve(next);
  };
  expect(await line()).toBe("open");
  return {
    pid: child.pid as number,
    tell: (command) => child.stdin.write(`${command}\n`),
    line,
    kill: () =>
      new Promise((resolve) => {
        child.on("close", () => resolve());
        child.kill("SIGKILL");
      }),
  };
}

describe("a data folder", () => {
  it("keeps what was written, and can be opened again", async () => {
    const storage = await opened();
    await storage.transact([{ put: ["a"], value: bytes("1") }]);
    await storage.writeBlob("s1", [bytes("blob")]);
    await storage.close();
    const again = await opened();
    expect(text(again.get(["a"]))).toBe("1");
    expect(text(again.readBlob("s1", 0, 4))).toBe("blob");
    expect(again.listBlobs("")).toEqual(["s1"]);
  });

  it("is readable by its owner only", async () => {
    const storage = await opened();
    await storage.transact([{ put: ["a"], value: bytes("1") }]);
    await storage.writeBlob("s1", [bytes("blob")]);
    const modes = (path: string): [string, number][] => [
      [path, statSync(path).mode & 0o077],
      ...(statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => modes(join(path, name))) : []),
    ];
    for (const [path, mode] of modes(folder)) expect({ path, mode }).toEqual({ path, mode: 0 });
  });

  it("refuses a second writer of the same process and of another, naming it and the way out", async () => {
    await opened();
    await expect(lmdbStorage(folder)).rejects.toMatchObject({
      type: "lock_obtain_failed_exception",
      metadata: { pid: process.pid },
    });
    await open.pop()?.close();
    const other = await holder();
    try {
      await expect(lmdbStorage(folder)).rejects.toThrow(new RegExp(`process ${other.pid} .*read-only.*huiliu serve`));
    } finally {
      await other.kill();
    }
    // Killed: its lock file is still there, and holds nobody up.
    expect(existsSync(join(folder, "writer.lock"))).toBe(true);
    await (await opened()).close();
    expect(existsSync(join(folder, "writer.lock"))).toBe(false);
  });

  it("takes over the lock of a process whose id was given to another since", async () => {
    await (await opened()).close();
    const lock = join(folder, "writer.lock");
    const { pid, world } = { pid: process.ppid, world: undefined as string | undefined };
    await (async () => {
      const storage = await opened();
      const mine = JSON.parse(readFileSync(lock, "utf8"));
      await storage.close();
      open.pop();
      if (mine.started === undefined) return;
      writeFileSync(lock, JSON.stringify({ ...mine, pid, world: world ?? mine.world, started: "1" }));
      await opened();
    })();
  });

  it("believes an owner on another machine only while it gives signs of life", async () => {
    await (await opened()).close();
    open.pop();
    const lock = join(folder, "writer.lock");
    writeFileSync(lock, JSON.stringify({ pid: 1, started: "1", world: "elsewhere x y", token: "t" }));
    await expect(lmdbStorage(folder)).rejects.toThrow(/process 1 on elsewhere writes/);
    execFileSync("touch", ["-d", "2 minutes ago", lock]);
    await opened();
  });

  it("lets readers of other processes and this one see each commit, and nothing of what is written meanwhile", async () => {
    const other = await holder();
    try {
      other.tell("put 1");
      expect(await other.line()).toBe("put 1");
      const reader = await opened({ readOnly: true });
      expect(text(reader.get(["k"]))).toBe("1");
      const version = reader.version();
      const snapshot = reader.snapshot();
      other.tell("put 2");
      expect(await other.line()).toBe("put 2");
      expect(reader.version()).not.toBe(version);
      expect(text(snapshot.get(["k"]))).toBe("1");
      snapshot.close();
      const now = reader.snapshot();
      expect(text(now.get(["k"]))).toBe("2");
      now.close();
      await expect(reader.transact([{ put: ["k"], value: bytes("3") }])).rejects.toThrow("read-only");
      await expect(reader.writeBlob("b", [])).rejects.toThrow("read-only");
      // Growth of the file beyond what the reader has mapped.
      other.tell("grow");
      expect(await other.line()).toBe("grow");
      const grown = reader.snapshot();
      expect(grown.get(["big", 199])?.length).toBe(100_000);
      grown.close();
    } finally {
      await other.kill();
    }
  });

  it("is refused when its format is newer, or it is none", async () => {
    await (await opened()).close();
    writeFileSync(join(folder, "format.json"), JSON.stringify({ huiliu: "data folder", format: 2 }));
    await expect(lmdbStorage(folder)).rejects.toThrow(/format 2.*newer.*update/);
    await expect(lmdbStorage(folder, { readOnly: true })).rejects.toThrow(/format 2/);
    await expect(lmdbStorage(join(parent, "none"), { readOnly: true })).rejects.toThrow("there is no data folder");
    writeFileSync(join(parent, "file"), "x");
    await expect(lmdbStorage(join(parent, "file"))).rejects.toThrow("is not a folder");
    const used = await lmdbStorage(join(parent, "used"));
    await used.transact([{ put: ["a"], value: bytes("1") }]);
    await used.close();
    rmSync(join(parent, "used", "format.json"));
    await expect(lmdbStorage(join(parent, "used"))).rejects.toThrow("format is missing");
    await expect(lmdbStorage(join(parent, "used"), { readOnly: true })).rejects.toThrow("format is missing");
  });

  it("is made with the folders above it, unless it is not to be made", async () => {
    const deep = join(parent, "a/b/c");
    await expect(lmdbStorage(deep, { create: false })).rejects.toThrow("there is no data folder");
    expect(readdirSync(parent)).toEqual([]);
    await (await lmdbStorage(deep)).close();
    mkdirSync(join(parent, "empty"));
    await expect(lmdbStorage(join(parent, "empty"), { create: false })).rejects.toThrow("there is no data folder");
    expect(readdirSync(join(parent, "empty"))).toEqual([]);
    await (await lmdbStorage(deep, { create: false })).close();
    writeFileSync(join(parent, "file"), "x");
    await expect(lmdbStorage(join(parent, "file/x"))).rejects.toThrow();
  });

  it.skipIf(process.platform !== "linux")("is refused where no folder can be made", async () => {
    await expect(lmdbStorage("/proc/huiliu/data")).rejects.toThrow("cannot be made here");
  });

  it("is made again when its making was interrupted, and refused when its records are gone", async () => {
    for (const left of [
      ["records.mdb", ""],
      ["records.mdb", "x".repeat(5000)],
      [".format.json", "{"],
    ]) {
      mkdirSync(folder);
      writeFileSync(join(folder, left[0]), left[1]);
      const storage = await opened();
      await storage.transact([{ put: ["a"], value: bytes("1") }]);
      await storage.close();
      expect(text((await opened()).get(["a"]))).toBe("1");
      for (const each of open.splice(0)) await each.close();
      rmSync(join(folder, "records.mdb"));
      await expect(lmdbStorage(folder)).rejects.toThrow(/missing.*records.mdb/);
      rmSync(folder, { recursive: true });
    }
  });

  it("loses a blob that was cut short by a crash, and keeps the others", async () => {
    const storage = await opened();
    await storage.writeBlob("s1", [bytes("blob")]);
    await storage.close();
    writeFileSync(join(folder, "segments", ".writing-s2"), "half");
    expect((await opened({ readOnly: true })).listBlobs("")).toEqual(["s1"]);
    await open.pop()?.close();
    expect((await opened()).listBlobs("")).toEqual(["s1"]);
    expect(readdirSync(join(folder, "segments"))).toEqual(["s1"]);
  });

  let canMount = true;
  try {
    const trial = mkdtempSync(join(tmpdir(), "huiliu-mount-"));
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", trial], { stdio: "ignore" });
    execFileSync("umount", [trial], { stdio: "ignore" });
    rmSync(trial, { recursive: true });
  } catch {
    canMount = false;
  }
  it.skipIf(!canMount)("can be read on a file system that cannot be written", async () => {
    mkdirSync(join(parent, "disk"));
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", join(parent, "disk")]);
    try {
      folder = join(parent, "disk", "data");
      const storage = await opened();
      await storage.transact([{ put: ["a"], value: bytes("1") }]);
      await storage.writeBlob("s1", [bytes("blob")]);
      await storage.close();
      execFileSync("mount", ["-o", "remount,ro", join(parent, "disk")]);
      const reader = await opened({ readOnly: true });
      expect(text(reader.get(["a"]))).toBe("1");
      expect(text(reader.readBlob("s1", 0, 4))).toBe("blob");
      await reader.close();
      await expect(lmdbStorage(folder)).rejects.toThrow(/writing to .*failed|read-only/i);
    } finally {
      for (const storage of open.splice(0)) await storage.close();
      execFileSync("umount", ["-l", join(parent, "disk")]);
    }
  });
});
