/**
 * Who may ask. A server on the loopback address is in reach of every web page that its user opens: by a name that is made to point here
 * (DNS rebinding), or by a form posted from elsewhere. Programs send no Origin and name the server by its address.
 */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

/** Host name of a Host header, without port and brackets. */
function hostName(host: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(host);
  if (bracketed) return bracketed[1].toLowerCase();
  return host.replace(/:\d*$/, "").toLowerCase().replace(/\.$/, "");
}

const isLocalName = (name: string) => name === "localhost" || name.endsWith(".localhost");

/** @returns why the request is refused, or undefined when it may pass */
export function refusalOf(request: {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly allowedHosts: readonly string[];
}): string | undefined {
  const { method, headers, allowedHosts } = request;
  const host = headers.host;
  if (host !== undefined) {
    const name = hostName(host);
    const known =
      isLocalName(name) || isIP(name) !== 0 || allowedHosts.some((allowed) => allowed.toLowerCase() === name);
    if (!known)
      return `the name [${name}] is not one of this server's; add it to the allowed hosts, or use its address`;
  }
  const { origin } = headers;
  if (
    origin !== undefined &&
    origin.toLowerCase() !== `http://${host}`.toLowerCase() &&
    origin.toLowerCase() !== `https://${host}`.toLowerCase()
  ) {
    return `requests from web pages of [${origin}] are not answered`;
  }
  const link = method === "GET" && headers["sec-fetch-mode"] === "navigate";
  if (headers["sec-fetch-site"] === "cross-site" && !link)
    return "requests from web pages of other sites are not answered";
  return undefined;
}
