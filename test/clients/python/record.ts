/** Asks a node what the scripts get from it: `tsx test/clients/python/record.ts [--url http://127.0.0.1:9200]`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { FOLDER, findPython, installed, PREFIX, recordedPath, runScript } from "./python.ts";

const { values } = parseArgs({ options: { url: { type: "string", default: "http://127.0.0.1:9200" } } });
const folder = mkdtempSync(join(tmpdir(), "huiliu-python-"));
const found = findPython();
const python = found && installed(found, folder);
if (python === undefined || typeof python === "string") throw new Error(python ?? "no Python with pip was found");
mkdirSync(join(FOLDER, "recorded"), { recursive: true });
for (const script of ["elasticsearch_client.py", "elasticsearch_store.py"]) {
  const steps = runScript(python, script, ["--url", values.url, "--prefix", PREFIX, "--core"]);
  const lines = Object.entries(steps).map(([name, answer]) => `${JSON.stringify(name)}: ${JSON.stringify(answer)}`);
  writeFileSync(recordedPath(script), `{\n${lines.join(",\n")}\n}\n`);
}
rmSync(folder, { recursive: true, force: true });
