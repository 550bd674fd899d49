/** The lines of a bulk request: an action, then (but for deletes) a document or an update. */

import { withSource } from "../action/content.ts";
import { type FetchSource, parseFetchSource } from "../action/fetch-source.ts";
import { parseUpdate, primaryTerm, sequenceNumber, tokenOf } from "../action/update.ts";
import { versionTypeOf, type WriteRequest } from "../action/write.ts";
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { parseJson } from "../json/parse.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { readBoolean, readInt, readLong, readText, textOf } from "../query/dsl/read.ts";

export interface BulkDefaults {
  readonly index?: string;
  readonly requireAlias?: boolean;
  readonly routing?: string | undefined;
  /** Source that updates return, where the update does not say. */
  readonly fetchSource?: FetchSource;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Lines without their ends. The last one must have an end. */
function* lines(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from);
    if (end < 0) throw illegalArgument("The bulk request must be terminated by a newline [\\n]");
    yield bytes.subarray(from, end > from && bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end);
    from = end + 1;
  }
}

const ACTIONS = ["create", "delete", "index", "update"];

type Meta = { -readonly [K in keyof WriteRequest]?: WriteRequest[K] } & { fetchSource?: FetchSource };

const KNOWN = new Set([
  "_index",
  "_id",
  "routing",
  "op_type",
  "version",
  "version_type",
  "if_seq_no",
  "if_primary_term",
  "retry_on_conflict",
  "require_alias",
  "_source",
  "pipeline",
  "list_executed_pipelines",
  "require_data_stream",
]);

/** Versions' word for "any version". */
const ANY_VERSION = -3;

/** Reads the fields of an action, in their order: whatever is null is stepped over, and all others but two are scalars. */
function metaOf(fields: JsonObject, action: string, line: number): Meta {
  const meta: Meta = {};
  for (const [key, value] of Object.entries(fields)) {
    if (value === null) continue;
    if (key === "dynamic_templates" && tokenOf(value) === "START_OBJECT") {
      for (const name of Object.keys(value as JsonObject)) readText(value as JsonObject, name);
      if (action === "update" || action === "delete") {
        const request = action === "update" ? "Update" : "Delete";
        throw illegalArgument(`${request} request in line [${line}] does not accept dynamic_templates`);
      }
      if (Object.keys(value as JsonObject).length > 0) throw unsupported("dynamic_templates in bulk requests");
      continue;
    }
    const token = tokenOf(value);
    if (token === "START_ARRAY" || (token === "START_OBJECT" && key !== "_source")) {
      throw illegalArgument(
        `Malformed action/metadata line [${line}], expected a simple value for field [${key}] but found [${token}]`,
      );
    }
    if (!KNOWN.has(key)) throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${key}]`);
    readField(meta, fields, key, value);
  }
  return meta;
}

function readField(meta: Meta, fields: JsonObject, key: string, value: JsonValue): void {
  const simple = textOf(value) ?? "";
  const long = () => Number(readLong(value, fields, key));
  switch (key) {
    case "_index":
      meta.index = simple;
      break;
    case "_id":
      meta.id = simple;
      break;
    case "routing":
      meta.routing = simple;
      break;
    case "op_type":
      // Of an index action alone; any other type than `create` means `index`.
      if (simple === "create") meta.action = "create";
      break;
    case "version": {
      const version = long();
      meta.version = version === ANY_VERSION ? undefined : version;
      break;
    }
    case "version_type":
      meta.versionType = versionTypeOf(simple);
      break;
    case "if_seq_no":
      meta.ifSeqNo = sequenceNumber(long());
      break;
    case "if_primary_term":
      meta.ifPrimaryTerm = primaryTerm(long());
      break;
    case "retry_on_conflict":
      meta.retryOnConflict = readInt(value, fields, key);
      break;
    case "require_alias":
      meta.requireAlias = readBoolean(value, fields, key);
      break;
    case "_source":
      meta.fetchSource = parseFetchSource(value, fields, key);
      break;
    case "pipeline":
      if (simple !== "_none") throw unsupported("pipeline");
      break;
    default:
      if (readBoolean(value, fields, key)) throw unsupported(key);
  }
}

/** Of mistakes that are none of arguments or of tokens Elasticsearch says that they are the body's. */
function asBulkError(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.type !== "parsing_exception") return error;
  return new EngineError("parse_exception", "could not parse bulk request body", { cause: error });
}

type BulkAction = { action: WriteRequest["action"]; meta: Meta };

/** Reads the line of an action; what is wrong is read again to be told with its place. */
function parseAction(bytes: Uint8Array, line: number): BulkAction {
  try {
    return actionOf(parseJson(bytes), line);
  } catch {
    try {
      return withSource(bytes, () => actionOf(parseJson(bytes, { positions: true }), line));
    } catch (error) {
      throw asBulkError(error);
    }
  }
}

function actionOf(root: JsonValue, line: number): BulkAction {
  const malformed = (what: string) => illegalArgument(`Malformed action/metadata line [${line}], ${what}`);
  if (tokenOf(root) !== "START_OBJECT") throw malformed(`expected START_OBJECT but found [${tokenOf(root)}]`);
  const [entry] = Object.entries(root as JsonObject) as [string, JsonValue][];
  if (entry === undefined) throw malformed("expected FIELD_NAME but found [END_OBJECT]");
  const [name, fields] = entry;
  if (!ACTIONS.includes(name))
    throw malformed(`expected field [create], [delete], [index] or [update] but found [${name}]`);
  if (tokenOf(fields) !== "START_OBJECT")
    throw malformed(`expected START_OBJECT or END_OBJECT but found [${tokenOf(fields)}]`);
  const meta = metaOf(fields as JsonObject, name, line);
  const action = (name === "index" ? (meta.action ?? "index") : name) as WriteRequest["action"];
  return { action, meta };
}

/**
 * Reads a bulk request. An action without its document at the end of the body is left out, as Elasticsearch leaves it out.
 *
 * @throws errors that refuse the whole request and name the line
 */
export function parseBulk(bytes: Uint8Array, defaults: BulkDefaults): WriteRequest[] {
  const requests: WriteRequest[] = [];
  let line = 0;
  let waiting: BulkAction | undefined;
  const missingIndex: string[] = [];
  for (const content of lines(bytes)) {
    line++;
    if (waiting === undefined) {
      if (content.length === 0) continue;
      waiting = parseAction(content, line);
      if (waiting.action !== "delete") continue;
    }
    const { action, meta } = waiting;
    waiting = undefined;
    const { fetchSource, ...fields } = meta;
    const index = meta.index ?? defaults.index;
    if (index === undefined || index === "") missingIndex.push("index is missing");
    const request = {
      requireAlias: defaults.requireAlias,
      routing: defaults.routing,
      ...fields,
      action,
      index: index ?? "",
    };
    // Deletes do not ask for an alias, whatever is said.
    if (action === "delete") requests.push({ ...request, requireAlias: undefined });
    else if (action === "update") {
      if (meta.version !== undefined || (meta.versionType ?? "internal") !== "internal") {
        throw illegalArgument(
          "Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead",
        );
      }
      const update = parseUpdate(content);
      const wanted = update.fetchSource ?? fetchSource ?? defaults.fetchSource;
      requests.push({
        ...request,
        update: { ...update, fetchSource: wanted },
        ifSeqNo: request.ifSeqNo ?? update.ifSeqNo,
        ifPrimaryTerm: request.ifPrimaryTerm ?? update.ifPrimaryTerm,
      });
    }
    // A copy, so that a stored document does not keep the whole request's bytes.
    else requests.push({ ...request, source: content.slice() });
  }
  if (missingIndex.length > 0) {
    const text = missingIndex.map((problem, at) => `${at + 1}: ${problem};`).join("");
    throw new EngineError("action_request_validation_exception", `Validation Failed: ${text}`);
  }
  return requests;
}
