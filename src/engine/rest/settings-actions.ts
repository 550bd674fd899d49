/** Calls that read and change an index's settings, and open and close it. */
import { BLOCK_NAMES, changesBlocks, checkBlocks } from "../action/blocks.ts";
import { parseMap } from "../action/content.ts";
import { resolveIndices } from "../action/index-names.ts";
import { validationFailed } from "../action/write.ts";
import { illegalArgument } from "../errors.ts";
import { changedSettings } from "../index/settings.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import {
  type Action,
  acceptTimeouts,
  activeShards,
  type Call,
  indicesOptions,
  names,
  required,
  requiredBody,
} from "./call.ts";
import { ADMIN_EXPAND, selected } from "./index-actions.ts";
import { settingsView } from "./settings-view.ts";

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);

export const getSettings: Action = (call) => {
  const find = selected(call, ADMIN_EXPAND, "metadata_read");
  const patterns = names(call, "name").filter((name) => name !== "_all");
  const view = settingsView(call, patterns);
  call.params.accept("local");
  acceptTimeouts(call);
  return () => {
    const described = find().map((index): [string, ReturnType<typeof view>] => [index.name, view(index)]);
    const isEmpty = (settings: unknown) => settings === undefined || Object.keys(settings as object).length === 0;
    return {
      body: Object.fromEntries(described.filter(([, each]) => !(isEmpty(each.settings) && isEmpty(each.defaults)))),
    };
  };
};

export const putSettings: Action = (call) => {
  const expressions = names(call, "index");
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true, allowNoIndices: false });
  const preserveExisting = call.params.flag("preserve_existing") ?? false;
  const reopen = call.params.flag("reopen") ?? false;
  call.params.accept("flat_settings");
  acceptTimeouts(call);
  const body = parseMap(requiredBody(call, "request body is required"));
  let given = isObject(body) ? body : {};
  if (isObject(given.settings) && Object.keys(given).length === 1) given = given.settings;
  if (Object.keys(given).length === 0) throw validationFailed(["no settings to update"]);
  return async () => {
    await call.registry.change(() => {
      const indices = resolveIndices(call.registry, expressions, options).map(({ index }) => index);
      if (!changesBlocks(settingNames(given))) checkBlocks(indices, "metadata_write");
      return indices.map((index) => ({
        name: index.name,
        settings: changedSettings(index.settings, given, {
          name: index.name,
          uuid: index.uuid,
          closed: index.closed,
          preserveExisting,
          reopen,
        }),
      }));
    });
    return { body: { acknowledged: true } };
  };
};

/** Names of what a request sets, whatever way it writes them. */
function settingNames(given: JsonObject, prefix = ""): string[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    if (isObject(value)) return settingNames(value, name);
    return [name.startsWith("index.") ? name : `index.${name}`];
  });
}

/** `PUT /{index}/_block/{block}` */
export const addBlock: Action = (call) => {
  const block = required(call, "block");
  const expressions = names(call, "index");
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandClosed: true, allowNoIndices: false });
  acceptTimeouts(call);
  if (!BLOCK_NAMES.includes(block)) throw illegalArgument(`No block found with name ${block}`);
  return async () => {
    const blocked: string[] = [];
    await call.registry.change(() => {
      const indices = resolveIndices(call.registry, expressions, options).map(({ index }) => index);
      checkBlocks(indices, "metadata_write");
      blocked.push(...indices.map(({ name }) => name));
      return indices.map(({ name, uuid, settings, closed }) => ({
        name,
        settings: changedSettings(
          settings,
          { [`index.blocks.${block}`]: "true" },
          { name, uuid, closed, preserveExisting: false, reopen: false },
        ),
      }));
    });
    const indices = blocked.map((name) => ({ name, blocked: true }));
    return { body: { acknowledged: true, shards_acknowledged: true, indices } };
  };
};

function changeOf(call: Call): { expressions: string[] } {
  const expressions = names(call, "index");
  if (expressions.length === 0) throw validationFailed(["index is missing"]);
  acceptTimeouts(call);
  activeShards(call);
  return { expressions };
}

export const closeIndices: Action = (call) => {
  const { expressions } = changeOf(call);
  const options = indicesOptions(call, ADMIN_EXPAND);
  return async () => {
    const closed: string[] = [];
    await call.registry.change(() => {
      const found = resolveIndices(call.registry, expressions, options);
      checkBlocks(
        found.map(({ index }) => index),
        "metadata_write",
      );
      const open = found.filter(({ index }) => !index.closed);
      closed.push(...open.map(({ index }) => index.name));
      return closed.map((name) => ({ name, closed: true }));
    });
    const indices = Object.fromEntries(closed.map((name) => [name, { closed: true }]));
    return { body: { acknowledged: true, shards_acknowledged: closed.length > 0, indices } };
  };
};

export const openIndices: Action = (call) => {
  const { expressions } = changeOf(call);
  const options = indicesOptions(call, { ...ADMIN_EXPAND, expandOpen: false, expandClosed: true });
  return async () => {
    await call.registry.change(() =>
      resolveIndices(call.registry, expressions, options)
        .filter(({ index }) => index.closed)
        .map(({ index }) => ({ name: index.name, closed: false })),
    );
    return { body: { acknowledged: true, shards_acknowledged: true } };
  };
};
