import { afterEach, describe, expect, it, vi } from "vitest";
import { createSearchContexts, decodeContextId } from "../../../../src/engine/action/search/contexts.ts";

afterEach(() => vi.useRealTimers());

function held(kind: "scroll" | "pit", indices: readonly string[], keepAlive: number) {
  const release = vi.fn();
  return { context: { kind, indices, keepAlive, state: "state", release }, release };
}

describe("what searches leave open", () => {
  it("goes when it was not used for as long as it says, looked at once a minute", () => {
    vi.useFakeTimers();
    let now = 0;
    const contexts = createSearchContexts(() => now);
    const short = held("pit", ["a"], 1000);
    const long = held("pit", ["b"], 600_000);
    const id = decodeContextId(contexts.open(short.context), "pit")!;
    contexts.open(long.context);
    now = 30_000;
    vi.advanceTimersByTime(30_000);
    contexts.use(id)?.done();
    expect(short.release).not.toHaveBeenCalled();
    now = 60_000;
    vi.advanceTimersByTime(30_000);
    expect(short.release).toHaveBeenCalledOnce();
    expect(long.release).not.toHaveBeenCalled();
    expect(contexts.use(id)).toBeUndefined();
    contexts.close();
    expect(long.release).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is let go of after the request that still works with it", () => {
    const contexts = createSearchContexts();
    const { context, release } = held("scroll", ["a"], 1000);
    const id = decodeContextId(contexts.open(context), "scroll")!;
    const used = contexts.use(id)!;
    expect(contexts.free(id)).toBe(true);
    expect(release).not.toHaveBeenCalled();
    used.done();
    expect(release).toHaveBeenCalledOnce();
    expect(contexts.free(id)).toBe(false);
  });

  it("has room for 500 shards of scrolls, and as many points in time as come", () => {
    const contexts = createSearchContexts();
    const many = Array.from({ length: 499 }, (_, i) => `index ${i}`);
    contexts.open(held("scroll", many, 1000).context);
    expect(() => contexts.checkRoom("scroll", 1)).not.toThrow();
    expect(() => contexts.checkRoom("scroll", 2)).toThrow("Trying to create too many scroll contexts");
    expect(() => contexts.checkRoom("pit", 1000)).not.toThrow();
    expect(contexts.freeAll("scroll")).toBe(499);
    expect(() => contexts.checkRoom("scroll", 500)).not.toThrow();
    contexts.close();
  });

  it("is not found by the ids of another engine, of another kind, or of nobody", () => {
    const [one, other] = [createSearchContexts(), createSearchContexts()];
    const id = one.open(held("pit", ["é", "目录"], 1000).context);
    expect(decodeContextId(id, "pit")?.shards.map(([index]) => index)).toEqual(["é", "目录"]);
    expect(decodeContextId(id, "scroll")).toBeUndefined();
    expect(other.use(decodeContextId(id, "pit")!)).toBeUndefined();
    for (const text of ["", "x", "e30=", "W10=", id.slice(0, -8)]) expect(decodeContextId(text, "pit")).toBeUndefined();
    one.close();
    other.close();
  });
});
