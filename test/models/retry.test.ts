import { describe, expect, test } from "vitest";
import { retryAfter } from "../../src/models/model-error.ts";
import { sleep, waitBefore, withRetries } from "../../src/models/retry.ts";
import { ModelError } from "../../src/schema/errors.ts";

const busy = (retryAfterMs?: number) =>
  new ModelError("m", "busy", { retryable: true, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });

describe("Retry-After", () => {
  const header = (values: Record<string, string>) => (name: string) => values[name];

  test("is seconds, a date, or milliseconds of the provider's own", () => {
    const now = Date.parse("Wed, 21 Oct 2026 07:28:00 GMT");
    expect(retryAfter(header({ "retry-after": "3" }))).toBe(3000);
    expect(retryAfter(header({ "retry-after": " 0.5 " }))).toBe(500);
    expect(retryAfter(header({ "retry-after": "Wed, 21 Oct 2026 07:28:30 GMT" }), now)).toBe(30_000);
    expect(retryAfter(header({ "retry-after": "Wed, 21 Oct 2026 07:27:00 GMT" }), now)).toBe(0);
    expect(retryAfter(header({ "retry-after-ms": "12", "retry-after": "3" }))).toBe(12);
    expect(retryAfter(header({ "retry-after": "soon" }))).toBeUndefined();
    expect(retryAfter(header({}))).toBeUndefined();
  });
});

describe("waits between attempts", () => {
  test("double, are spread by chance, and are never shorter than asked for", () => {
    const waits = (random: number) => [1, 2, 3].map((n) => waitBefore(n, undefined, { random: () => random }));
    expect(waits(0)).toEqual([250, 500, 1000]);
    expect(waits(0.5)).toEqual([375, 750, 1500]);
    expect(waitBefore(1, 5000, {})).toBe(5000);
    expect(waitBefore(60, undefined, { longestWaitMs: 9000, random: () => 0.9999 })).toBeLessThanOrEqual(9000);
  });

  test("end after the last attempt, with its error", async () => {
    let calls = 0;
    const errors = [busy(), busy(), busy()];
    const waits: number[] = [];
    const work = () => Promise.reject(errors[calls++]);
    await expect(
      withRetries(work, { maxRetries: 2, firstWaitMs: 2, onRetry: ({ attempt }) => waits.push(attempt) }),
    ).rejects.toBe(errors[2]);
    expect(waits).toEqual([1, 2]);
  });

  test("are not made for errors that stay, nor when the provider asks for more than the longest", async () => {
    let calls = 0;
    const failing = (error: Error) => () => {
      calls++;
      return Promise.reject(error);
    };
    await expect(withRetries(failing(new ModelError("m", "no")), { maxRetries: 3 })).rejects.toThrow("no");
    await expect(withRetries(failing(new TypeError("bug")), { maxRetries: 3 })).rejects.toThrow("bug");
    await expect(withRetries(failing(busy(1e6)), { maxRetries: 3 })).rejects.toThrow("busy");
    expect(calls).toBe(3);
  });

  test("are ended by the signal with its reason", async () => {
    const controller = new AbortController();
    const work = withRetries(() => Promise.reject(busy(60_000)), { maxRetries: 3, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 5);
    await expect(work).rejects.toThrow("enough");
    const aborted = AbortSignal.abort(new Error("before"));
    await expect((async () => sleep(1000, aborted))()).rejects.toThrow("before");
  });
});
