/**
 * What the server says of its routes, tried by schemathesis: requests made from the description, valid and not, none of which may fail on the
 * server's side or be answered in another shape than is described. Runs where a Python with pip is found that can install it.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type Serving, serve } from "../../src/server/serve.ts";
import { findPython, installed, type Python } from "../clients/python/python.ts";

const folder = mkdtempSync(join(tmpdir(), "huiliu-openapi-"));
let why = "";
let python: Python;
let engine: Engine;
let server: Serving;

const post = (method: string, path: string, body: object) =>
  fetch(`${server.url}/_huiliu${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

beforeAll(async () => {
  const found = findPython();
  const ready =
    found === undefined
      ? "no Python of version 3.9 or later with pip and venv was found"
      : installed(found, join(folder, "venv"), "schemathesis.txt");
  if (typeof ready === "string") {
    why = ready;
    return console.warn(`The routes are not tried by schemathesis: ${why}`);
  }
  python = ready;
  engine = await openEngine();
  server = await serve({
    engine,
    port: 0,
    collection: "notes",
    openCollection: (name, client, { write = false, create = false, analysis }) =>
      openCollection(name, { elasticsearch: client, readOnly: !write, create, ...(analysis ? { analysis } : {}) }),
  });
  await post("PUT", "/collections/0", {});
  await post("POST", "/collections/0/documents", { documents: [{ id: "0", text: "Annual leave is ten days." }] });
}, 600_000);
afterAll(async () => {
  await server?.close();
  await engine?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program to its end, its output whole. */
function run(file: string, args: readonly string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(
      file,
      args,
      { maxBuffer: 2 ** 26, cwd: folder, env: { ...process.env, NO_COLOR: "1" } },
      (error, out, err) =>
        resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, out: `${out}${err}` }),
    );
  });
}

describe("the description of the routes", () => {
  it("holds for whatever is sent: nothing fails, and answers are as described", async (context) => {
    if (why !== "") context.skip(why);
    const { code, out } = await run(python.command, [
      ...["-m", "schemathesis.cli", "run", `${server.url}/_huiliu/openapi.json`],
      ...["--phases", "coverage,fuzzing", "--max-examples", "8", "--seed", "1", "--request-timeout", "60"],
      ...[
        "--checks",
        "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
      ],
      // Its answer is a stream.
      ...["--exclude-operation-id", "ask", "--no-color"],
    ]);
    expect(out.match(/(\d+) generated/)?.[1]).toSatisfy((count: string) => Number(count) > 100);
    expect(code, out.slice(-6000)).toBe(0);
  });
});
