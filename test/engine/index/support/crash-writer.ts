/**
 * A process that writes until it is killed. It prints a line for each call that was acknowledged: `ack <call> <id>=<value|-> …`.
 * Usage: crash-writer.ts FOLDER FIRST_CALL SEED
 */

import { writeSync } from "node:fs";
import { openIndexRegistry, type WriteOperation } from "../../../../src/engine/index/index.ts";
import { lmdbStorage } from "../../../../src/engine/storage/lmdb.ts";

const [folder, first, seed] = process.argv.slice(2);
let random = Number(seed) >>> 0 || 1;
const next = (below: number): number => {
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return (random >>> 0) % below;
};
const storage = await lmdbStorage(folder);
const registry = await openIndexRegistry(storage, { ikDictionary: () => new Uint8Array() }, { bufferBytes: 30_000 });
const index =
  registry.get("crash") ??
  (await registry.create("crash", {
    settings: { refresh_interval: "5ms" },
    mappings: { properties: { t: { type: "text" } } },
  }));
writeSync(1, "ready\n");
for (let call = Number(first); ; call++) {
  const operations: WriteOperation[] = [];
  const changes: string[] = [];
  // Each id once a call, so that half of a call would show.
  for (const id of new Set(Array.from({ length: 1 + next(6) }, () => `d${next(60)}`))) {
    if (next(5) === 0) {
      operations.push({ kind: "delete", id });
      changes.push(`${id}=-`);
    } else {
      const body = { call, t: `word${next(20)} `.repeat(1 + next(40)), [`f${next(8)}`]: call };
      operations.push({ kind: "index", id, source: new TextEncoder().encode(JSON.stringify(body)) });
      changes.push(`${id}=${call}`);
    }
  }
  writeSync(1, `try ${call} ${changes.join(" ")}\n`);
  const results = await index.write(operations);
  const failed = results.find((result) => result instanceof Error);
  if (failed !== undefined) throw failed;
  writeSync(1, `ack ${call}\n`);
  if (next(10) === 0) await index.refresh();
  if (next(25) === 0) await index.forceMerge({ maxSegments: 1 + next(3) });
}
