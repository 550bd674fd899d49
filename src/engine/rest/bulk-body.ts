/** The lines of a bulk request: an action, then (but for deletes) a document or an update. */

import { type FetchSource, parseFetchSource } from "../action/fetch-source.ts";
import { parseUpdate, tokenOf } from "../action/update.ts";
import { versionTypeOf, type WriteRequest } from "../action/write.ts";
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { parseJson } from "../json/parse.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";

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

function metaOf(fields: JsonObject, line: number): Meta {
  const meta: Meta = {};
  for (const [key, value] of Object.entries(fields)) {
    const simple = () => {
      if (value !== null && typeof value === "object" && !(value instanceof JsonNumber)) {
        throw illegalArgument(
          `Malformed action/metadata line [${line}], expected a simple value for field [${key}] but found [${tokenOf(value)}]`,
        );
      }
      return value === null ? undefined : String(value);
    };
    const number = () => {
      const text = simple();
      if (text === undefined) return undefined;
      if (!Number.isFinite(Number(text)) || text.trim() === "")
        throw new EngineError("illegal_argument_exception", `For input string: "${text}"`);
      return Math.trunc(Number(text));
    };
    switch (key) {
      case "_index":
        meta.index = simple();
        break;
      case "_id":
        meta.id = simple();
        break;
      case "routing":
        meta.routing = simple();
        break;
      case "op_type": {
        const type = simple()?.toLowerCase();
        if (type !== "index" && type !== "create")
          throw illegalArgument(`opType must be 'create' or 'index', found: [${type}]`);
        if (type === "create") meta.action = "create";
        break;
      }
      case "version":
        meta.version = number();
        break;
      case "version_type":
        meta.versionType = versionTypeOf(simple() ?? "null");
        break;
      case "if_seq_no":
        meta.ifSeqNo = number();
        break;
      case "if_primary_term":
        meta.ifPrimaryTerm = number();
        break;
      case "retry_on_conflict":
        meta.retryOnConflict = number();
        break;
      case "require_alias":
        meta.requireAlias = simple() === "true";
        break;
      case "_source":
        meta.fetchSource = parseFetchSource(value);
        break;
      case "pipeline":
        if (simple() !== "_none") throw unsupported("pipeline");
        break;
      case "dynamic_templates":
        if (Object.keys((value ?? {}) as JsonObject).length > 0)
          throw unsupported("dynamic_templates in bulk requests");
        break;
      case "list_executed_pipelines":
      case "require_data_stream":
        if (simple() === "true") throw unsupported(key);
        break;
      default:
        throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${key}]`);
    }
  }
  return meta;
}

function parseAction(bytes: Uint8Array, line: number): { action: WriteRequest["action"]; meta: Meta } {
  const malformed = (what: string) => illegalArgument(`Malformed action/metadata line [${line}], ${what}`);
  const root = parseJson(bytes);
  if (tokenOf(root) !== "START_OBJECT") throw malformed(`expected START_OBJECT but found [${tokenOf(root)}]`);
  const [entry] = Object.entries(root as JsonObject) as [string, JsonValue][];
  if (entry === undefined) throw malformed("expected FIELD_NAME but found [END_OBJECT]");
  const [name, fields] = entry;
  if (!ACTIONS.includes(name))
    throw malformed(`expected field [create], [delete], [index] or [update] but found [${name}]`);
  if (tokenOf(fields) !== "START_OBJECT")
    throw malformed(`expected START_OBJECT or END_OBJECT but found [${tokenOf(fields)}]`);
  const meta = metaOf(fields as JsonObject, line);
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
  let waiting: { action: WriteRequest["action"]; meta: Meta } | undefined;
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
