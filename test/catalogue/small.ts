/** A few passages about leave in an index in memory, with metadata of every kind. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnySearch, runStrategy } from "../../src/catalogue/index.ts";
import { openCollection } from "../../src/collection/collection.ts";
import type { Collection, CollectionOptions } from "../../src/collection/types.ts";
import type { StrategyWarning } from "../../src/retrieval/index.ts";
import { type Document, document } from "../../src/schema/index.ts";

export const PASSAGES: [id: string, text: string, metadata: Record<string, string | number>][] = [
  [
    "marriage",
    "婚假共十天，须提前七个工作日申请。",
    { level: "员工", views: 10, effective: "2024-01-01", tenant: "a" },
  ],
  [
    "personal",
    "请事假应提前一个工作日申请，假期按日扣除工资。",
    { level: "员工", views: 1000, effective: "2020-01-01", tenant: "a" },
  ],
  [
    "annual",
    "年休假须提前七个工作日申请，由直属主管批准。",
    { level: "经理", views: 100, effective: "2023-06-01", tenant: "b" },
  ],
  ["wedding", "参加婚礼可以请半天的假。", { level: "经理", views: 1, effective: "not a date", tenant: "b" }],
  [
    "english",
    "Managers approve annual leave; leaves longer than a week need the director.",
    { level: "manager", views: 5, tenant: "b" },
  ],
];

export interface Small {
  collection: Collection;
  /** Ids of what a strategy finds, best first. */
  ids(query: string, options?: AnySearch): Promise<string[]>;
  warnings: StrategyWarning[];
  close(): Promise<void>;
}

export async function openSmall(options: CollectionOptions = {}, documents?: Document[]): Promise<Small> {
  const data = await mkdtemp(join(tmpdir(), "huiliu-small-"));
  const collection = await openCollection("small", { data, ...options });
  const { failed } = await collection.addDocuments(
    documents ?? PASSAGES.map(([id, text, metadata]) => document({ id, text, metadata: { name: id, ...metadata } })),
  );
  if (failed.length > 0) throw failed[0]!.error;
  const warnings: StrategyWarning[] = [];
  return {
    collection,
    warnings,
    async ids(query, search = {}) {
      warnings.length = 0;
      const hits = await runStrategy(collection, query, { onWarning: (warning) => warnings.push(warning), ...search });
      return hits.map(({ node }) => String(node.metadata["name"]));
    },
    async close() {
      await collection.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
