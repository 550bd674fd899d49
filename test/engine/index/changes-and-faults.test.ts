/** A power cut while indices are made, changed and removed, and indices that an older build wrote. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type IndexRegistry, openIndexRegistry } from "../../../src/engine/index/index.ts";
import { decodeIndexRecord, encodeJson, indexKey, mappingKey } from "../../../src/engine/index/records.ts";
import type { JsonObject } from "../../../src/engine/json/types.ts";
import { memoryStorage } from "../../../src/engine/storage/memory.ts";
import { powerCut } from "./support/faults.ts";
import { documents, indexing, RESOURCES, seen, text } from "./support/indices.ts";

const NAMES = ["a", "b", "c"] as const;
const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), name }),
  fc.record({ kind: fc.constant("write" as const), name }),
  fc.record({ kind: fc.constant("delete" as const), name }),
  fc.record({
    kind: fc.constant("change" as const),
    names: fc.uniqueArray(name, { minLength: 1 }),
    closed: fc.boolean(),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What there is: of each index, what it was changed to last and how many documents it has. */
type Model = {
  readonly [name: string]: { readonly mark: string; readonly closed: boolean; readonly documents: number };
};

function after(model: Model, action: Step, mark: string): Model {
  const next = { ...model };
  if (action.kind === "create") next[action.name] ??= { mark: "", closed: false, documents: 0 };
  else if (action.kind === "delete") delete next[action.name];
  else if (action.kind === "write") {
    const before = next[action.name];
    if (before !== undefined) next[action.name] = { ...before, documents: before.documents + 1 };
  } else if (action.names.every((each) => next[each] !== undefined))
    for (const each of action.names) next[each] = { ...next[each], mark, closed: action.closed };
  return next;
}

async function apply(registry: IndexRegistry, action: Step, mark: string): Promise<void> {
  if (action.kind === "create") await registry.create(action.name, {});
  else if (action.kind === "delete") await registry.delete(action.name);
  else if (action.kind === "write") await registry.get(action.name)?.write([indexing(undefined, { mark })]);
  else {
    await registry.change(() =>
      action.names.map((each) => ({ name: each, aliases: { [`${each}-${mark}`]: {} }, closed: action.closed })),
    );
  }
}

function found(registry: IndexRegistry): Model {
  return Object.fromEntries(
    registry.list().map((index) => {
      const [alias = ""] = Object.keys(index.aliases);
      const mark = alias.slice(alias.indexOf("-") + 1);
      return [index.name, { mark, closed: index.closed, documents: seen(index, documents).length }];
    }),
  );
}

describe("a power cut while indices change", () => {
  it("leaves every change that was acknowledged, and the one under way wholly or not at all", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 3, maxLength: 20 }),
        fc.nat({ max: 30 }),
        fc.infiniteStream(fc.boolean()),
        async (steps, writes, luck) => {
          const memory = memoryStorage();
          const survives = () => luck.next().value as boolean;
          const power = powerCut(memory, writes + 1, survives);
          let model: Model = {};
          let under: Model | undefined;
          const work = async () => {
            const registry = await openIndexRegistry(power.storage, RESOURCES, { bufferBytes: 6000 });
            for (const [at, action] of steps.entries()) {
              under = after(model, action, `m${at}`);
              // Removing what is not there, and changing closed indices' documents, is refused.
              await apply(registry, action, `m${at}`).then(
                () => {
                  model = under as Model;
                },
                () => undefined,
              );
              under = undefined;
            }
          };
          await Promise.race([power.cut, work()]);
          await power.restore();
          const registry = await openIndexRegistry(memory, RESOURCES);
          for (const index of registry.list()) await index.refresh();
          const now = found(registry);
          if (under !== undefined && JSON.stringify(now) !== JSON.stringify(sorted(model))) expect(now).toEqual(under);
          else expect(now).toEqual(model);
          expect((await registry.verify()).damaged).toEqual([]);
          await registry.close();
          expect([...memory.range(["dropped"])]).toEqual([]);
          expect([...memory.range(["mapping"])]).toHaveLength(Object.keys(now).length);
        },
      ),
      { numRuns: 150 },
    );
  });
});

const sorted = (model: Model): Model => Object.fromEntries(Object.entries(model).sort(([a], [b]) => (a < b ? -1 : 1)));

describe("an index of an older build", () => {
  it("opens although this one refuses its mapping, or a document that no segment holds yet", async () => {
    const memory = memoryStorage();
    const registry = await openIndexRegistry(memory, RESOURCES);
    const index = await registry.create("old", { mappings: { properties: { k: { type: "keyword" } } } });
    await index.write([indexing("plain", { k: "e" }), indexing("two terms", { k: "é" })]);
    const record = decodeIndexRecord(memory.get(indexKey("old")) as Uint8Array, "", "old");
    const analysis: JsonObject = {
      filter: { both: { type: "asciifolding", preserve_original: true } },
      normalizer: { both: { type: "custom", filter: ["both"] } },
    };
    await memory.transact([
      { put: indexKey("old"), value: encodeJson({ ...record, settings: { ...record.settings, analysis } }) },
      {
        put: mappingKey(record.uuid),
        value: encodeJson({
          dynamic_templates: [{ t: { match: "x", mapping: { type: "nope" } } }],
          properties: {
            k: { type: "keyword", normalizer: "both" },
            o: { type: "object" },
            c: { type: "keyword", copy_to: ["o"] },
          },
        }),
      },
    ]);
    const reopened = await openIndexRegistry(memory, RESOURCES);
    const again = reopened.get("old");
    expect(text(again?.get("two terms")?.source)).toBe('{"k":"é"}');
    await again?.refresh();
    expect(again === undefined ? [] : seen(again, documents).map(([id]) => id)).toEqual(["plain", "two terms"]);
    await expect(again?.write([indexing("new", { k: "é" })])).resolves.toMatchObject([{ type: expect.any(String) }]);
    await reopened.close();
  });
});
