import { expect } from "vitest";
import { autoRetriever, defineRetriever, RETRIEVAL_SPEC_SCHEMA } from "../../../src/retrieval/index.ts";
import { mockLanguageModel } from "../../../src/testing.ts";
import type { Topic } from "../support.ts";

interface Schema {
  $defs: { FilterOperator: { enum: string[] } };
}

export const topic: Topic<object> = {
  async run(_, name) {
    if (name.startsWith("json schema")) {
      const { condition: _, ...properties } = RETRIEVAL_SPEC_SCHEMA.properties;
      return { ...RETRIEVAL_SPEC_SCHEMA, properties };
    }
    const model = mockLanguageModel({ answers: [""] });
    const index = { asRetriever: () => defineRetriever(() => []) };
    const info = { contentInfo: "handbook", metadataInfo: [{ name: "n", type: "int", description: "number" }] };
    const prompt = "{schema_str}\u0000{info_str}\u0000{query_str}";
    await autoRetriever({ index, model, ...info, prompt }).retrieve("question {x}");
    return model.calls[0]!.prompt!.split("\u0000");
  },
  compare(actual: Schema | string[], expected: Schema & { variables?: string[] }) {
    if (Array.isArray(actual)) {
      const [schema, info, query] = actual;
      expect(expected.variables).toEqual(["schema_str", "info_str", "query_str"]);
      expect(schema).toContain('"filters"');
      expect(info).toBe(JSON.stringify(JSON.parse(info!), null, 4));
      expect(query).toBe("question {x}");
      return;
    }
    // The order of the operators says nothing.
    const sorted = ({ $defs, ...rest }: Schema) => ({
      ...rest,
      $defs: { ...$defs, FilterOperator: { ...$defs.FilterOperator, enum: [...$defs.FilterOperator.enum].sort() } },
    });
    expect(sorted(actual)).toEqual(sorted(expected));
  },
};
