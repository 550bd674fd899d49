import { describe, expect, test } from "vitest";
import { batches } from "../../src/embedding/batches.ts";
import { pacer } from "../../src/embedding/pacer.ts";

/** A clock that moves when somebody waits. */
function clock() {
  let time = 0;
  return {
    now: () => time,
    wait: async (ms: number) => {
      time += ms;
    },
  };
}

describe("the pace of calls", () => {
  test("keeps to requests and to tokens a minute, whichever is slower", async () => {
    const { now, wait } = clock();
    const pace = pacer({ concurrency: 1, requestsPerMinute: 60, tokensPerMinute: 6000, now, wait });
    const times: number[] = [];
    for (const tokens of [10, 500, 10, 10]) await pace.run(tokens, undefined, async () => times.push(now()));
    expect(times).toEqual([0, 1000, 6000, 7000]);
  });

  test("lets nothing out during a pause, not even what waits already", async () => {
    const { now, wait } = clock();
    const pace = pacer({ concurrency: 4, now, wait });
    pace.pause(5000);
    await pace.run(1, undefined, async () => expect(now()).toBe(5000));
  });

  test("never has more calls at the same time than allowed, and goes on after errors", async () => {
    const pace = pacer({ concurrency: 3 });
    let running = 0;
    let most = 0;
    const work = async (i: number) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      if (i % 2 === 0) throw new Error("odd");
      return i;
    };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => pace.run(1, undefined, () => work(i))),
    );
    expect(most).toBe(3);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  });
});

describe("batches", () => {
  test("end at their count and at their tokens; a text that is too large stands alone", () => {
    const sized = (list: number[]) => list.map((tokens, i) => ({ text: String(i), tokens }));
    const tokens = (list: number[], n: number, t: number) =>
      batches(sized(list), n, t).map((batch) => batch.map((text) => text.tokens));
    expect(tokens([1, 1, 1, 1, 1], 2, 100)).toEqual([[1, 1], [1, 1], [1]]);
    expect(tokens([4, 4, 4, 20, 1], 10, 10)).toEqual([[4, 4], [4], [20], [1]]);
    expect(tokens([], 10, 10)).toEqual([]);
  });
});
