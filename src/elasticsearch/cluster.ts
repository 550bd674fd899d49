/** A cluster as the place of indices: a client whose errors name the place, checked once for what it is. */
import {
  Client,
  type ClientOptions,
  errors,
  Transport,
  type TransportRequestOptions,
  type TransportRequestParams,
} from "@elastic/elasticsearch";
import { type CallOptions, InvalidArgumentError } from "../schema/index.ts";
import { addressOptions, placeName } from "./address.ts";
import { ClusterError, clusterError, notElasticsearch, unsupportedVersion } from "./cluster-errors.ts";
import { fusingTransport } from "./fusing-transport.ts";

/** A cluster that hangs shall be told before its user gives up; the client's own limit is ten minutes. */
const REQUEST_TIMEOUT_MS = 120_000;

/** An address or a cloud id, options of the official client, or a client. */
export type ClusterOptions = string | ClientOptions | Client;

export interface Cluster {
  client: Client;
  /** The address for people, without what may be secret in it. */
  place: string;
  /** Such as `8.17.4`. */
  version: string;
  name: string;
  /** Closes the client, unless it was handed in. */
  close(): Promise<void>;
}

/**
 * Connects to a cluster and looks whether it can be used.
 *
 * @throws ClusterError when it cannot be reached, refuses the credentials or is not Elasticsearch 8
 */
export async function openCluster(options: ClusterOptions, call: CallOptions = {}): Promise<Cluster> {
  const given = options instanceof Client;
  const full = given ? undefined : typeof options === "string" ? addressOptions(options) : options;
  const place = full ? placeName(full) : "Elasticsearch";
  const client = options instanceof Client ? options : clusterClient(full!, place);
  const close = async () => {
    if (!given) await client.close();
  };
  try {
    return { client, place, ...(await identity(client, place, call)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

const placedClients = new WeakSet<Client>();

/** Whether the errors of a client's requests are a cluster's: those that `openCluster` made. */
export function isPlaced(client: Client): boolean {
  return placedClients.has(client);
}

function clusterClient(options: ClientOptions, place: string): Client {
  // A class, because that is what the client asks for.
  class PlacedTransport extends fusingTransport({}, options.Transport ?? Transport) {
    override async request(params: TransportRequestParams, requestOptions?: TransportRequestOptions): Promise<never> {
      try {
        // The overloads differ in what is returned, which the options decide.
        return (await super.request(params, requestOptions)) as never;
      } catch (error) {
        throw clusterError(error, place);
      }
    }
  }
  try {
    const client = new Client({ requestTimeout: REQUEST_TIMEOUT_MS, ...options, Transport: PlacedTransport });
    placedClients.add(client);
    return client;
  } catch (error) {
    // What the client says may repeat what it was given.
    if (error instanceof errors.ConfigurationError)
      throw new InvalidArgumentError("elasticsearch", place, `the connection to ${place}: ${error.message}`);
    throw error;
  }
}

interface Info {
  cluster_name?: string;
  version?: { number?: string; build_flavor?: string; distribution?: string };
}

async function identity(
  client: Client,
  place: string,
  { signal }: CallOptions,
): Promise<Pick<Cluster, "version" | "name">> {
  let info: Info;
  try {
    // Whoever opens a collection wants to know at once that nothing is there.
    info = (await client.info({}, { maxRetries: 0, ...(signal ? { signal } : {}) })) as Info;
  } catch (error) {
    const cause = error instanceof ClusterError ? error.cause : error;
    if (!(cause instanceof errors.ProductNotSupportedError)) throw clusterError(error, place);
    throw new ClusterError("CLUSTER_VERSION", place, notElasticsearch(await unchecked(client)), { cause });
  }
  const { number: version, build_flavor: flavor, distribution } = info.version ?? {};
  const refused = (message: string) => new ClusterError("CLUSTER_VERSION", place, message);
  if (version === undefined || distribution !== undefined) throw refused(notElasticsearch(info));
  if (flavor === "serverless") {
    throw refused(
      "this is Elasticsearch Serverless, which does not let its users decide how an index is cut up; use a cluster of version 8",
    );
  }
  if (Number.parseInt(version, 10) !== 8) throw refused(unsupportedVersion(version));
  return { version, name: info.cluster_name ?? "" };
}

/** What stands at `/`, which the client does not give for what it takes for another product. */
async function unchecked(client: Client): Promise<unknown> {
  try {
    const request = { requestId: "product", name: "huiliu", context: null };
    const connection = client.connectionPool.getConnection({ ...request, now: Date.now() });
    const answer = await connection?.request(
      { method: "GET", path: "/", headers: { accept: "application/json" } },
      request,
    );
    return JSON.parse(String(answer?.body));
  } catch {
    return undefined;
  }
}

/** Whether a version is at least another: `8.17.4` and `[8, 11]`. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** @throws ClusterError when the cluster's nodes do not have the plugin IK */
export async function requireIk({ client, place, version }: Cluster, { signal }: CallOptions = {}): Promise<void> {
  const found = await hasIk(client, signal ? { signal } : {}).catch((error: unknown) => {
    // Whoever may not try analyzers may still make an index, which tells.
    if (error instanceof ClusterError && error.code === "CLUSTER_FORBIDDEN") return true;
    throw error;
  });
  if (found) return;
  throw new ClusterError("CLUSTER_ANALYSIS", place, `the analysis "ik" needs the plugin IK: ${ikRemedy(version)}`);
}

/** How the plugin gets onto the nodes. It must be of the very version of Elasticsearch. */
export function ikRemedy(version: string): string {
  return (
    `run bin/elasticsearch-plugin install https://get.infini.cloud/elasticsearch/analysis-ik/${version} on each node ` +
    'and start it again, or use the analysis "default"'
  );
}

/** Whether the analyzers of IK are there. */
export async function hasIk(client: Client, { signal }: CallOptions = {}): Promise<boolean> {
  try {
    for (const analyzer of ["ik_max_word", "ik_smart"]) {
      await client.indices.analyze({ analyzer, text: "员工" }, signal ? { signal } : {});
    }
    return true;
  } catch (error) {
    if (error instanceof errors.ResponseError && error.statusCode === 400) return false;
    throw error;
  }
}

/** One line about a cluster: version, health and IK, as far as one may know them. */
export async function describeCluster(
  { client, version, name }: Cluster,
  { signal }: CallOptions = {},
): Promise<string> {
  const call = signal ? { signal } : {};
  const unlessForbidden = <T>(error: unknown): T | undefined => {
    if (error instanceof ClusterError && error.code === "CLUSTER_FORBIDDEN") return undefined;
    throw error;
  };
  const health = await client.cluster.health({}, call).catch(unlessForbidden<{ status: string }>);
  const ik = await hasIk(client, call).catch(unlessForbidden<boolean>);
  return [
    `Elasticsearch ${version}`,
    ...(name ? [`cluster ${name}`] : []),
    ...(health ? [health.status] : []),
    ...(ik === undefined ? [] : [ik ? "with IK" : `without IK (for the analysis "ik": ${ikRemedy(version)})`]),
  ].join(", ");
}
