/** The address of a cluster: a URL, or the cloud id of a deployment. */
import type { ClientOptions } from "@elastic/elasticsearch";
import { InvalidArgumentError } from "../schema/index.ts";

/** A deployment's name and, in base64, its host. */
const CLOUD_ID = /^[^:/]+:[A-Za-z0-9+/]{16,}=*$/;

/** Whether a text names a cluster, not a folder. */
export function isClusterAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) || CLOUD_ID.test(text);
}

/**
 * An address as the client's options.
 *
 * @throws InvalidArgumentError for what is no address
 */
export function addressOptions(address: string): Pick<ClientOptions, "node" | "cloud"> {
  const text = address.trim();
  if (CLOUD_ID.test(text)) return { cloud: { id: text } };
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return { node: text };
  throw notAnAddress();
}

/** The text may hold a password, so it is not repeated. */
function notAnAddress(): InvalidArgumentError {
  return new InvalidArgumentError(
    "elasticsearch",
    "…",
    "the address of Elasticsearch must be one such as https://search.example:9200, or a cloud id",
  );
}

/** The address for people: without user name, password and parameters. */
export function placeName({ node, nodes, cloud }: ClientOptions): string {
  if (cloud) return `Elastic Cloud ${cloud.id.split(":")[0]}`;
  const first = [node, nodes].flat().find((item) => item !== undefined);
  const url = typeof first === "string" || first instanceof URL ? first : first?.url;
  if (url === undefined) return "Elasticsearch";
  if (!URL.canParse(String(url))) throw notAnAddress();
  const { origin, pathname } = new URL(String(url));
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
