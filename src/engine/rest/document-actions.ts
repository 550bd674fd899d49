/** Calls on single documents: index, create, delete, get, source, update, mget; and bulk. */
import { bulk, type WriteOutcome, writeOne } from "../action/bulk.ts";
import { type FetchSource, fetchSourceParams, WHOLE_SOURCE } from "../action/fetch-source.ts";
import { type GetResult, getDocument, multiGet, parseMultiGet } from "../action/get.ts";
import { resolveOne } from "../action/index-names.ts";
import { parseUpdate } from "../action/update.ts";
import { validateWrites, validationFailed, versionTypeOf, type WriteRequest } from "../action/write.ts";
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { inHashOrder } from "../mapping/java-text.ts";
import { sourceOf } from "../mapping/source-filter.ts";
import { parseBulk } from "./bulk-body.ts";
import { type Action, acceptTimeouts, activeShards, type Call, refreshPolicy, required, requiredBody } from "./call.ts";
import { describeError, errorObject, statusOf } from "./errors.ts";
import type { ResponseValue } from "./types.ts";

type Fields = { [key: string]: ResponseValue | undefined };

const STATUS = { created: 201, updated: 200, deleted: 200, noop: 200, not_found: 404 } as const;

function shards(outcome: WriteOutcome): Fields {
  const replicas = Number(
    (outcome.index?.settings as { number_of_replicas?: unknown } | undefined)?.number_of_replicas ?? 1,
  );
  return { total: 1 + (Number.isFinite(replicas) ? replicas : 1), successful: 1, failed: 0 };
}

function written(outcome: WriteOutcome, forced: boolean): Fields {
  const { index, result, request, source } = outcome;
  const wanted = request.update?.fetchSource;
  return {
    _index: index!.name,
    _id: result!.id,
    _version: result!.version,
    result: result!.result,
    forced_refresh: forced ? true : undefined,
    _shards: shards(outcome),
    _seq_no: result!.seqNo,
    _primary_term: result!.primaryTerm,
    get:
      wanted?.fetch && source !== undefined
        ? {
            _seq_no: result!.seqNo,
            _primary_term: result!.primaryTerm,
            found: true,
            _source: shownSource(source, wanted),
          }
        : undefined,
  };
}

/** What is filtered is read into hash maps first. */
function shownSource(source: Uint8Array, wanted: FetchSource): ResponseValue {
  const shown = sourceOf(source, wanted);
  return shown instanceof Uint8Array ? shown : inHashOrder(shown);
}

/** Parameters that all writes have in common, in the order in which Elasticsearch reads them. */
function writeParams(
  call: Call,
): Pick<WriteRequest, "routing" | "version" | "versionType" | "ifSeqNo" | "ifPrimaryTerm"> {
  const routing = call.params.text("routing");
  const version = call.params.has("version") ? call.params.long("version") : undefined;
  const type = call.params.text("version_type");
  const versionType = type === undefined ? undefined : versionTypeOf(type);
  const ifSeqNo = call.params.long("if_seq_no");
  const ifPrimaryTerm = call.params.long("if_primary_term");
  if (ifSeqNo !== undefined && ifSeqNo < 0)
    throw illegalArgument(`sequence numbers must be non negative. got [${ifSeqNo}].`);
  if (ifPrimaryTerm !== undefined && ifPrimaryTerm < 0) {
    throw illegalArgument(`primary term must be non negative. got [${ifPrimaryTerm}]`);
  }
  return { routing, version, versionType, ifSeqNo, ifPrimaryTerm };
}

function refusePipeline(call: Call): void {
  const pipeline = call.params.text("pipeline");
  if (pipeline !== undefined && pipeline !== "_none") throw unsupported("pipeline");
  if (call.params.flag("require_data_stream")) throw unsupported("require_data_stream");
}

/** Where a new document is found. Ids of a path are well formed: they were decoded from bytes. */
function locationOf(outcome: WriteOutcome): Record<string, string> {
  if (outcome.result!.result !== "created") return {};
  return { location: `/${encodeURIComponent(outcome.index!.name)}/_doc/${encodeURIComponent(outcome.result!.id)}` };
}

function indexAction(fixed?: "create"): Action {
  return (call) => {
    const id = call.params.text("id");
    refusePipeline(call);
    const source = requiredBody(call, "request body is required");
    acceptTimeouts(call);
    const refresh = refreshPolicy(call);
    const params = writeParams(call);
    const requireAlias = call.params.flag("require_alias");
    activeShards(call);
    const opType = fixed ?? call.params.text("op_type")?.toLowerCase();
    if (opType !== undefined && opType !== "index" && opType !== "create") {
      throw illegalArgument(`opType must be 'create' or 'index', found: [${opType}]`);
    }
    const action = opType === "create" || id === undefined ? "create" : "index";
    const request: WriteRequest = { action, index: required(call, "index"), id, requireAlias, ...params, source };
    return async () => {
      const outcome = await writeOne(call.registry, request, { refresh, signal: call.signal });
      const status = STATUS[outcome.result!.result];
      return {
        status,
        body: written(outcome, refresh === "immediate"),
        headers: locationOf(outcome),
      };
    };
  };
}

export const indexDocument: Action = indexAction();
export const createDocument: Action = indexAction("create");

export const deleteDocument: Action = (call) => {
  acceptTimeouts(call);
  const refresh = refreshPolicy(call);
  const request: WriteRequest = {
    action: "delete",
    index: required(call, "index"),
    id: required(call, "id"),
    ...writeParams(call),
  };
  activeShards(call);
  return async () => {
    const outcome = await writeOne(call.registry, request, { refresh, signal: call.signal });
    return { status: STATUS[outcome.result!.result], body: written(outcome, refresh === "immediate") };
  };
};

export const updateDocument: Action = (call) => {
  acceptTimeouts(call);
  const refresh = refreshPolicy(call);
  activeShards(call);
  const params = writeParams(call);
  const retryOnConflict = call.params.int("retry_on_conflict");
  const docAsUpsert = call.params.flag("doc_as_upsert");
  const requireAlias = call.params.flag("require_alias");
  const fetchSource = fetchSourceParams(call.params);
  if (params.version !== undefined || params.versionType !== undefined) {
    throw validationFailed([
      "internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead",
    ]);
  }
  const body = call.raw();
  const parsed = body.length === 0 ? { docAsUpsert: false, detectNoop: true } : parseUpdate(body);
  const request: WriteRequest = {
    action: "update",
    index: required(call, "index"),
    id: required(call, "id"),
    update: {
      ...parsed,
      docAsUpsert: parsed.docAsUpsert || docAsUpsert === true,
      fetchSource: parsed.fetchSource ?? fetchSource,
    },
    routing: params.routing,
    retryOnConflict,
    requireAlias,
    ifSeqNo: params.ifSeqNo ?? parsed.ifSeqNo,
    ifPrimaryTerm: params.ifPrimaryTerm ?? parsed.ifPrimaryTerm,
  };
  validateWrites([request]);
  return async () => {
    const outcome = await writeOne(call.registry, request, { refresh, signal: call.signal });
    const noop = outcome.result!.result === "noop";
    const body = written(outcome, refresh === "immediate" && !noop);
    const status = STATUS[outcome.result!.result];
    return {
      status,
      body: noop ? { ...body, _shards: { total: 0, successful: 0, failed: 0 } } : body,
      headers: locationOf(outcome),
    };
  };
};

export const bulkDocuments: Action = (call) => {
  refusePipeline(call);
  call.params.accept("type");
  if (call.params.flag("list_executed_pipelines")) throw unsupported("list_executed_pipelines");
  const defaults = {
    index: call.params.text("index"),
    routing: call.params.text("routing"),
    fetchSource: fetchSourceParams(call.params),
  };
  activeShards(call);
  const requireAlias = call.params.flag("require_alias");
  acceptTimeouts(call);
  const refresh = refreshPolicy(call);
  const body = call.bytes();
  if (body.length === 0) {
    throw new EngineError("parse_exception", "could not parse bulk request body", {
      cause: new EngineError("parse_exception", "request body is required"),
    });
  }
  const started = performance.now();
  const requests = parseBulk(body, { ...defaults, requireAlias });
  validateWrites(requests);
  return async () => {
    const outcomes = await bulk(call.registry, requests, { refresh, signal: call.signal });
    const items = outcomes.map((outcome): Fields => {
      const { request, error, index } = outcome;
      if (error === undefined)
        return {
          [request.action]: { ...written(outcome, refresh === "immediate"), status: STATUS[outcome.result!.result] },
        };
      const failed = {
        _index: index?.name ?? request.index,
        _id: request.id ?? null,
        status: statusOf(error),
        error: describeError(error),
      };
      return { [request.action]: failed };
    });
    const errors = outcomes.some((outcome) => outcome.error !== undefined);
    return { body: { errors, took: Math.floor(performance.now() - started), items } };
  };
};

// ---- reading

function readParams(
  call: Call,
  without: readonly string[] = [],
): {
  source: FetchSource | undefined;
  refresh: boolean;
  realtime: boolean;
  version?: number;
  versionType?: string;
  storedFields?: readonly string[];
  routing?: string | undefined;
} {
  call.params.accept("preference");
  if (call.params.flag("force_synthetic_source")) throw unsupported("force_synthetic_source");
  const text = (name: string) => (without.includes(name) ? undefined : call.params.text(name));
  const type = text("version_type");
  return {
    routing: call.params.text("routing"),
    refresh: call.params.flag("refresh") ?? false,
    realtime: call.params.flag("realtime") ?? true,
    source: fetchSourceParams(call.params),
    storedFields: without.includes("stored_fields") ? undefined : call.params.list("stored_fields"),
    version: text("version") === undefined ? undefined : call.params.long("version"),
    versionType: type === undefined ? undefined : versionTypeOf(type),
  };
}

/** Who asks for stored fields gets the source only when it is among them. */
const sourceBeside = (stored: readonly string[] | undefined): FetchSource =>
  stored === undefined || stored.includes("_source") ? WHOLE_SOURCE : { ...WHOLE_SOURCE, fetch: false };

/** @param stored names of stored fields that were asked for; who asks for none and no source is not told the routing either */
function found(result: GetResult, source: FetchSource, stored: readonly string[] = []): Fields {
  const { index, id, document, fields, ignored = [] } = result;
  if (document === undefined) return { _index: index, _id: id, found: false };
  return {
    _index: index,
    _id: id,
    _version: document.version,
    _seq_no: document.seqNo,
    _primary_term: document.primaryTerm,
    _routing: source.fetch || stored.length > 0 ? document.routing : undefined,
    _ignored: ignored.length > 0 ? ignored : undefined,
    found: true,
    _source: source.fetch && document.source ? sourceOf(document.source, source) : undefined,
    fields,
  };
}

export const getOneDocument: Action = (call) => {
  const { source: wanted, ...options } = readParams(call);
  const source = wanted ?? sourceBeside(options.storedFields);
  const index = required(call, "index");
  const id = required(call, "id");
  return async () => {
    const result = await getDocument(call.registry, { index, id, ...options });
    return { status: result.document === undefined ? 404 : 200, body: found(result, source, options.storedFields) };
  };
};

export const getSource: Action = (call) => {
  const { source = WHOLE_SOURCE, ...options } = readParams(call, ["stored_fields", "version", "version_type"]);
  if (!source.fetch) throw validationFailed(["fetching source can not be disabled"]);
  const index = required(call, "index");
  const id = required(call, "id");
  return async () => {
    const { document } = await getDocument(call.registry, { index, id, ...options });
    if (document === undefined) {
      throw new EngineError("resource_not_found_exception", `Document not found [${index}]/[${id}]`, { status: 404 });
    }
    if (document.source === undefined) {
      throw new EngineError("resource_not_found_exception", `Source not found [${index}]/[${id}]`, { status: 404 });
    }
    return { body: sourceOf(document.source, source) };
  };
};

export const getManyDocuments: Action = (call) => {
  const without = ["version", "version_type"];
  const { source: fallback, refresh, realtime, storedFields, routing } = readParams(call, without);
  const index = call.params.text("index");
  if (!call.hasBody) throw new EngineError("parse_exception", "request body or source parameter is required");
  const requests = parseMultiGet(call.raw(), index);
  return async () => {
    if (refresh)
      for (const name of new Set(requests.map((request) => request.index))) {
        await resolveOne(call.registry, name).refresh();
      }
    const results = await multiGet(call.registry, requests, { realtime, storedFields, routing });
    const docs = results.map((result, at): Fields => {
      if ("error" in result)
        return { _index: requests[at].index, _id: requests[at].id, error: errorObject(result.error) };
      const { source, storedFields: own } = requests[at];
      const stored = own ?? storedFields;
      return found(result, source ?? fallback ?? sourceBeside(stored), stored);
    });
    return { body: { docs } };
  };
};
