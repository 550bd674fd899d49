/**
 * Clients in Python against `huiliu serve`: the official client with its helpers and vector stores, and LlamaIndex's ElasticsearchStore. What
 * the scripts in `python/` got from a real node stands in `python/recorded/` (`record.ts` there asks it again), and has to be what they get here.
 * Runs where a Python with pip is found that can install `python/requirements.txt`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { buildPackage, command } from "../built.ts";
import { findPython, installed, PREFIX, type Python, recordedOf, runScript, type Steps } from "./python/python.ts";

const folder = mkdtempSync(join(tmpdir(), "huiliu-python-"));
let why = "";
let python: Python;
let url = "";
let server: ChildProcess | undefined;

beforeAll(async () => {
  const found = findPython();
  if (found === undefined) why = "no Python of version 3.9 or later with pip and venv was found";
  else {
    const ready = installed(found, join(folder, "venv"));
    if (typeof ready === "string") why = `pip could not install python/requirements.txt: ${ready}`;
    else python = ready;
  }
  if (why !== "") return console.warn(`Clients in Python are not tested: ${why}`);
  await buildPackage();
  server = spawn(process.execPath, [command, "serve", "--port", "0", "--data", join(folder, "data")], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of server.stdout!) {
    said += chunk;
    url = /http:\/\/\S+/.exec(said)?.[0] ?? "";
    if (url !== "") break;
  }
}, 600_000);
afterAll(async () => {
  if (server) {
    const stopped = once(server, "exit");
    server.kill("SIGINT");
    await stopped;
  }
  rmSync(folder, { recursive: true, force: true });
});

function steps(context: TestContext, script: string): Steps {
  if (why !== "") context.skip(why);
  return runScript(python, script, ["--url", url, "--prefix", PREFIX]);
}

const refused = (feature: string) => ({
  raised: "BadRequestError",
  status: 400,
  error: expect.objectContaining({
    type: "unsupported_feature_exception",
    reason: expect.stringMatching(new RegExp(`^\\[${feature}.*\\] is not supported by the embedded engine$`)),
  }),
});

describe("Python", () => {
  it("the official client, its helpers and its vector stores", (context) => {
    const got = steps(context, "elasticsearch_client.py");
    const recorded = recordedOf("elasticsearch_client.py");
    for (const [name, answer] of Object.entries(recorded)) expect({ [name]: got[name] }).toEqual({ [name]: answer });
    // What the node lacks, as documented.
    const others = Object.fromEntries(Object.entries(got).filter(([name]) => !(name in recorded)));
    expect(others).toMatchObject({
      reindex: [5, 0],
      reindexed: 5,
      "data streams": { data_streams: [] },
      "data streams by name": { raised: "NotFoundError", status: 404 },
      delete_by_query: { total: 3, deleted: 3, batches: 1, version_conflicts: 0, failures: [] },
      "after delete_by_query": 4,
      gzip: [1, []],
      "of what was compressed": [["big", expect.any(Number)]],
      "ES|QL": refused("_query"),
      "reindex by the server": refused("_reindex"),
      update_by_query: refused("_update_by_query"),
      "sparse: add": refused("_ingest"),
      "dense by script: search": refused("script_score"),
      "hybrid: search": got["hybrid: fused by hand"],
      "hybrid: delete by query": true,
      "hybrid: left": 5,
    });
  });

  it("LlamaIndex's ElasticsearchStore", (context) => {
    if (why === "" && python.version < 310) context.skip("LlamaIndex needs Python 3.10");
    const got = steps(context, "elasticsearch_store.py");
    const recorded = recordedOf("elasticsearch_store.py");
    for (const [name, answer] of Object.entries(recorded)) expect({ [name]: got[name] }).toEqual({ [name]: answer });
    const others = Object.fromEntries(Object.entries(got).filter(([name]) => !(name in recorded)));
    const deleted = (name: string) => ({
      [`${name}: delete a document`]: null,
      [`${name}: left after it`]: ["n4", "n5", "n6"],
      [`${name}: delete_nodes by filter`]: null,
      [`${name}: delete_nodes by both`]: null,
      [`${name}: left at last`]: 1,
    });
    expect(others).toMatchObject({
      ...deleted("dense"),
      ...deleted("BM25"),
      "hybrid: query": { ids: ["n1", "n2", "n6"], similarities: [1, expect.any(Number), 0] },
      "hybrid: filter": { ids: ["n1", "n2", "n4"], similarities: [1, expect.any(Number), 0] },
    });
  });
});
