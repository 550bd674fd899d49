/** `index.blocks.*`: what may not be done with an index (ClusterBlocks). */
import { EngineError } from "../errors.ts";
import { ofSettings, settingOf } from "../index/settings.ts";
import type { Index } from "../index/types.ts";

export type BlockedLevel = "read" | "write" | "metadata_read" | "metadata_write";

interface Block {
  readonly setting: string;
  readonly levels: readonly BlockedLevel[];
  readonly text: string;
  readonly status: number;
}

/** In the order in which several are told. */
const BLOCKS: readonly Block[] = [
  {
    setting: "read_only_allow_delete",
    levels: ["write"],
    text:
      "TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block; for more information, " +
      "see https://www.elastic.co/guide/en/elasticsearch/reference/8.17/fix-watermark-errors.html",
    status: 429,
  },
  {
    setting: "metadata",
    levels: ["metadata_read", "metadata_write"],
    text: "FORBIDDEN/9/index metadata (api)",
    status: 403,
  },
  { setting: "write", levels: ["write"], text: "FORBIDDEN/8/index write (api)", status: 403 },
  { setting: "read", levels: ["read"], text: "FORBIDDEN/7/index read (api)", status: 403 },
  {
    setting: "read_only",
    levels: ["write", "metadata_write"],
    text: "FORBIDDEN/5/index read-only (api)",
    status: 403,
  },
];

/** Names that `PUT /{index}/_block/{name}` takes. */
export const BLOCK_NAMES: readonly string[] = ["metadata", "read", "read_only", "write"];

const blocksOf = ofSettings((settings) =>
  BLOCKS.filter(({ setting }) => settingOf(settings, `blocks.${setting}`) === "true"),
);

/** @throws cluster_block_exception when one of the indices is blocked */
export function checkBlocks(indices: readonly Index[], level: BlockedLevel): void {
  const blocked = indices.flatMap((index) => {
    const own = blocksOf(index.settings).filter(({ levels }) => levels.includes(level));
    return own.length === 0 ? [] : [{ index, own }];
  });
  if (blocked.length === 0) return;
  const reason = blocked.map(
    ({ index, own }) => `index [${index.name}] blocked by: [${own.map(({ text }) => text).join(", ")}];`,
  );
  // What may be tried again is told so only where nothing else stands in the way.
  const status = Math.min(...blocked.flatMap(({ own }) => own.map((block) => block.status)));
  throw new EngineError("cluster_block_exception", reason.join(""), { status });
}

/** Whether a change of settings is one that takes a block away, or puts one: these are heard whatever blocks there are. */
export function changesBlocks(names: readonly string[]): boolean {
  const own = ["metadata", "read_only", "read_only_allow_delete"];
  return names.length === 1 && own.some((setting) => names[0] === `index.blocks.${setting}`);
}
