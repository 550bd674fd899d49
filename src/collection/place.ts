/** Where a collection is: a folder of the embedded engine, or a cluster. */
import { resolve } from "node:path";
import { type Client, errors, type estypes } from "@elastic/elasticsearch";
import { type Cluster, isAtLeast, openCluster, requireIk } from "../elasticsearch/cluster.ts";
import { ClusterError } from "../elasticsearch/cluster-errors.ts";
import { openEngine } from "../elasticsearch/engine.ts";
import { isDataFolderMissing } from "../engine/errors.ts";
import { InvalidArgumentError } from "../schema/index.ts";
import { type CollectionMeta, CollectionNotFoundError } from "./layout.ts";
import type { CollectionOptions } from "./types.ts";

export const DEFAULT_DATA = ".huiliu";

export interface Place {
  client: Client;
  /** For people: a folder or a URL. */
  name: string;
  readOnly: boolean;
  /** The embedded engine's folder. */
  data?: string;
  cluster?: Cluster;
  close(): Promise<void>;
}

/** Opens the folder or connects to the cluster that options name. */
export async function openPlace(collection: string, options: CollectionOptions): Promise<Place> {
  const { elasticsearch, readOnly = false } = options;
  if (elasticsearch !== undefined) {
    if (options.data !== undefined) {
      throw new InvalidArgumentError(
        "data",
        options.data,
        "a collection is in a folder (data) or on a cluster (elasticsearch): give one of them",
      );
    }
    const cluster = await openCluster(elasticsearch);
    return { client: cluster.client, name: cluster.place, readOnly, cluster, close: cluster.close };
  }
  const data = options.data ?? DEFAULT_DATA;
  const engine = await openEngine({ data, readOnly, create: options.create ?? true }).catch((error: unknown) => {
    throw isDataFolderMissing(error) ? new CollectionNotFoundError(collection, data) : error;
  });
  return { client: engine.client(), name: data, data: resolve(data), readOnly, close: () => engine.close() };
}

/** A cluster of several nodes keeps a second copy; the embedded engine has nowhere to keep one. */
export function inPlace(body: IndexBody, cluster: Cluster | undefined): IndexBody {
  if (!cluster) return body;
  const { number_of_replicas: _, ...settings } = body.settings ?? {};
  return { ...body, settings: { ...settings, auto_expand_replicas: "0-1" } };
}

/** Vectors within nested documents can be searched from this version on. */
const NESTED_VECTORS = [8, 11] as const;

/** @throws ClusterError when a collection cannot be made there */
export async function checkCluster(cluster: Cluster, meta: CollectionMeta): Promise<void> {
  if (meta.embedding.windows && !isAtLeast(cluster.version, NESTED_VECTORS)) {
    throw new ClusterError(
      "CLUSTER_VERSION",
      cluster.place,
      `this is Elasticsearch ${cluster.version}: the embedding ${meta.embedding.name} keeps several vectors for each passage, which needs ` +
        `${NESTED_VECTORS.join(".")} or later; update the cluster, or use an embedding model of a provider`,
    );
  }
  if (meta.analysis.startsWith("ik")) await requireIk(cluster);
}

type IndexBody = Pick<estypes.IndicesCreateRequest, "settings" | "mappings">;

/** Makes an index unless it is there. */
export async function createIndex(client: Client, index: string, body: IndexBody): Promise<void> {
  try {
    await client.indices.create({ index, ...body });
  } catch (error) {
    // Made by an earlier run that was cut short, or by another process just now.
    if (error instanceof errors.ResponseError && error.body?.error?.type === "resource_already_exists_exception")
      return;
    throw error;
  }
}
