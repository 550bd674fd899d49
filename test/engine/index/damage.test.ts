/** Damaged files: named when the folder is opened, when the damage is read, or by verify; never answered from. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeFolder, onDamagedCopy, readFolder } from "./support/damage.ts";

const parent = mkdtempSync(join(tmpdir(), "huiliu-damaged-"));
const folder = join(parent, "data");
let model: Map<string, string>;
beforeAll(async () => {
  model = await makeFolder(folder, 120, 60);
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const files = () => [
  "format.json",
  "records.mdb",
  ...readdirSync(join(folder, "segments")).map((name) => `segments/${name}`),
];

describe("a data folder", () => {
  it("without damage has none", async () => {
    for (const readOnly of [true, false]) {
      expect(
        await onDamagedCopy(
          folder,
          "format.json",
          (bytes) => bytes,
          (copy) => readFolder(copy, model, readOnly),
        ),
      ).toEqual({ wrong: [], named: [] });
    }
  });

  it("names a flipped bit of a segment file, wherever it is", async () => {
    const segments = files().filter((name) => name.startsWith("segments/"));
    expect(segments.length).toBeGreaterThan(1);
    for (const file of segments) {
      const { size } = statSync(join(folder, file));
      for (let at = 3; at < size; at += Math.ceil(size / 12)) {
        const flip = (bytes: Buffer) => {
          bytes[at] ^= 1 << (at % 8);
          return bytes;
        };
        const { wrong, named } = await onDamagedCopy(folder, file, flip, (copy) => readFolder(copy, model, true));
        expect({ file, at, wrong }).toEqual({ file, at, wrong: [] });
        expect(named.join("\n")).toContain(file.slice("segments/".length));
      }
    }
  });

  it("answers nothing wrong whatever bit of the records is flipped, and names it unless it is free space", async () => {
    const { size } = statSync(join(folder, "records.mdb"));
    let named = 0;
    for (let i = 0; i < 90; i++) {
      // Meta pages, page headers and their tables, and anywhere.
      const page = Math.floor((i * size) / 90 / 4096) * 4096;
      const at = i % 3 === 0 ? (i * 91) % 8192 : i % 3 === 1 ? page + ((i * 7) % 40) : (i * 7919 * 13) % size;
      const flip = (bytes: Buffer) => {
        bytes[at] ^= 1 << (i % 8);
        return bytes;
      };
      const result = await onDamagedCopy(folder, "records.mdb", flip, (copy) => readFolder(copy, model, i % 2 === 0));
      expect({ at, bit: i % 8, wrong: result.wrong }).toEqual({ at, bit: i % 8, wrong: [] });
      if (result.named.length > 0) {
        named++;
        expect(result.named.join("\n")).toContain("records.mdb");
      }
    }
    expect(named).toBeGreaterThan(15);
  });

  it("names files that are cut short, emptied or overwritten", async () => {
    for (const file of files()) {
      const { size } = statSync(join(folder, file));
      for (const change of [
        (bytes: Buffer) => bytes.subarray(0, size >> 1),
        (bytes: Buffer) => bytes.subarray(0, size - 1),
        () => Buffer.alloc(0),
        () => Buffer.alloc(size, 9),
      ]) {
        // The last byte is a line's end there, and mostly of a free page here.
        if (!file.startsWith("segments/") && change(Buffer.alloc(size)).length === size - 1) continue;
        const { wrong, named } = await onDamagedCopy(folder, file, change, (copy) => readFolder(copy, model, false));
        expect({ file, wrong }).toEqual({ file, wrong: [] });
        expect(named.join("\n")).toContain(file.replace("segments/", ""));
      }
    }
  });

  it("names a missing file", async () => {
    for (const file of files()) {
      const result = await onDamagedCopy(
        folder,
        "format.json",
        (bytes) => bytes,
        async (copy) => {
          rmSync(join(copy, file));
          return await readFolder(copy, model, true);
        },
      );
      expect(result.wrong).toEqual([]);
      expect(result.named.join("\n")).toMatch(/missing|no data folder/);
    }
  });
});
