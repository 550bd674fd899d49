/**
 * Indices: what the storage holds between a document that is written and a search that finds it.
 *
 * `registry.ts` opens the indices of a storage; `writer.ts` is an index in the process that writes, `reader.ts` in all others. The way of a
 * write: `versions.ts` (may it?), `write-plan.ts` (parsed, and turned into records), one transaction, `write-buffer.ts`; the way of a refresh:
 * buffer, segment, one transaction that names it (`segments.ts`), a new generation for searches (`snapshots.ts`); then `merging.ts` by
 * `merge-policy.ts`. `records.ts` lists what is stored, `tidying.ts` removes what is not needed any more, `recovery.ts` is what
 * opening does after a crash, `verify.ts` checks it all.
 * `settings.ts`, `similarity.ts` and `definition.ts` read settings as Elasticsearch does.
 */
export { indexNotFound } from "./names.ts";
export { openIndexRegistry } from "./registry.ts";
export type * from "./types.ts";
export type { WriterOptions } from "./writer-index.ts";
