import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, openEngine } from "../../../src/elasticsearch/engine.ts";
import { type Answer, answerOf } from "./recorded/answers.ts";
import { optionRequests } from "./recorded/options.ts";
import { recordedRequests } from "./recorded/requests.ts";
import { BATCHES, INDICES, SHELF } from "./recorded/world.ts";

// Expected outcomes: Elasticsearch 8.17.4, see recorded/record.ts.
const read = (name: string) => JSON.parse(readFileSync(new URL(`recorded/${name}`, import.meta.url), "utf8"));

let engine: Engine;
const send = (method: string, path: string, body: string) =>
  engine.request({ method, path, headers: { "content-type": "application/json" }, body });

beforeAll(async () => {
  engine = await openEngine();
  for (const [index, definition] of Object.entries(INDICES)) {
    expect((await send("PUT", `/${index}`, JSON.stringify(definition))).status).toBe(200);
  }
  for (const batch of BATCHES) {
    const { body } = await send(
      "POST",
      "/_bulk?refresh=true",
      batch.map((line) => `${JSON.stringify(line)}\n`).join(""),
    );
    expect(JSON.parse(body).errors).toBe(false);
  }
});
afterAll(() => engine.close());

async function search(target: string, body: string): Promise<Answer | "refused"> {
  const answer = await send("POST", `/${target}/_search`, body);
  if (answer.body.includes('"unsupported_feature_exception"')) return "refused";
  return answerOf(answer.status, JSON.parse(answer.body));
}

/** Scores may differ in the last digits. */
function rounded(answer: Answer | "refused"): unknown {
  if (answer === "refused") return answer;
  const round = (score: number | null | undefined) =>
    typeof score === "number" ? Number(score.toPrecision(5)) : score;
  return {
    ...answer,
    ...(answer.max === undefined ? {} : { max: round(answer.max) }),
    ...(answer.hits
      ? { hits: answer.hits.map(([index, id, score, ...more]) => [index, id, round(score), ...more]) }
      : {}),
  };
}

/** Where this engine answers differently on purpose, or where Elasticsearch fails itself. */
const DEVIATIONS: readonly (readonly [why: string, part: string])[] = [
  ["scores beyond what a float holds break the node's queue of hits", '"boost":3e+38'],
  ["scores that are no numbers break the node's queue of hits", '"tie_breaker":"NaN"'],
  ["scores that are no numbers are ordered differently", '"negative_boost":"NaN"'],
  ["infinite scores have no maximum on the node", '"negative_boost":1e40'],
  ["bodies are read whole: a broken string is found before a query asks for it", '"k":"a\u0001b"'],
  ["bodies are read whole: a broken string is found before a query asks for it", '"k":"\\x"'],
  ["bodies are read whole: their depth is found before that of queries", '{"dis_max":{"queries":['.repeat(400)],
  ["a day that does not exist is a date that cannot be read", '"2024-02-30"'],
  ["a format without a date reads no date on the node", '"format":0'],
];
const deviates = (body: string) => DEVIATIONS.some(([, part]) => body.includes(part));

const short = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);

describe("searches answer as recorded", () => {
  const answers: Answer[] = read("answers.json");
  const requests = recordedRequests();
  it("has an answer for each", () => expect(answers).toHaveLength(requests.length));
  it.each(
    requests
      .map(({ target, body }, at) => ({ target, body, name: short(body), at }))
      .filter(({ body }) => !deviates(body)),
  )("$target: $name", async ({ target, body, at }) => {
    const answer = await search(target, body);
    if (answer !== "refused") expect(rounded(answer)).toEqual(rounded(answers[at]));
  });
});

describe("options of every kind of value answer as recorded", () => {
  const { answers, places } = read("options.json") as {
    answers: Answer[];
    places: Record<string, Record<string, number>>;
  };
  it.each(Object.keys(places))("%s", async (place) => {
    const requests = optionRequests().filter((request) => request.place === place);
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const { value, body } of requests) {
      const answer = deviates(body) ? "refused" : await search(SHELF, body);
      if (answer === "refused") continue;
      found[value] = rounded(answer);
      expected[value] = rounded(answers[places[place][value]]);
    }
    expect(found).toEqual(expected);
  });
});
