/** What of an index goes with it to another place: its mapping and those of its settings that decide what searches find. */
import type { Client, estypes } from "@elastic/elasticsearch";
import { type CallOptions, HuiliuError, InvalidArgumentError } from "../schema/index.ts";

/** Why an index was not copied, or not to its end. Code `COPY_FAILED`. */
export class CopyError extends HuiliuError {
  readonly index: string;
  constructor(index: string, message: string, options?: { cause?: unknown }) {
    super("COPY_FAILED", `${index}: ${message}`, options);
    this.index = index;
  }
}

/** Stands in the copy's `_meta` under this name. */
export const MARK = "huiliu_copy";

/** How far a copy is. */
export interface Mark {
  /** The original's uuid. */
  source: string;
  state: "copying" | "complete";
  /** The original's sequence number up to which all is copied. */
  cursor: number;
}

export interface Original {
  index: string;
  uuid: string;
  mappings: estypes.MappingTypeMapping;
  settings: Record<string, unknown>;
  /** Settings that were set and stay behind. */
  leftOut: string[];
}

/** Settings that decide what is found, how texts are cut up, and what a search may ask. */
const KEPT = new Set([
  "analysis",
  "analyze",
  "codec",
  "highlight",
  "mapping",
  "max_docvalue_fields_search",
  "max_inner_result_window",
  "max_ngram_diff",
  "max_regex_length",
  "max_rescore_window",
  "max_result_window",
  "max_script_fields",
  "max_shingle_diff",
  "max_slices_per_scroll",
  "max_terms_count",
  "number_of_shards",
  "query",
  "refresh_interval",
  "routing_partition_size",
  "similarity",
  "sort",
]);
/** Of the place or made by it; nobody misses them in the copy. */
const OF_THE_PLACE = new Set([
  "auto_expand_replicas",
  "creation_date",
  "history",
  "number_of_replicas",
  "provided_name",
  "resize",
  "routing",
  "uuid",
  "version",
]);

/** @throws CopyError when there is no such index, or one whose documents cannot be read back */
export async function originalOf(client: Client, name: string, { signal }: CallOptions): Promise<Original> {
  const found = await client.indices.get({ index: name }, { ignore: [404], ...(signal ? { signal } : {}), meta: true });
  const all = found.statusCode === 404 ? [] : Object.entries(found.body);
  if (all.length === 0) throw new CopyError(name, "there is no such index to copy");
  if (all.length > 1) {
    const names = all.map(([index]) => index).join(", ");
    throw new InvalidArgumentError("index", name, `${name} names several indices (${names}): copy one at a time`);
  }
  const [index, { mappings = {}, settings: outer }] = all[0]!;
  const settings = ((outer as { index?: Record<string, unknown> } | undefined)?.index ?? {}) as Record<string, unknown>;
  const own = mappings._meta?.[MARK] as Mark | undefined;
  if (own?.state === "copying") throw new CopyError(index, "it is a copy itself, and not whole: finish that one first");
  const { _source: source } = mappings;
  const mode = settings["mode"];
  if (mode !== undefined && mode !== "standard") {
    throw new CopyError(
      index,
      `it is an index of the mode [${String(mode)}], whose documents are not kept as they were written`,
    );
  }
  if (
    source &&
    (source.enabled === false ||
      source.includes?.length ||
      source.excludes?.length ||
      (source.mode ?? "stored") !== "stored")
  ) {
    throw new CopyError(
      index,
      "it does not keep its documents as they were written (_source), so they cannot be copied",
    );
  }
  const kept = Object.fromEntries(Object.entries(settings).filter(([key]) => KEPT.has(key)));
  const leftOut = Object.keys(settings).filter((key) => !KEPT.has(key) && !OF_THE_PLACE.has(key));
  return { index, uuid: String(settings["uuid"]), mappings, settings: kept, leftOut };
}

/** The mark of a copy; undefined where an index is none, or is not there (`exists`). */
export async function markOf(
  client: Client,
  index: string,
  { signal }: CallOptions,
): Promise<{ exists: boolean; mark?: Mark }> {
  const answer = await client.indices.getMapping(
    { index },
    { ignore: [404], meta: true, ...(signal ? { signal } : {}) },
  );
  if (answer.statusCode === 404) return { exists: false };
  const mark = Object.values(answer.body)[0]?.mappings._meta?.[MARK] as Mark | undefined;
  return { exists: true, ...(mark ? { mark } : {}) };
}

/** Makes the index of a copy. */
export async function makeCopy(
  client: Client,
  index: string,
  { mappings, settings, uuid }: Original,
  replicas: boolean,
  { signal }: CallOptions,
): Promise<Mark> {
  const mark: Mark = { source: uuid, state: "copying", cursor: -1 };
  await client.indices.create(
    {
      index,
      mappings: { ...mappings, _meta: { ...mappings._meta, [MARK]: mark } },
      settings: { ...settings, ...(replicas ? { auto_expand_replicas: "0-1" } : {}) },
    },
    signal ? { signal } : {},
  );
  return mark;
}

export async function setMark(client: Client, index: string, { mappings }: Original, mark: Mark): Promise<void> {
  await client.indices.putMapping({ index, _meta: { ...mappings._meta, [MARK]: mark } });
}
