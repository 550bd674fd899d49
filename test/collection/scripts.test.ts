import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCollection } from "../../src/collection/collection.ts";
import type { FileOutcome, Notice } from "../../src/collection/types.ts";
import { document } from "../../src/schema/index.ts";

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "huiliu-scripts-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));

test("a question in a script that the embedding does not know is answered by words alone, and the result says so", async () => {
  const collection = await openCollection("c", { data });
  const outcomes: FileOutcome[] = [];
  await collection.addDocuments(
    [
      document({ id: "ru", text: "Ежегодный отпуск длится пять дней." }),
      document({ id: "en", text: "Annual leave is five days." }),
    ],
    { onFile: (outcome) => outcomes.push(outcome) },
  );
  expect(outcomes.map(({ file, unknownScripts }) => [file, unknownScripts])).toEqual([
    ["ru", ["Cyrillic"]],
    ["en", undefined],
  ]);
  const notices: Notice[] = [];
  const onNotice = (notice: Notice) => notices.push(notice);
  const hits = await collection.search("отпуск", { onNotice });
  expect(hits.map(({ ranks }) => ranks?.map(({ list }) => list))).toEqual([["bm25"]]);
  expect(notices).toEqual([
    { code: "SCRIPTS_UNKNOWN", scripts: ["Cyrillic"], message: expect.stringMatching(/words alone/) as string },
  ]);
  expect(await collection.search("отпуск", { strategy: "dense", onNotice })).toEqual([]);
  expect(notices[1]!.message).toMatch(/search by words \(strategy "bm25"\)/);
  await collection.search("отпуск", { strategy: "bm25", onNotice });
  await collection.search("annual leave", { onNotice });
  expect(notices).toHaveLength(2);
  const answer = await collection.ask("отпуск");
  expect(answer.metadata["notices"]).toMatchObject([{ code: "SCRIPTS_UNKNOWN" }]);
  expect((await collection.ask("annual leave")).metadata).not.toHaveProperty("notices");
  await collection.close();
});

test("identifiers are found by the words in them, by meaning as well", async () => {
  const collection = await openCollection("c", { data });
  await collection.addDocuments([
    document({ id: "code", text: "sendMailToCustomer(customerAddress)" }),
    document({ id: "other", text: "The printer stands on the second floor." }),
  ]);
  const [best] = await collection.search("send a mail to the customer", { strategy: "dense" });
  expect(best!.node.text).toContain("sendMailToCustomer");
  expect(best!.score).toBeGreaterThan(0.8);
  await collection.close();
});
