/** Index settings as get-settings shows them: nested or flat, some or all, for people, with defaults. */

import { DEFAULT_SETTINGS } from "../index/default-settings.ts";
import type { Index } from "../index/types.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { matchesSimple } from "../simple-match.ts";
import type { Call } from "./call.ts";
import type { ResponseValue } from "./types.ts";

type Flat = Map<string, JsonValue>;

function flatten(settings: JsonObject, prefix: string, into: Flat): Flat {
  for (const [key, value] of Object.entries(settings)) {
    if (value !== null && typeof value === "object" && !Array.isArray(value))
      flatten(value as JsonObject, `${prefix}${key}.`, into);
    else into.set(prefix + key, value);
  }
  return into;
}

function nest(flat: Flat): JsonObject {
  const root: { [key: string]: JsonValue } = {};
  for (const [path, value] of flat) {
    const keys = path.split(".");
    let at: { [key: string]: JsonValue } = root;
    for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as { [key: string]: JsonValue };
    at[keys[keys.length - 1]] = value;
  }
  return root;
}

/** What a closed index has beside its settings, and what `human` adds. */
function allSettings(index: Index, human: boolean): Flat {
  const all = flatten(index.settings, "index.", new Map());
  if (index.closed) all.set("index.verified_before_close", "true");
  if (human) {
    all.set("index.creation_date_string", new Date(index.createdAt).toISOString());
    all.set("index.version.created_string", "8.17.0-8.17.4");
  }
  return all;
}

/** Reads the parameters; the result makes the view of an index. @param patterns names that are wanted; none means all */
export function settingsView(
  call: Call,
  patterns: readonly string[],
): (index: Index) => { [key: string]: ResponseValue | undefined } {
  const flat = call.params.flag("flat_settings") ?? false;
  const defaults = call.params.flag("include_defaults") ?? false;
  const human = call.params.flag("human") ?? false;
  const wanted = (key: string) => patterns.length === 0 || patterns.some((pattern) => matchesSimple(pattern, key));
  const shown = (settings: Flat): ResponseValue => {
    const kept: Flat = new Map([...settings].filter(([key]) => wanted(key)));
    return flat ? Object.fromEntries([...kept].sort(([a], [b]) => (a < b ? -1 : 1))) : nest(kept);
  };
  return (index) => {
    const all = allSettings(index, human);
    const missing = Object.entries(DEFAULT_SETTINGS).filter(([key]) => !all.has(key));
    return { settings: shown(all), defaults: defaults ? shown(new Map(missing)) : undefined };
  };
}
