/** Reading documents by id: the newest state, refreshed or not. */
import { EngineError, illegalArgument, parsingError, unsupported } from "../errors.ts";
import type { Index, IndexRegistry, StoredDocument } from "../index/types.ts";
import { parseJson } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { type FetchSource, parseFetchSource } from "./fetch-source.ts";
import { resolveOne } from "./index-names.ts";
import { tokenOf } from "./update.ts";
import { validationFailed } from "./write.ts";

export interface GetRequest {
  /** Name of an index or alias. */
  readonly index: string;
  readonly id: string;
  readonly refresh?: boolean;
  /** False: the state of the last refresh. */
  readonly realtime?: boolean;
  /** Fails when the document has another version. */
  readonly version?: number;
  readonly versionType?: string;
}

export interface GetResult {
  /** Name of the index behind an alias. */
  readonly index: string;
  readonly id: string;
  readonly document: StoredDocument | undefined;
}

function read(index: Index, request: GetRequest): GetResult {
  // The last refresh keeps sources by document number only, not the version that a reader would be shown.
  if (request.realtime === false) throw unsupported("realtime=false");
  const document = index.get(request.id);
  const { version, versionType = "internal" } = request;
  if (document !== undefined && version !== undefined && version !== -3) {
    const conflict = versionType === "external_gte" ? document.version < version : document.version !== version;
    if (conflict) {
      throw new EngineError(
        "version_conflict_engine_exception",
        `[${request.id}]: version conflict, current version [${document.version}] is different than the one provided [${version}]`,
        { status: 409, metadata: { index_uuid: index.uuid, shard: "0", index: index.name } },
      );
    }
  }
  return { index: index.name, id: request.id, document };
}

export async function getDocument(registry: IndexRegistry, request: GetRequest): Promise<GetResult> {
  const index = resolveOne(registry, request.index);
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
  for (const [key, value] of Object.entries(fields)) {
    if (key === "_id") id = value === null ? undefined : String(value);
    else if (key === "_index") name = String(value);
    else if (key === "_source") source = parseFetchSource(value);
    else if (key === "version") version = Number(value);
    else if (key === "version_type") versionType = String(value);
    else if (key === "stored_fields") throw unsupported("stored_fields");
    else if (key !== "routing") {
      throw new EngineError("parse_exception", `failed to parse multi get request. unknown field [${key}]`);
    }
  }
  return { id, index: name, source, version, versionType };
}

/** Reads the body of `_mget`: `ids` of one index, or `docs` with what is wanted of each. */
export function parseMultiGet(body: Uint8Array | string, index: string | undefined): MultiGetItem[] {
  const root = parseJson(body);
  if (!isObject(root)) throw parsingError(`unexpected token [${tokenOf(root)}], expected [START_OBJECT]`);
  const items: ReturnType<typeof parseItem>[] = [];
  for (const [key, list] of Object.entries(root)) {
    const known = (key === "docs" || key === "ids") && Array.isArray(list);
    if (!known) throw parsingError(`unknown key [${key}] for a ${tokenOf(list)}, expected [docs] or [ids]`);
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
  options: { realtime: boolean },
): Promise<(GetResult | { error: unknown })[]> {
  return requests.map((request) => {
    try {
      return read(resolveOne(registry, request.index), { ...request, realtime: options.realtime });
    } catch (error) {
      return { error };
    }
  });
}
