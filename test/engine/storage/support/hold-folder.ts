/** A process that holds a data folder for writing and does what its standard input says: `put VALUE`, `grow`. */
import { createInterface } from "node:readline";
import { lmdbStorage } from "../../../../src/engine/storage/lmdb.ts";

const storage = await lmdbStorage(process.argv[2]);
console.log("open");
for await (const line of createInterface({ input: process.stdin })) {
  const [command, value] = line.split(" ");
  if (command === "put") await storage.transact([{ put: ["k"], value: new TextEncoder().encode(value) }]);
  if (command === "grow") {
    for (let i = 0; i < 200; i++) await storage.transact([{ put: ["big", i], value: new Uint8Array(100_000) }]);
  }
  console.log(line);
}
