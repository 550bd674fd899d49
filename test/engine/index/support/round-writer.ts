/** A process that gives 20 documents a new round, again and again, with a refresh after each and merges now and then. */
import { openIndexRegistry } from "../../../../src/engine/index/index.ts";
import { lmdbStorage } from "../../../../src/engine/storage/lmdb.ts";

const storage = await lmdbStorage(process.argv[2]);
const registry = await openIndexRegistry(storage, { ikDictionary: () => new Uint8Array() });
const index = await registry.create("rounds", { settings: { refresh_interval: "-1" } });
for (let round = 0; ; round++) {
  const padding = "x".repeat((round * 37) % 500);
  await index.write(
    Array.from({ length: 20 }, (_, i) => ({
      kind: "index" as const,
      id: String(i),
      source: new TextEncoder().encode(JSON.stringify({ round, padding })),
    })),
  );
  await index.refresh();
  if (round % 5 === 4) await index.forceMerge({ maxSegments: 1 });
  if (round === 0) console.log("ready");
}
