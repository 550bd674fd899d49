import { it } from "vitest";
import { checkCrashes } from "./support/crashes.ts";

it("finds every acknowledged document after a writer was killed at any moment", async () => {
  await checkCrashes(3);
});
