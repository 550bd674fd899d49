/**
 * What searches leave open: scrolls, and points in time. Each holds snapshots, and goes when it was not used for as long as its keep-alive
 * says; as in Elasticsearch that is looked at once a minute. An id says what it stands for, and which engine gave it.
 */
import { EngineError, illegalArgument } from "../../errors.ts";
import { randomUuid } from "../../index/random-ids.ts";
import { shardError } from "../../query/dsl/index.ts";

export type ContextKind = "scroll" | "pit";

/** `search.max_open_scroll_context`, counted by shards. */
const MOST_SCROLLS = 500;
/** The same for points in time, of which Elasticsearch has as many as there is memory. */
const MOST_PITS = 1000;
/** `search.max_keep_alive`. */
const LONGEST = 24 * 3_600_000;
/** `search.keep_alive_interval`. */
const INTERVAL = 60_000;

export interface NewContext<State> {
  readonly kind: ContextKind;
  /** Names of the indices, one for each shard that it holds. */
  readonly indices: readonly string[];
  /** Milliseconds. */
  readonly keepAlive: number;
  readonly state: State;
  /** Lets the snapshots go. */
  release(): void;
}

/** A context while somebody works with it. */
export interface UsedContext<State> {
  readonly state: State;
  /** From now on. */
  keepAlive(milliseconds: number): void;
  done(): void;
}

/** What an id says. */
export interface ContextId {
  readonly kind: ContextKind;
  readonly session: string;
  /** The index and the number of each shard's context. */
  readonly shards: readonly (readonly [index: string, context: number])[];
}

export interface SearchContexts {
  /** @throws too_many_scroll_contexts_exception as the shard's error, es_rejected_execution_exception for points in time */
  checkRoom(kind: ContextKind, shards: number): void;
  open<State>(context: NewContext<State>): string;
  /** Undefined when it is not there any more. */
  use<State>(id: ContextId): UsedContext<State> | undefined;
  /** Whether it was there. */
  free(id: ContextId): boolean;
  /** Frees all of a kind; says how many shards they held. */
  freeAll(kind: ContextKind): number;
  close(): void;
}

interface Entry extends NewContext<unknown> {
  readonly first: number;
  lifetime: number;
  accessed: number;
  uses: number;
  freed: boolean;
}

/** @param now a clock in milliseconds */
export function createSearchContexts(now: () => number = () => performance.now()): SearchContexts {
  const session = randomUuid();
  /** By the number of their first shard. */
  const entries = new Map<number, Entry>();
  let next = 1;
  let timer: ReturnType<typeof setInterval> | undefined;

  const releaseIdle = (entry: Entry) => {
    if (entry.freed && entry.uses === 0) entry.release();
  };
  const drop = (entry: Entry) => {
    entries.delete(entry.first);
    entry.freed = true;
    releaseIdle(entry);
    if (entries.size > 0 || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  };
  const reap = () => {
    for (const entry of entries.values()) {
      if (entry.uses === 0 && now() - entry.accessed > entry.lifetime) drop(entry);
    }
  };
  const find = (id: ContextId) =>
    id.session === session && id.shards.length > 0 ? entries.get(id.shards[0][1]) : undefined;
  const shardsOf = (kind: ContextKind) =>
    [...entries.values()].reduce((sum, entry) => sum + (entry.kind === kind ? entry.indices.length : 0), 0);

  return {
    checkRoom(kind, shards) {
      if (shardsOf(kind) + shards <= (kind === "scroll" ? MOST_SCROLLS : MOST_PITS)) return;
      if (kind === "pit") {
        const reason = `rejected execution: points in time hold [${shardsOf("pit")}] shards and may hold [${MOST_PITS}]; close some`;
        throw new EngineError("es_rejected_execution_exception", reason, { status: 429 });
      }
      throw shardError(
        new EngineError(
          "too_many_scroll_contexts_exception",
          `Trying to create too many scroll contexts. Must be less than or equal to: [${MOST_SCROLLS}]. This limit can be set by changing the [search.max_open_scroll_context] setting.`,
          { status: 429 },
        ),
      );
    },
    open(context) {
      const first = next;
      next += Math.max(1, context.indices.length);
      const shards = context.indices.map((index, i) => [index, first + i] as const);
      const entry = { ...context, first, lifetime: context.keepAlive, accessed: now(), uses: 0, freed: false };
      // Without indices there is nothing to hold.
      if (shards.length > 0) entries.set(first, entry);
      if (timer === undefined && entries.size > 0) {
        timer = setInterval(reap, INTERVAL);
        // Never the reason why a process stays.
        (timer as { unref?: () => void }).unref?.();
      }
      return encode({ kind: context.kind, session, shards });
    },
    use<State>(id: ContextId) {
      const entry = find(id);
      if (!entry || entry.kind !== id.kind) return undefined;
      entry.uses++;
      entry.accessed = now();
      let open = true;
      return {
        state: entry.state as State,
        keepAlive(milliseconds) {
          entry.lifetime = milliseconds;
        },
        done() {
          if (!open) return;
          open = false;
          entry.uses--;
          entry.accessed = now();
          releaseIdle(entry);
        },
      };
    },
    free(id) {
      const entry = find(id);
      if (!entry) return false;
      drop(entry);
      return true;
    },
    freeAll(kind) {
      const held = shardsOf(kind);
      for (const entry of [...entries.values()]) if (entry.kind === kind) drop(entry);
      return held;
    },
    close() {
      for (const entry of [...entries.values()]) drop(entry);
    },
  };
}

/** @throws the shard's error for one that is too long */
export function checkKeepAlive(milliseconds: number): void {
  if (milliseconds <= LONGEST) return;
  throw shardError(
    illegalArgument(
      `Keep alive for request (${printTime(milliseconds)}) is too large. It must be less than (1d). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
    ),
  );
}

const UNITS: readonly (readonly [suffix: string, milliseconds: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1000],
];

/** TimeValue.toString: in the largest unit that fits, with one digit behind the point, cut. */
function printTime(milliseconds: number): string {
  for (const [suffix, unit] of UNITS) {
    if (milliseconds >= unit) return `${Math.floor((milliseconds / unit) * 10) / 10}${suffix}`;
  }
  return `${milliseconds}ms`;
}

/** URL-safe letters, as ids stand in paths too. */
function encode(id: ContextId): string {
  const json = JSON.stringify(["huiliu", id.kind, id.session, id.shards]).replace(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return btoa(json).replaceAll("+", "-").replaceAll("/", "_");
}

/** What an id says; undefined for a text that is none, or one of the other kind. */
export function decodeContextId(text: string, kind: ContextKind): ContextId | undefined {
  try {
    const parsed: unknown = JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/")));
    if (!Array.isArray(parsed) || parsed.length !== 4) return undefined;
    const [mark, found, session, shards] = parsed as unknown[];
    const pairs =
      Array.isArray(shards) &&
      shards.every((each) => Array.isArray(each) && typeof each[0] === "string" && Number.isInteger(each[1]));
    if (mark !== "huiliu" || found !== kind || typeof session !== "string" || !pairs) return undefined;
    return { kind, session, shards: shards as ContextId["shards"] };
  } catch {
    return undefined;
  }
}

export function contextMissing(context: number): EngineError {
  return new EngineError("search_context_missing_exception", `No search context found for id [${context}]`, {
    status: 404,
  });
}
