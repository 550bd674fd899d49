/** The recorded answers of Elasticsearch to `_analyze`. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type AnalyzedField,
  analyzeRequest,
  createAnalysisRegistry,
  withPositionGap,
} from "../../../src/engine/analysis/index.ts";
import { EngineError } from "../../../src/engine/errors.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { resources } from "./resources.ts";

interface Scene {
  name: string;
  index: Record<
    string,
    {
      settings: { analysis?: JsonObject; "index.max_ngram_diff"?: number };
      mappings?: { properties?: Record<string, Record<string, string>> };
    }
  >;
  requests: { name: string; path: string; body: JsonObject; status: number; expected: JsonObject }[];
}

const scenes = JSON.parse(readFileSync(new URL("../../cases/analysis.json", import.meta.url), "utf8")) as Scene[];

function indexOf(scene: Scene, name: string) {
  const { settings, mappings } = scene.index[name];
  const analysis = createAnalysisRegistry(
    { analysis: settings.analysis, maxNgramDiff: settings["index.max_ngram_diff"] },
    resources,
  );
  const field = (path: string): AnalyzedField | undefined => {
    const mapped = mappings?.properties?.[path];
    if (mapped === undefined) return undefined;
    const analyzer = mapped.analyzer === undefined ? analysis.default : analysis.get(mapped.analyzer);
    return {
      family: mapped.type,
      ...(mapped.type === "text" && analyzer !== undefined
        ? { indexAnalyzer: withPositionGap(analyzer, Number(mapped.position_increment_gap ?? 100)) }
        : {}),
      ...(mapped.normalizer === undefined ? {} : { normalizer: analysis.normalizer(mapped.normalizer) }),
    };
  };
  return { analysis, field };
}

/** What the engine refuses so far: only these, and each with its reason. */
const refused = new Map<string, string>();

for (const scene of scenes) {
  for (const request of scene.requests) {
    const [, index, action] = /^(?:\/([^/]+))?\/(_\w+)$/.exec(request.path) ?? [];
    if (action !== "_analyze" || (index !== undefined && scene.index[index] === undefined)) continue;
    test(`${scene.name}: ${request.name}`, () => {
      let answer: JsonObject;
      try {
        const context = { resources, ...(index === undefined ? {} : { index: indexOf(scene, index) }) };
        answer = analyzeRequest(request.body, context);
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        if (error.type === "unsupported_feature_exception") {
          refused.set(`${scene.name}: ${request.name}`, error.reason);
          return;
        }
        const expected = request.expected as { error?: { type: string; reason: string } };
        expect(error.status).toBe(request.status);
        expect(error.type).toBe(expected.error?.type);
        // The place in the body is the reader's to add.
        expect(error.reason).toBe(expected.error?.reason.replace(/^\[\d+:\d+\] /, ""));
        return;
      }
      expect(answer).toEqual(request.expected);
    });
  }
}

test("what is refused is known", () => {
  const counts: Record<string, number> = {};
  for (const reason of refused.values()) counts[reason] = (counts[reason] ?? 0) + 1;
  expect(counts).toEqual({});
});
