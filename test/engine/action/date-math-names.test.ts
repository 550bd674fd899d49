/** Names of indices with dates: what they stand for, as a node answered. */
import { describe, expect, it } from "vitest";
import { openEngine } from "../../../src/elasticsearch/engine.ts";
import { dateMathName } from "../../../src/engine/action/date-math-names.ts";

const NOW = Date.UTC(2026, 10, 30, 16, 3);

describe("a name with a date", () => {
  it.each([
    ["<x-{now/d}>", "x-2026.11.30"],
    ["<x-{now/M}>", "x-2026.11.01"],
    ["<x-{now/M-1M{yyyy.MM}}>", "x-2026.10"],
    ["<x-{now/d{yyyy.MM.dd|+12:00}}>", "x-2026.12.01"],
    ["<x-{now{yyyy-MM-dd|Europe/Berlin}}>", "x-2026-11-30"],
    ["<x-{now}-{now/M{yyyy}}>", "x-2026.11.30-2026"],
    ["<x\\{y\\}-{now}>", "x{y}-2026.11.30"],
    ["<x-*-{now/y{yyyy}}>", "x-*-2026"],
    ["<x-{2024.01.02||+1M}>", "x-2024.02.02"],
    ["<x>", "x"],
    ["<x\\>", "x"],
    ["<X-{now}>", "X-2026.11.30"],
    ["-<x-{now}>", "-<x-{now}>"],
    ["x-{now}", "x-{now}"],
    ["<", "<"],
  ])("%s is %s", (expression, name) => expect(dateMathName(expression, NOW)).toBe(name));

  it.each([
    ["<x-{now>", "invalid dynamic name expression [x-{now>]. date math placeholder is open ended"],
    ["<x-{now{yyyy}>", "invalid dynamic name expression [x-{now{yyyy}>]. date math placeholder is open ended"],
    ["<x-{now/d{}}>", "invalid dynamic name expression [now/d{}]. missing date format"],
    [
      "<x}>",
      "invalid dynamic name expression [x}>]. invalid character at position [2]. `{` and `}` are reserved characters and " +
        "should be escaped when used as part of the index name using `\\` (e.g. `\\{text\\}`)",
    ],
    ["<>", "nothing captured"],
    ["<x-{}>", "cannot parse empty datetime"],
    ["<x-{now/}>", "truncated date math [/]"],
    ["<x{now|}>", "operator not supported for date math [|]"],
  ])("%s is none: %s", (expression, reason) => {
    expect(() => dateMathName(expression, NOW)).toThrow(
      expect.objectContaining({ type: "parse_exception", reason, status: 400 }) as Error,
    );
  });

  it("of an unknown zone or format is none", () => {
    expect(() => dateMathName("<x-{now{yyyy|Foo}}>")).toThrow(
      expect.objectContaining({
        type: "zone_rules_exception",
        reason: "Unknown time-zone ID: Foo",
        status: 500,
      }) as Error,
    );
    expect(() => dateMathName("<x-{now{foo}}>")).toThrow("Invalid format: [foo]: Unknown pattern letter: f");
    expect(() => dateMathName("<x-{now{|UTC}}>")).toThrow("No date pattern provided");
  });
});

it("indices are made, written, found and deleted under the name that it stands for", async () => {
  const engine = await openEngine();
  const [expression, name] = ["<log-{now+100y/y{yyyy}}>", `log-${new Date().getUTCFullYear() + 100}`];
  const ask = async (method: string, path: string, body = "") => {
    const type = path.startsWith("/_bulk") ? "application/x-ndjson" : "application/json";
    const answer = await engine.request({ method, path, body, headers: { "content-type": type } });
    return { status: answer.status, body: JSON.parse(answer.body) };
  };
  const path = `/${encodeURIComponent(expression)}`;
  try {
    expect((await ask("PUT", path)).body.index).toBe(name);
    expect((await ask("PUT", `${path}/_doc/1`, "{}")).body._index).toBe(name);
    const lines = `{"index":{"_index":${JSON.stringify(expression)},"_id":"2"}}\n{}\n`;
    expect((await ask("POST", "/_bulk?refresh=true", lines)).body.items[0].index._index).toBe(name);
    expect((await ask("GET", `${path}/_doc/2`)).body).toMatchObject({ _index: name, found: true });
    expect((await ask("GET", `${path}/_search`)).body.hits.total.value).toBe(2);
    const broken = await ask("POST", "/_bulk", `${lines}{"index":{"_index":"<x{now>"}}\n{}\n`);
    expect(broken).toMatchObject({ status: 400, body: { error: { type: "parse_exception" } } });
    expect((await ask("DELETE", path)).body).toEqual({ acknowledged: true });
    expect((await ask("GET", `${path}/_search`)).body.error.reason).toBe(`no such index [${name}]`);
  } finally {
    await engine.close();
  }
});
