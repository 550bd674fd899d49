/** A small bilingual collection in memory. */
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection } from "../../src/collection/types.ts";
import { type Engine, openEngine } from "../../src/elasticsearch/engine.ts";
import { type Document, document } from "../../src/schema/index.ts";

export const NOTES: readonly Document[] = [
  document({
    id: "leave.md",
    text: "Annual leave is ten days.\n\nIt is approved by the manager.",
    metadata: { file: "leave.md", tenant: "a" },
  }),
  document({ id: "婚假.md", text: "婚假为三天，须提前申请。", metadata: { file: "婚假.md", tenant: "a" } }),
  document({
    id: "secret/pay.md",
    text: "The pay of the board is a secret.",
    metadata: { file: "secret/pay.md", tenant: "b" },
  }),
];

export interface Opened {
  engine: Engine;
  collection: Collection;
  close(): Promise<void>;
}

export async function openNotes(documents: readonly Document[] = NOTES, name = "notes"): Promise<Opened> {
  const engine = await openEngine();
  const collection = await openCollection(name, { elasticsearch: engine.client() });
  await collection.addDocuments(documents);
  return { engine, collection, close: () => engine.close() };
}
