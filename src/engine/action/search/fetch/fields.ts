/**
 * `fields` and `ignored_field_values`: stored fields, doc values and values of the source, all under the fields' names. What comes later
 * replaces or, for doc values, joins what is there (FetchPhase, FetchDocValuesPhase, FetchFieldsPhase).
 */
import { EngineError } from "../../../errors.ts";
import type { JsonValue } from "../../../json/types.ts";
import { shardError } from "../../../query/dsl/index.ts";
import type { FetchPhaseName } from "../../../search/profile/fetch-profile.ts";
import { storedFields } from "../../stored-fields.ts";
import { docValueFields, docValueReader, ordinalsOf } from "../fields/doc-values.ts";
import { type FieldValues, fieldFetcher, printFields } from "../fields/field-fetcher.ts";
import type { FetchContext, FetchedHit, FetchSubPhase } from "./types.ts";

/** Adds fields of a hit to those that are there. */
type Collect = (hit: FetchedHit, found: Map<string, FieldValues>) => void;

export const fields: FetchSubPhase = (context) => {
  const { hits } = context;
  const collectors = PARTS.flatMap(([prepare, name]) => {
    const collect = prepare(context);
    return collect ? [{ collect, name }] : [];
  });
  if (collectors.length === 0 || hits.length === 0) return undefined;
  return (hit, shown) => {
    const found = new Map<string, FieldValues>();
    const profile = context.profile?.();
    for (const { collect, name } of collectors) {
      if (profile) profile.spend(name, () => collect(hit, found));
      else collect(hit, found);
    }
    Object.assign(shown, printFields(found));
  };
};

/** Where their values come from, and how a profile calls it. */
const PARTS: readonly (readonly [(context: FetchContext) => Collect | undefined, FetchPhaseName])[] = [
  [stored, "StoredFieldsPhase"],
  [docValues, "FetchDocValuesPhase"],
  [sourceValues, "FetchFieldsPhase"],
];

function stored({ shard, options }: FetchContext): Collect | undefined {
  if (options.storedFieldNames.length === 0) return undefined;
  const wanted = inShard(() => storedFields(shard.context.mapping, options.storedFieldNames, shard.context.nestedPath));
  return (hit, found) => {
    // A field is stored apart from the source, whatever the mapping keeps of that.
    const indexed = hit.indexed();
    for (const { name, read } of wanted) {
      const values = read(indexed);
      if (values.length > 0) found.set(name, { values, ignored: [] });
    }
  };
}

function docValues({ shard, options }: FetchContext): Collect | undefined {
  if (options.docValueFields.length === 0) return undefined;
  const wanted = docValueFields(shard, options.docValueFields);
  const readers = inShard(() =>
    [...wanted].map(([name, { format }]) => ({ name, read: docValueReader(shard, name, format) })),
  );
  return (hit, found) => {
    for (const { name, read } of readers) {
      const values = read(hit);
      if (values.length === 0) continue;
      const known = found.get(name);
      if (known === undefined) found.set(name, { values, ignored: [] });
      else known.values.push(...values);
    }
  };
}

function sourceValues({ shard, options }: FetchContext): Collect | undefined {
  if (options.fields.length === 0) return undefined;
  const fetcher = inShard(() => fieldFetcher(shard.context.mapping, options.fields));
  return (hit, found) => {
    const metadata = (name: string): JsonValue[] => {
      if (name === "_index") return [shard.index.name];
      if (name === "_id") return [hit.leaf.segment.id(hit.local)];
      if (name === "_version") return [hit.leaf.segment.version(hit.local)];
      if (name === "_routing")
        return [shard.snapshot.routing(hit.leaf, hit.local)].filter((value) => value !== undefined);
      return ordinalsOf(hit.leaf, "_ignored", hit.local);
    };
    for (const [name, values] of fetcher.fetch(hit.object(), metadata)) found.set(name, values);
  };
}

/** What fails here is the shard's. */
function inShard<T>(prepare: () => T): T {
  try {
    return prepare();
  } catch (error) {
    const own = error instanceof EngineError && error.type !== "unsupported_feature_exception";
    throw own ? shardError(error) : error;
  }
}
