/** A recorded case run by its topic: it behaves as recorded, or better in the way that the topic lists. */
import { expect } from "vitest";
import { type Case, expectClose, type Outcome, type Topic } from "./support.ts";

export async function check(topic: Topic<never>, { name, input, expected, quirk }: Case): Promise<void> {
  const outcome = await attempt(() => topic.run(input, name, expected as never));
  const asRecorded = () => {
    if (isError(expected)) return expect(outcome, "the call must fail").toHaveProperty("error");
    if (outcome.error !== undefined) throw outcome.error;
    if (topic.compare) return topic.compare(outcome.value as never, expected as never, input, name);
    return expectClose(outcome.value, expected, topic.tolerance ?? 1e-9);
  };
  // A few differences are the library's choice without the recording calling them weak: these are listed by name.
  const better = Object.entries(topic.quirks ?? {}).filter(([words]) =>
    words.startsWith("name:") ? name.includes(words.slice("name:".length)) : quirk?.includes(words),
  );
  if (better.length === 0) return asRecorded();
  try {
    await asRecorded();
  } catch (difference) {
    let reason = difference;
    for (const [, check] of better) {
      try {
        return check(outcome, expected as never, input, name);
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }
}

async function attempt(run: () => unknown): Promise<Outcome> {
  try {
    return { value: (await run()) as never };
  } catch (error) {
    return { error };
  }
}

function isError(expected: unknown): boolean {
  return typeof expected === "object" && expected !== null && "error" in expected && "message" in expected;
}
