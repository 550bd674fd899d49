/** The door: from a request's headers to its caller, and what is answered to those who are not let in. */
import { isIP } from "node:net";
import type { Caller } from "./caller.ts";
import { EVERYBODY, NOBODY } from "./caller.ts";
import type { ApiKey, KeyRing } from "./keys.ts";

export interface AccessControl {
  /** The caller, or why nobody is let in. @param open what needs no key */
  admit(authorization: string | undefined, open: boolean): Caller | { readonly refusal: string };
}

/** Addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith("127.");
  return host === "localhost" || host === "::1" || host.endsWith(".localhost");
}

/** @param always a key is needed even where none was ever made: the server can be reached from other machines */
export function accessControl(keys: KeyRing | undefined, always: boolean): AccessControl {
  // Once keys are needed they stay so: the last one that is revoked opens nothing.
  let needed = always;
  return {
    admit(authorization, open) {
      needed ||= keys?.exists() ?? false;
      if (!needed) return EVERYBODY;
      if (authorization === undefined)
        return open ? NOBODY : { refusal: "missing authentication credentials for REST request" };
      const key = keys?.find(authorization);
      if (key) return callerOf(key);
      return open
        ? NOBODY
        : {
            refusal:
              "unable to authenticate with provided credentials and anonymous access is not allowed for this action",
          };
    },
  };
}

function callerOf({ id, name, role, indices, filter }: ApiKey): Caller {
  const label = `the key [${name}] (${id}, ${role})`;
  if (!indices && !filter) return { role, label };
  const view = { owner: id, ...(indices ? { indices } : {}), ...(filter ? { filter: JSON.stringify(filter) } : {}) };
  return { role, label, view };
}
