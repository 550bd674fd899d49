/**
 * Who sent the request that is being answered. It travels with the request's asynchronous work, so that whatever a route opens or asks is
 * opened and asked for its caller. Where there is no caller nothing is opened: what loses its request fails, and never sees everything.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { View } from "../../engine/action/view.ts";
import { matchesSimple } from "../../engine/simple-match.ts";
import { HuiliuError } from "../../schema/index.ts";
import { ROLES, type Role } from "./keys.ts";

export interface Caller {
  /** `none`: only what needs no key. */
  readonly role: Role | "none";
  /** What of the indices it may see. Left out: everything. */
  readonly view?: View;
  /** How refusals name it. */
  readonly label: string;
}

/** Whoever asks a server without keys. */
export const EVERYBODY: Caller = { role: "admin", label: "everybody" };
export const NOBODY: Caller = { role: "none", label: "a request without a key" };

/** The caller may not do this. Code `FORBIDDEN`. */
export class ForbiddenError extends HuiliuError {
  constructor(what: string, { label }: Caller) {
    super("FORBIDDEN", `${what} is not allowed to ${label}`);
  }
}

const callers = new AsyncLocalStorage<Caller>();

/** Does work for a caller. */
export const asCaller = <T>(caller: Caller, work: () => T): T => callers.run(caller, work);

/** The caller of the request that this work belongs to. */
export function currentCaller(): Caller {
  const caller = callers.getStore();
  if (!caller) throw new Error("there is no request, and so nobody who may ask");
  return caller;
}

const RANK = new Map<string, number>(["none", ...ROLES].map((role, i) => [role, i]));

/** What something asks of its caller. */
export interface Needs {
  readonly role: Role | "none";
  /** Keys with a filter may too: what is shown goes through the filter, or is of no document. Left out: they may not. */
  readonly filtered?: boolean;
  /** It shows something of all indices: keys for some of them may not. */
  readonly everything?: boolean;
}

export const READS: Needs = { role: "read" };
export const READS_FILTERED: Needs = { role: "read", filtered: true };
/** Sees something of all indices. */
export const OVERSEES: Needs = { role: "read", everything: true };
export const WRITES: Needs = { role: "write" };
export const MANAGES: Needs = { role: "admin" };
/** Needs no key. */
export const OPEN: Needs = { role: "none" };

/** Whether an index is one that the caller's key is for. */
export function seesIndex({ view }: Caller, index: string): boolean {
  return view?.indices === undefined || view.indices.some((pattern) => matchesSimple(pattern, index));
}

/** @param needs undefined: nobody has said what it needs, and only who may do everything may do it */
export function mayDo({ role, view }: Caller, needs: Needs = { role: "admin" }): boolean {
  if (RANK.get(role)! < RANK.get(needs.role)!) return false;
  if (needs.role === "none") return true;
  if (view?.filter !== undefined && needs.filtered !== true) return false;
  return view?.indices === undefined || needs.everything !== true;
}
