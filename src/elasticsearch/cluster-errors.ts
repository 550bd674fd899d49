/** What goes wrong between here and a cluster, told as: which place, what happened, what to do. */
import { errors } from "@elastic/elasticsearch";
import { HuiliuError } from "../schema/index.ts";

/** What went wrong with a cluster, as a `ClusterError` names it. */
export type ClusterErrorCode =
  | "CLUSTER_UNREACHABLE"
  | "CLUSTER_TIMEOUT"
  | "CLUSTER_TLS"
  | "CLUSTER_CREDENTIALS"
  | "CLUSTER_FORBIDDEN"
  | "CLUSTER_OVERLOADED"
  | "CLUSTER_VERSION"
  | "CLUSTER_ANALYSIS";

/** A cluster cannot be used, or not now. The client's error is the `cause`. */
export class ClusterError extends HuiliuError {
  declare readonly code: ClusterErrorCode;
  /** The cluster's address, without what may be secret in it. */
  readonly place: string;
  /** HTTP status where there was one. */
  readonly status: number | undefined;

  constructor(
    code: ClusterErrorCode,
    place: string,
    message: string,
    facts: { status?: number | undefined; cause?: unknown } = {},
  ) {
    super(code, `${place}: ${message}`, facts);
    this.place = place;
    this.status = facts.status;
  }
}

const FINGERPRINT = /fingerprint/i;
/** As Node and OpenSSL word it. */
const TLS =
  /certificate|altnames|self.signed|unable to (?:verify|get)|\bSSL\b|EPROTO|ERR_TLS|CERT_|wrong version number/i;
const CLOSED = /socket hang up|other side closed|ECONNRESET|EPIPE|terminated|Parse Error/i;

/** The error of a request as one of the cluster; what the request itself is to blame for stays as it is. */
export function clusterError(error: unknown, place: string): unknown {
  if (error instanceof errors.ProductNotSupportedError) {
    return new ClusterError("CLUSTER_VERSION", place, notElasticsearch(undefined), { cause: error });
  }
  if (error instanceof errors.TimeoutError) {
    const message =
      "no answer in time: the cluster is busy or the network slow; try again, or allow more time (requestTimeout)";
    return new ClusterError("CLUSTER_TIMEOUT", place, message, { cause: error });
  }
  if (error instanceof errors.ResponseError) return refusal(error, place);
  if (error instanceof errors.ConnectionError || error instanceof errors.NoLivingConnectionsError) {
    const { message } = error;
    if (FINGERPRINT.test(message) || TLS.test(message)) {
      return new ClusterError("CLUSTER_TLS", place, `${message}: ${tlsRemedy(message)}`, { cause: error });
    }
    return new ClusterError("CLUSTER_UNREACHABLE", place, unreachable(message), { cause: error });
  }
  return error;
}

function tlsRemedy(message: string): string {
  if (FINGERPRINT.test(message)) return "check the fingerprint of the cluster's certificate authority";
  if (/wrong version number|EPROTO/i.test(message)) return "the server may not speak TLS: try http:// in its address";
  if (/expired/i.test(message)) return "the cluster needs a new certificate";
  if (/altnames/i.test(message)) return "use a name in the address that its certificate has";
  return "name the certificate authority that signed it (tls.ca; HUILIU_ELASTICSEARCH_CA=FILE for the command)";
}

function unreachable(message: string): string {
  if (/ECONNREFUSED/.test(message))
    return "nothing answers there: check that Elasticsearch runs, and the address and port";
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return "there is no server of that name: check the address";
  if (CLOSED.test(message)) {
    return `the connection was closed (${message}): the node may have stopped, or it speaks TLS (https:// in its address)`;
  }
  return `cannot be reached (${message}): check the address (http:// or https://), the port and the network`;
}

function refusal(error: errors.ResponseError, place: string): unknown {
  const { statusCode: status } = error;
  const facts = { status, cause: error };
  const { type, reason } = reasonOf(error);
  if (status === 401) {
    const message =
      "it wants to know who asks: give an API key or user name and password " +
      "(auth; HUILIU_ELASTICSEARCH_API_KEY, or HUILIU_ELASTICSEARCH_USERNAME and _PASSWORD for the command), or check the ones given";
    return new ClusterError("CLUSTER_CREDENTIALS", place, message, facts);
  }
  // A licence's refusal has the same status and type; it speaks of the feature, not of the user.
  if (status === 403 && type === "security_exception" && !/licen[sc]e/i.test(reason)) {
    const message = `${reason}: give this user or API key the privilege`;
    return new ClusterError("CLUSTER_FORBIDDEN", place, message, facts);
  }
  if (status === 429 || status === 502 || status === 503 || status === 504) {
    const message = `overloaded, or not ready (${status} ${type}: ${reason}): try again later`;
    return new ClusterError("CLUSTER_OVERLOADED", place, message, facts);
  }
  return error;
}

/** Type and reason of a refused request. */
export function reasonOf(error: errors.ResponseError): { type: string; reason: string } {
  const body = error.body as { error?: { type?: unknown; reason?: unknown } | string } | undefined;
  const told = typeof body?.error === "object" ? body.error : undefined;
  return {
    type: typeof told?.type === "string" ? told.type : "",
    reason: typeof told?.reason === "string" ? told.reason : error.message,
  };
}

/** What to say of a server that is not Elasticsearch 8, from what it says of itself. */
export function notElasticsearch(body: unknown): string {
  const { version } = (body ?? {}) as { version?: { number?: unknown; distribution?: unknown } };
  if (version?.distribution === "opensearch") {
    return `this is OpenSearch ${String(version.number)}: Huiliu needs Elasticsearch 8, whose vector search differs from it`;
  }
  if (typeof version?.number === "string") return unsupportedVersion(version.number);
  return "what answers there is not Elasticsearch: check the address";
}

/** What to say of another version than 8. */
export function unsupportedVersion(number: string): string {
  const major = Number.parseInt(number, 10);
  if (major < 8) return `this is Elasticsearch ${number}: it lacks searches by nearest vectors; update it to 8`;
  return `this is Elasticsearch ${number}: Huiliu was checked with 8 only. Version 9 keeps vectors elsewhere and finds them by other means, so that answers would differ; use a cluster of version 8`;
}
