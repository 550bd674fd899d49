import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answerOf, bulkBody, indexBody, searchBody } from "../../bench/peers/dsl.ts";
import { suitesOf } from "../../bench/run/prepare.ts";
import { lines, vectorsOf } from "../../bench/workload/lines.ts";
import { kindsOf, questionsOf } from "../../bench/workload/questions.ts";
import { expectedOf, rightness, sameScores } from "../../bench/workload/reference.ts";
import { type Suite, tagOf } from "../../bench/workload/types.ts";
import { openEngine } from "../../src/elasticsearch/engine.ts";

const SIZE = 300;
const QUESTIONS = 10;
const folder = mkdtempSync(join(tmpdir(), "huiliu-bench-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function filled(suite: Suite) {
  const engine = await openEngine();
  const send = async (method: string, path: string, body: string, type = "application/json") => {
    const answer = await engine.request({ method, path, body, headers: { "content-type": type } });
    expect(answer.status, answer.body).toBe(200);
    return answer.body;
  };
  await send("PUT", "/bench", indexBody(suite));
  const texts = suite.text ? [...lines(suite.texts)] : [];
  const vectors = suite.dims > 0 ? vectorsOf(suite.vectors, suite.dims, 0, SIZE) : new Float32Array(0);
  const passages = Array.from({ length: SIZE }, (_, id) => ({
    id,
    text: texts[id] ?? "",
    tag: tagOf(id),
    vector: vectors.subarray(id * suite.dims, (id + 1) * suite.dims),
  }));
  await send("POST", "/bench/_bulk?refresh=true", bulkBody(suite, passages), "application/x-ndjson");
  return { ask: (body: string) => send("POST", "/bench/_search", body), close: () => engine.close() };
}

test.each(["text-en", "text-zh", "exact-384"])(
  "the benchmark's reference, which reads every passage, and the engine give the same answers: %s",
  async (name) => {
    const [suite] = suitesOf([name], SIZE, [], folder, QUESTIONS);
    const questions = questionsOf(suite, QUESTIONS);
    const engine = await filled(suite);
    for (const kind of kindsOf(suite)) {
      const asked = questions.get(kind)!;
      const expected = expectedOf(suite, asked);
      for (const [i, question] of asked.entries()) {
        const answer = answerOf(await engine.ask(searchBody(suite, question)));
        expect(rightness(kind, expected[i], answer), `${kind}: ${question.words.join(" ")}`).toBe(1);
        // What words near to another weigh is a rule of its own; the score of a vector is not its cosine.
        if (kind !== "fuzzy" && suite.text) expect(sameScores(expected[i], answer)).toBe(true);
      }
    }
    await engine.close();
  },
);

test("passages and questions are the same for the same seed, and rightness sees what is wrong", () => {
  const [suite] = suitesOf(["text-en"], SIZE, [], folder, QUESTIONS);
  const again = suitesOf(["text-en"], SIZE, [], mkdtempSync(join(folder, "again")), QUESTIONS)[0];
  expect([...lines(again.texts)]).toEqual([...lines(suite.texts)]);
  expect(questionsOf(again, QUESTIONS)).toEqual(questionsOf(suite, QUESTIONS));
  const [expected] = expectedOf(suite, questionsOf(suite, 1).get("3 terms")!);
  const { best } = expected;
  expect(rightness("3 terms", expected, { ids: best })).toBe(1);
  expect(rightness("3 terms", expected, { ids: [...best].reverse() })).toBe(1);
  expect(rightness("3 terms", expected, { ids: best.slice(5) })).toBe(0.5);
  expect(sameScores(expected, { ids: best, scores: best.map((id) => expected.score(id)! * 1.001) })).toBe(false);
});
