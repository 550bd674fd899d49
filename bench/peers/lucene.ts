/** Lucene in the JVM: `bench/lucene`, built with Maven on first use. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { TEXT_KINDS } from "../workload/types.ts";
import type { Peer } from "./types.ts";

const FOLDER = fileURLToPath(new URL("../lucene", import.meta.url));
const JAR = `${FOLDER}/target/bench-lucene-1.jar`;

const runs = (program: string) => spawnSync(program, ["-version"], { stdio: "ignore" }).status === 0;
const inJvm = async (): Promise<never> => {
  throw new Error("Lucene runs in a process of its own");
};

export const lucene: Peer = {
  name: "Lucene",
  lucene: true,
  settings:
    "9.12.0, heap of 1 GiB, one thread, RAM buffer of 128 MB, one segment, BM25 with the factor k1 + 1, no query cache; HNSW over int8 (Lucene99HnswScalarQuantizedVectorsFormat) with 16 and 100, 100 candidates; ids from doc values",
  command: () => ["java", "-Xms512m", "-Xmx1g", "-cp", [JAR, `${FOLDER}/target/lib/*`].join(delimiter), "bench.Main"],
  missing() {
    if (!runs("java")) return "there is no java";
    if (existsSync(JAR)) return undefined;
    if (!runs("mvn")) return "there is no mvn to build bench/lucene with";
    console.error("building bench/lucene …");
    const built = spawnSync("mvn", ["-q", "-B", "package"], { cwd: FOLDER, encoding: "utf8" });
    return built.status === 0 ? undefined : `bench/lucene could not be built: ${built.stdout.slice(0, 300)}`;
  },
  kinds({ dims, text, exact }) {
    if (dims === 0) return TEXT_KINDS;
    return text || exact ? [] : ["kNN", "kNN, filtered"];
  },
  create: inJvm,
  open: inJvm,
};
