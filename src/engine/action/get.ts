/** Reading documents by id: the newest state, refreshed or not. */
import { EngineError, illegalArgument, parsingError } from "../errors.ts";
import type { Index, IndexRegistry, StoredDocument } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { errorAt } from "../query/dsl/read.ts";
import { checkBlocks } from "./blocks.ts";
import { type FetchSource, parseFetchSource } from "./fetch-source.ts";
import { resolveOne } from "./index-names.ts";
import { checkRouting, resolveRouting } from "./routing.ts";
import { storedFieldsOfDocument } from "./stored-fields.ts";
import { tokenOf } from "./update.ts";
import { validationFailed } from "./write.ts";

export interface GetRequest {
  /** Name of an index or alias. */
  readonly index: string;
  readonly id: string;
  readonly routing?: string | undefined;
  readonly refresh?: boolean;
  /** False: the state of the last refresh. */
  readonly realtime?: boolean;
  /** Fails when the document has another version. */
  readonly version?: number;
  readonly versionType?: string;
  /** Names of stored fields, and `_source`. */
  readonly storedFields?: readonly string[];
}

export interface GetResult {
  /** Name of the index behind an alias. */
  readonly index: string;
  readonly id: string;
  readonly document: StoredDocument | undefined;
  /** `_ignored`, where it was asked for. */
  readonly ignored?: readonly string[];
  /** Stored fields that were asked for. */
  readonly fields?: { readonly [field: string]: readonly JsonValue[] };
}

/** A document as the last refresh left it. */
export function searchable(index: Index, id: string): StoredDocument | undefined {
  const snapshot = index.acquire();
  try {
    for (const leaf of snapshot.leaves) {
      const { segment, live } = leaf;
      const doc = segment.docOf(id);
      if (doc < 0 || (live !== undefined && !live.get(doc))) continue;
      const indexed = snapshot.indexed(leaf, doc);
      if (indexed === undefined) continue;
      const source = snapshot.source(leaf, doc);
      const routing = snapshot.routing(leaf, doc);
      const { version, seqNo } = segment;
      return { id, source, indexed, version: version(doc), seqNo: seqNo(doc), primaryTerm: 1, routing };
    }
    return undefined;
  } finally {
    snapshot.release();
  }
}

function read(index: Index, request: GetRequest): GetResult {
  const document = request.realtime === false ? searchable(index, request.id) : index.get(request.id);
  const { version } = request;
  if (document !== undefined && version !== undefined && version !== -3) {
    // A read wants this very version, whatever its type says of writes.
    if (document.version !== version) {
      throw new EngineError(
        "version_conflict_engine_exception",
        `[${request.id}]: version conflict, current version [${document.version}] is different than the one provided [${version}]`,
        { status: 409, metadata: { index_uuid: index.uuid, shard: "0", index: index.name } },
      );
    }
  }
  const wanted = document === undefined ? [] : (request.storedFields ?? []).filter((name) => name !== "_source");
  const read = { index: index.name, id: request.id, document };
  if (document === undefined || wanted.length === 0) return read;
  const source = parseJson(document.indexed) as JsonObject;
  const ignored = wanted.includes("_ignored") ? ignoredFields(index, document, source) : [];
  return { ...read, ignored, fields: storedFieldsOfDocument(index.mapping, wanted, source) };
}

/** Names of fields whose values were ignored: no segment may have the document yet. */
function ignoredFields({ mapping }: Index, { id, seqNo, version }: StoredDocument, source: JsonObject): string[] {
  const { docs } = mapping.parse({ id, source, seqNo, version }).block;
  const names = docs[docs.length - 1].fields.find(
    ({ kind, field }) => kind === "ordinals" && field.name === "_ignored",
  );
  return names?.kind === "ordinals" ? [...names.values].sort() : [];
}

export async function getDocument(registry: IndexRegistry, request: GetRequest): Promise<GetResult> {
  const index = resolveOne(registry, request.index);
  checkBlocks([index], "read");
  checkRouting(index, request.id, resolveRouting(registry, request.index, request.routing));
  if (request.refresh) await index.refresh();
  return read(index, request);
}

export interface MultiGetItem extends GetRequest {
  readonly source?: FetchSource;
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  value !== undefined && tokenOf(value) === "START_OBJECT";

function parseItem(
  fields: JsonObject,
  index: string | undefined,
): Omit<MultiGetItem, "id" | "index"> & { id?: string; index?: string } {
  let id: string | undefined;
  let name = index;
  let source: FetchSource | undefined;
  let version: number | undefined;
  let versionType: string | undefined;
  let stored: readonly string[] | undefined;
  let routing: string | undefined;
  for (const [key, value] of Object.entries(fields)) {
    if (key === "_id") id = value === null ? undefined : String(value);
    else if (key === "_index") name = String(value);
    else if (key === "_source") {
      if (value === null) continue;
      if (typeof value === "number" || value instanceof JsonNumber) {
        throw new EngineError("parse_exception", `illegal type for _source: [${tokenOf(value)}]`);
      }
      source = parseFetchSource(value);
    } else if (key === "version") version = Number(value);
    else if (key === "version_type") versionType = String(value);
    else if (key === "stored_fields") {
      stored = Array.isArray(value) ? value.map((name: JsonValue) => String(name)) : [String(value)];
    } else if (key === "routing") {
      routing = value === null ? undefined : String(value);
    } else {
      throw new EngineError("parse_exception", `failed to parse multi get request. unknown field [${key}]`);
    }
  }
  return { id, index: name, source, routing, version, versionType, storedFields: stored };
}

/** Reads the body of `_mget`: `ids` of one index, or `docs` with what is wanted of each. */
export function parseMultiGet(body: Uint8Array | string, index: string | undefined): MultiGetItem[] {
  const root = parseJson(body, { positions: true });
  if (!isObject(root)) throw parsingError(`unexpected token [${tokenOf(root)}], expected [START_OBJECT]`);
  const items: ReturnType<typeof parseItem>[] = [];
  for (const [key, list] of Object.entries(root)) {
    const known = key === "docs" || key === "ids";
    if (!Array.isArray(list)) {
      const reason = `unexpected token [${tokenOf(list)}], expected [FIELD_NAME] or [START_ARRAY]`;
      throw errorAt(root, { value: key }, reason);
    }
    if (!known) throw errorAt(root, { value: key }, `unknown key [${key}] for a START_ARRAY, expected [docs] or [ids]`);
    for (const item of list as readonly JsonValue[]) {
      if (key === "ids") {
        if (item === null || (typeof item === "object" && !(item instanceof JsonNumber))) {
          throw illegalArgument("ids array element should only contain ids");
        }
        items.push({ id: String(item), index });
      } else if (isObject(item)) items.push(parseItem(item, index));
      else throw illegalArgument("docs array element should include an object");
    }
  }
  if (items.length === 0) throw validationFailed(["no documents to get"]);
  const problems: string[] = [];
  items.forEach((item, at) => {
    if (item.index === undefined) problems.push(`index is missing for doc ${at}`);
    if (item.id === undefined) problems.push(`id is missing for doc ${at}`);
  });
  if (problems.length > 0) throw validationFailed(problems);
  return items as MultiGetItem[];
}

/** Reads many documents; each that cannot be read has its error in its place. */
export async function multiGet(
  registry: IndexRegistry,
  requests: readonly MultiGetItem[],
  options: { realtime: boolean; storedFields?: readonly string[]; routing?: string | undefined },
): Promise<(GetResult | { error: unknown })[]> {
  return requests.map((request) => {
    try {
      const index = resolveOne(registry, request.index);
      checkBlocks([index], "read");
      const { id, index: name, routing = options.routing } = request;
      checkRouting(index, id, resolveRouting(registry, name, routing));
      return read(index, {
        ...request,
        realtime: options.realtime,
        storedFields: request.storedFields ?? options.storedFields,
      });
    } catch (error) {
      return { error };
    }
  });
}
