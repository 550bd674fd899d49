/** huiliu keys: who may ask a server of this data folder. */
import { mkdirSync } from "node:fs";
import { parseViewFilter } from "../../engine/action/view.ts";
import { InvalidArgumentError } from "../../schema/index.ts";
import { type ApiKey, createKey, type Role, readKeys, revokeKeys } from "../../server/access/keys.ts";
import { type CommonOptions, type Context, EXIT } from "../context.ts";
import { jsonLine } from "../json.ts";
import { table } from "../terminal/table.ts";
import { harmless, nameLine } from "../terminal/text.ts";

export interface KeysOptions extends CommonOptions {
  role: Role;
  index?: string[];
  filter?: string;
}

export async function keys(context: Context, action: string, names: string[], options: KeysOptions): Promise<number> {
  if (action === "list" && names.length === 0) return list(context, options);
  if (action === "create" && names.length === 1) return create(context, names[0]!, options);
  if (action === "revoke" && names.length > 0) return revoke(context, names, options);
  throw new InvalidArgumentError(
    "action",
    [action, ...names].join(" "),
    "it is one of: huiliu keys create NAME, huiliu keys list, huiliu keys revoke ID…",
  );
}

/** What is shown of a key: not what it is recognised by. */
const shown = ({ hash: _, ...key }: ApiKey) => key;

async function create({ io }: Context, name: string, options: KeysOptions): Promise<number> {
  const { data, role, index: indices, filter } = options;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const { key, encoded } = createKey(data, {
    name,
    role,
    ...(indices ? { indices } : {}),
    ...(filter === undefined ? {} : { filter: filterOf(filter) }),
  });
  if (options.json) io.out(jsonLine({ ...shown(key), encoded }));
  else
    io.out(
      `${encoded}\n\nThis is the key ${nameLine(name)} (id ${key.id}, ${role}). It is shown this once. Clients send it as\n  Authorization: ApiKey ${encoded}\n`,
    );
  return EXIT.ok;
}

function filterOf(text: string): Record<string, unknown> {
  try {
    const filter: unknown = JSON.parse(text);
    parseViewFilter(text);
    return filter as Record<string, unknown>;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidArgumentError(
      "filter",
      text,
      `the filter must be a query as JSON, such as {"term": {"metadata.tenant.keyword": "a"}}: ${why}`,
    );
  }
}

async function list({ io }: Context, options: CommonOptions): Promise<number> {
  const found = readKeys(options.data);
  if (options.json) for (const key of found) io.out(jsonLine(shown(key)));
  else if (found.length === 0) io.out("there are no keys: huiliu keys create NAME makes one\n");
  else {
    const titles = ["id", "name", "role", "indices", "filter", "created"];
    const rows = found.map(({ id, name, role, indices, filter, created }) => [
      harmless(id),
      harmless(name),
      role,
      harmless(indices?.join(",") ?? "*"),
      harmless(filter ? JSON.stringify(filter) : ""),
      created,
    ]);
    const columns = titles.map((title) => ({ title, flexible: title === "filter" }));
    for (const line of table(columns, rows, io.columns)) io.out(`${line}\n`);
  }
  return EXIT.ok;
}

async function revoke({ io }: Context, ids: string[], options: CommonOptions): Promise<number> {
  const revoked = revokeKeys(options.data, ids);
  if (options.json) io.out(jsonLine({ revoked: revoked.map(({ id }) => id) }));
  else for (const { id, name } of revoked) io.out(`revoked ${id} (${nameLine(name)})\n`);
  const known = new Set(revoked.map(({ id }) => id));
  const missing = ids.filter((id) => !known.has(id));
  for (const id of missing) io.err(`huiliu: there is no key ${nameLine(id)}: huiliu keys list shows them\n`);
  return missing.length > 0 ? EXIT.someFailed : EXIT.ok;
}
