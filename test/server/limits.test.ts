import { afterEach, describe, expect, it } from "vitest";
import type { RestRequest, RestResponse } from "../../src/engine/rest/types.ts";
import { type RunningServer, startServer } from "../../src/server/index.ts";
import { type LimitOptions, requestLimits, TooBusyError, TookTooLongError } from "../../src/server/limits.ts";

const never = new AbortController().signal;

/** Work that ends when it is told to. */
function task() {
  let end: () => void = () => {};
  let begun = false;
  const work = () => {
    begun = true;
    return new Promise<string>((resolve) => {
      end = () => resolve("done");
    });
  };
  return { work, end: () => end(), begun: () => begun };
}

describe("limits of requests", () => {
  it("run so many at once, let others wait in order, and refuse the rest", async () => {
    const limits = requestLimits({ concurrent: 1, waiting: 1 });
    const [first, second, third] = [task(), task(), task()];
    const one = limits.run(never, first.work);
    const two = limits.run(never, second.work);
    await expect(limits.run(never, third.work)).rejects.toThrow(TooBusyError);
    expect([first.begun(), second.begun(), limits.running, limits.waiting]).toEqual([true, false, 1, 1]);
    first.end();
    expect(await one).toBe("done");
    await expect.poll(second.begun).toBe(true);
    second.end();
    expect(await two).toBe("done");
    expect([limits.running, limits.waiting, third.begun()]).toEqual([0, 0, false]);
  });

  it("give the place of one that failed, or whose caller went away while waiting, to others", async () => {
    const limits = requestLimits({ concurrent: 1, waiting: 1 });
    await expect(limits.run(never, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    const running = task();
    const one = limits.run(never, running.work);
    const gone = new AbortController();
    const waiting = task();
    const two = limits.run(gone.signal, waiting.work);
    gone.abort();
    await expect(two).rejects.toThrow();
    running.end();
    await one;
    expect([limits.running, limits.waiting, waiting.begun()]).toEqual([0, 0, false]);
  });

  it("stop what takes too long, waiting included", async () => {
    const limits = requestLimits({ concurrent: 1, seconds: 0.05 });
    let reason: unknown;
    const slow = limits.run(
      never,
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            // It may say itself that it was stopped: that is no answer.
            setTimeout(() => resolve("cancelled"), 200);
          });
        }),
    );
    const waiting = task();
    const behind = limits.run(never, waiting.work);
    const ended = await Promise.allSettled([slow, behind]);
    for (const each of ended) expect(each).toMatchObject({ status: "rejected", reason: expect.any(TookTooLongError) });
    expect(reason).toBeInstanceOf(TookTooLongError);
    expect([limits.running, limits.waiting, waiting.begun()]).toEqual([0, 0, false]);
  });

  it("count the bytes of bodies", () => {
    const limits = requestLimits({ bodyBytes: 10 });
    limits.takeBytes(6);
    expect(() => limits.takeBytes(5)).toThrow(/would be \[11b\]/);
    limits.giveBytes(6);
    limits.takeBytes(10);
  });
});

let server: RunningServer | undefined;
afterEach(() => server?.close());

const ok: RestResponse = { status: 200, headers: { "content-type": "application/json" }, body: "{}" };
const start = async (request: (request: RestRequest) => Promise<RestResponse>, limits: LimitOptions) => {
  server = await startServer({ engine: { request }, port: 0, limits: requestLimits(limits) });
};
const ask = (init?: RequestInit) => fetch(`${server!.url}/x/_search`, init);
const errorOf = async (response: Response) => ({
  status: response.status,
  type: ((await response.json()) as { error: { type: string } }).error.type,
});

describe("a server with limits", () => {
  it("answers 429 as Elasticsearch does when too much is asked at once", async () => {
    let end: () => void = () => {};
    const wait = new Promise<void>((resolve) => {
      end = resolve;
    });
    await start(async () => wait.then(() => ok), { concurrent: 1, waiting: 0 });
    const first = ask();
    await expect.poll(async () => (await ask()).status).toBe(429);
    const refused = await ask();
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await errorOf(refused)).toEqual({ status: 429, type: "es_rejected_execution_exception" });
    end();
    expect((await first).status).toBe(200);
    expect((await ask()).status).toBe(200);
  });

  it("answers 504 when a request took too long, and tells the engine to stop", async () => {
    let stopped = false;
    await start(
      ({ signal }) =>
        new Promise((resolve) => {
          signal!.addEventListener("abort", () => {
            stopped = true;
            resolve({ ...ok, status: 400 });
          });
        }),
      { seconds: 0.05 },
    );
    expect(await errorOf(await ask())).toEqual({ status: 504, type: "timeout_exception" });
    expect(stopped).toBe(true);
  });

  it("refuses bodies that find no room, and has it again when they are answered", async () => {
    await start(async () => ok, { bodyBytes: 1000 });
    const headers = { "content-type": "application/json" };
    const post = (body: string) => ask({ method: "POST", headers, body });
    expect(await errorOf(await post("x".repeat(2000)))).toEqual({ status: 429, type: "circuit_breaking_exception" });
    for (let i = 0; i < 5; i++) expect((await post("x".repeat(900))).status).toBe(200);
  });
});
