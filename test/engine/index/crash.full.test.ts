import { it } from "vitest";
import { checkCrashes } from "./support/crashes.ts";

it("finds every acknowledged document after each of many kills", async () => {
  await checkCrashes(200);
});
