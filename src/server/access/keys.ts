/**
 * API keys: a file beside the data, which commands change while a server runs. Of a key only its SHA-256 is kept (a key is random and long:
 * there is nothing to guess, and so nothing to slow a guesser down with), and it is compared in constant time.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { HuiliuError, InvalidArgumentError } from "../../schema/index.ts";

export const KEYS_FILE = "keys.json";

/** What a key may do: each role may do what those before it may. */
export const ROLES = ["read", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];

const keyShape = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  /** SHA-256 of the key, in hexadecimal. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  role: z.enum(ROLES),
  indices: z.array(z.string().min(1)).min(1).optional(),
  filter: z.record(z.string(), z.unknown()).optional(),
  created: z.string(),
});
const fileShape = z.strictObject({ huiliu: z.literal("keys"), format: z.literal(1), keys: z.array(keyShape) });

export type ApiKey = z.output<typeof keyShape>;

/** The file of keys cannot be used. Code `KEYS_UNREADABLE`. */
export class KeysUnreadableError extends HuiliuError {
  constructor(
    readonly file: string,
    why: string,
  ) {
    super("KEYS_UNREADABLE", `the keys in ${file} cannot be used: ${why}`);
  }
}

export const keysFile = (data: string) => join(data, KEYS_FILE);

/** Keys of a data folder; none when there is no file. */
export function readKeys(data: string): ApiKey[] {
  const file = keysFile(data);
  if (!existsSync(file)) return [];
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new KeysUnreadableError(file, error instanceof Error ? error.message : String(error));
  }
  const parsed = fileShape.safeParse(json);
  if (parsed.success) return parsed.data.keys;
  const { path, message } = parsed.error.issues[0]!;
  throw new KeysUnreadableError(file, `${path.map(String).join(".")}: ${message}`);
}

export interface NewKey {
  readonly name: string;
  readonly role: Role;
  readonly indices?: readonly string[];
  readonly filter?: Record<string, unknown>;
}

/** Makes a key and says it, once: `encoded` is what clients send. */
export function createKey(data: string, { name, role, indices, filter }: NewKey): { key: ApiKey; encoded: string } {
  if (filter && role !== "read")
    throw new InvalidArgumentError("role", role, "a key with a filter only reads: leave out --role, or the filter");
  if (indices && role === "admin")
    throw new InvalidArgumentError("role", role, "an admin's key is for everything: leave out --index, or the role");
  const secret = randomBytes(24).toString("base64url");
  const key: ApiKey = {
    id: randomBytes(12).toString("base64url"),
    name,
    hash: createHash("sha256").update(secret).digest("hex"),
    role,
    ...(indices ? { indices: [...indices] } : {}),
    ...(filter ? { filter } : {}),
    created: new Date().toISOString(),
  };
  changeKeys(data, (keys) => [...keys, key]);
  return { key, encoded: Buffer.from(`${key.id}:${secret}`).toString("base64") };
}

/** Takes keys away by id. Gives those that were there. */
export function revokeKeys(data: string, ids: readonly string[]): ApiKey[] {
  let revoked: ApiKey[] = [];
  changeKeys(data, (keys) => {
    revoked = keys.filter(({ id }) => ids.includes(id));
    return keys.filter(({ id }) => !ids.includes(id));
  });
  return revoked;
}

/** Writes the new file beside the old one, whose place it takes: the name of the new one is the lock between two commands. */
function changeKeys(data: string, change: (keys: ApiKey[]) => ApiKey[]): void {
  const file = keysFile(data);
  const next = `${file}.new`;
  let handle: number;
  try {
    handle = openSync(next, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new KeysUnreadableError(file, `another command is changing them; if none is, remove ${next}`);
  }
  try {
    const keys = change(readKeys(data));
    writeSync(handle, `${JSON.stringify({ huiliu: "keys", format: 1, keys }, undefined, 2)}\n`);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(next, file);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

export interface KeyRing {
  /** Whether there is a file of keys, with keys or without. */
  exists(): boolean;
  /** The key that a header names. Undefined: there is none such. */
  find(authorization: string): ApiKey | undefined;
}

/** Keys as a server asks for them: the file is read again when it has changed. */
export function keyRing(data: string): KeyRing {
  const file = keysFile(data);
  let seen = "";
  let keys = new Map<string, ApiKey>();
  const look = () => {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    const now = stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : "";
    if (now === seen) return stat !== undefined;
    keys = new Map(readKeys(data).map((key) => [key.id, key]));
    seen = now;
    return stat !== undefined;
  };
  return {
    exists: look,
    find(authorization) {
      look();
      const given = credentials(authorization);
      const key = given && keys.get(given.id);
      const hash = createHash("sha256")
        .update(given?.secret ?? "")
        .digest();
      return key && timingSafeEqual(hash, Buffer.from(key.hash, "hex")) ? key : undefined;
    },
  };
}

/** `ApiKey base64(id:key)`, as Elasticsearch's clients send it, or the same as a bearer's token. */
function credentials(authorization: string): { id: string; secret: string } | undefined {
  const match = /^(?:apikey|bearer) +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization.trim());
  if (!match) return undefined;
  const text = Buffer.from(match[1]!, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}
