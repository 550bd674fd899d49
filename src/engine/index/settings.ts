/** Index settings: checked as Elasticsearch checks them, kept as get-settings prints them. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { writeJson } from "../json/write.ts";
import { changeable, KNOWN_SETTINGS, SETTING_GROUPS, type SettingKind } from "./known-settings.ts";

/** A value as get-settings prints it. */
type Printed = string | null | readonly string[];

/**
 * Checks the settings of a create request.
 * @returns the settings under `index`, nested, with those that every index has
 */
export function indexSettings(given: JsonObject, made: { name: string; uuid: string; createdAt: number }): JsonObject {
  const flat = checkedSettings(given);
  const all = new Map<string, Printed>([
    ["index.routing.allocation.include._tier_preference", "data_content"],
    ["index.number_of_shards", "1"],
    ["index.number_of_replicas", "1"],
  ]);
  // null asks for the default.
  for (const [name, value] of flat) if (value !== null || !all.has(name)) all.set(name, value);
  all.set("index.provided_name", made.name);
  all.set("index.creation_date", String(made.createdAt));
  all.set("index.uuid", made.uuid);
  all.set("index.version.created", "8521000");
  return nest(all).index as JsonObject;
}

function checkedSettings(given: JsonObject): Map<string, Printed> {
  const flat = flattenSettings(given);
  throwAny([...flat].map(([name, value]) => checkSetting(name, value)));
  return flat;
}

function throwAny(found: readonly (EngineError | undefined)[]): void {
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw withSuppressed(problems);
}

export interface SettingsChange {
  /** Name and uuid, for errors. */
  readonly name: string;
  readonly uuid: string;
  readonly closed: boolean;
  /** Settings that are set already stay as they are. */
  readonly preserveExisting: boolean;
  /** Settings that need a closed index are taken by an open one, which is reopened. */
  readonly reopen: boolean;
}

/** The settings of an index after a change; null takes a setting away. Throws Elasticsearch's errors. */
export function changedSettings(current: JsonObject, given: JsonObject, change: SettingsChange): JsonObject {
  if (flattenSettings(given).has("index.version.created")) {
    throw illegalArgument(
      "can not update private setting [index.version.created]; this setting is managed by Elasticsearch",
    );
  }
  const all = flattenSettings({ index: current });
  const asked = flattenSettings(given);
  // Names first, then what may change at all, then values.
  throwAny([...asked.keys()].map(unknownSetting));
  const changed = [...asked].filter(([name]) => !(change.preserveExisting && all.has(name)));
  const fixed = [...asked.keys()].filter((name) => changeable(name) !== "always");
  if (!change.closed && !change.reopen && fixed.length > 0) {
    throw illegalArgument(
      `Can't update non dynamic settings [[${fixed.join(", ")}]] for open indices [[${change.name}/${change.uuid}]] unless the \`reopen\` query parameter is set to true. Alternatively, close the indices, apply the settings changes, and reopen the indices`,
    );
  }
  const final = fixed.find((name) => changeable(name) === "never");
  if (final !== undefined) throw illegalArgument(`final ${change.name} setting [${final}], not updateable`);
  checkedSettings(given);
  for (const [name, value] of changed) {
    if (value !== null) all.set(name, value);
    else if (name === "index.number_of_replicas") all.set(name, "1");
    else for (const known of [...all.keys()]) if (known === name || known.startsWith(`${name}.`)) all.delete(known);
  }
  return nest(all).index as JsonObject;
}

/** The value of a setting by its full name, undefined when it is not set. */
export function settingOf(settings: JsonObject, name: string): string | undefined {
  const value = settingValue(settings, name);
  return typeof value === "string" ? value : undefined;
}

/** A setting that is a list, or a text with commas. */
export function listSettingOf(settings: JsonObject, name: string): readonly string[] | undefined {
  const value = settingValue(settings, name);
  return Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(",") : undefined;
}

function settingValue(settings: JsonObject, name: string): JsonValue | undefined {
  let value: JsonValue | undefined = settings;
  let from = name.startsWith("index.") ? "index.".length : 0;
  for (;;) {
    if (value === null || typeof value !== "object" || Array.isArray(value) || value instanceof JsonNumber)
      return undefined;
    const dot = name.indexOf(".", from);
    value = (value as JsonObject)[name.slice(from, dot < 0 ? undefined : dot)];
    if (dot < 0) return value;
    from = dot + 1;
  }
}

/** What is worked out of an index's settings, once for all of its requests: settings that change are another object. */
export function ofSettings<T>(read: (settings: JsonObject) => T): (settings: JsonObject) => T {
  const known = new WeakMap<JsonObject, { readonly value: T }>();
  return (settings) => {
    let found = known.get(settings);
    if (found === undefined) known.set(settings, (found = { value: read(settings) }));
    return found.value;
  };
}

/** Milliseconds of a time setting, `otherwise` when it is not set; -1 means never. */
export function timeSetting(settings: JsonObject, name: string, otherwise: number): number {
  const text = settingOf(settings, name);
  return text === undefined ? otherwise : parseTime(text, name);
}

/** Dotted names and nested objects are the same; `index.` may be left out. */
function flattenSettings(given: JsonObject): Map<string, Printed> {
  const flat = new Map<string, Printed>();
  const add = (prefix: string, value: JsonValue): void => {
    if (value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof JsonNumber)) {
      for (const [key, inner] of Object.entries(value)) add(prefix === "" ? key : `${prefix}.${key}`, inner);
      return;
    }
    if (Array.isArray(value) && value.some((item) => typeof item === "object" && !(item instanceof JsonNumber))) {
      throw new EngineError("settings_exception", `Failed to load settings from [${writeJson(given)}]`, {
        status: 500,
        cause: new EngineError("illegal_state_exception", "only value lists are allowed in serialized settings"),
      });
    }
    const name = prefix.startsWith("index.") ? prefix : `index.${prefix}`;
    if (flat.has(name)) throw illegalArgument(`duplicate settings key [${name}] found`);
    flat.set(
      name,
      value === null ? null : Array.isArray(value) ? value.map((item: JsonValue) => String(item)) : String(value),
    );
  };
  add("", given);
  return flat;
}

function nest(flat: ReadonlyMap<string, Printed>): { [key: string]: JsonValue } {
  const root: { [key: string]: JsonValue } = Object.create(null);
  for (const [name, value] of flat) {
    const parts = name.split(".");
    let at = root;
    for (let i = 0; i < parts.length - 1; i++) {
      const known = at[parts[i]];
      if (known !== undefined && (known === null || typeof known !== "object" || Array.isArray(known))) {
        throw illegalArgument(`the settings [${parts.slice(0, i + 1).join(".")}] and [${name}] exclude each other`);
      }
      const next = (known ?? Object.create(null)) as { [key: string]: JsonValue };
      at[parts[i]] = next;
      at = next;
    }
    at[parts[parts.length - 1]] = value;
  }
  return root;
}

function unknownSetting(name: string): EngineError | undefined {
  if (KNOWN_SETTINGS.has(name)) return undefined;
  if (SETTING_GROUPS.some((group) => name.startsWith(group) && name.length > group.length)) return undefined;
  return illegalArgument(`unknown setting [${name}]${suggestion(name)}`);
}

function checkSetting(name: string, value: Printed): EngineError | undefined {
  const known = KNOWN_SETTINGS.get(name);
  if (known === undefined || value === null) return unknownSetting(name);
  try {
    const text = Array.isArray(value) ? (value as readonly string[]).join(",") : (value as string);
    checkValue(name, text, known.kind);
    if (known.refused?.(text)) throw unsupported(`index setting [${name}: ${text}]`);
    return undefined;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
}

/** Elasticsearch names settings whose spelling is near (Levenshtein distance against the longer of the two, above 0.7). */
function suggestion(name: string): string {
  const near = [...KNOWN_SETTINGS.keys()]
    .map((known) => ({ known, score: 1 - distance(name, known) / Math.max(name.length, known.length) }))
    .filter(({ score }) => score > 0.7)
    .sort((a, b) => b.score - a.score)
    .map(({ known }) => known);
  if (near.length === 1) return ` did you mean [${near[0]}]?`;
  if (near.length > 1) return ` did you mean any of [${near.join(", ")}]?`;
  return " please check that any required plugins are installed, or check the breaking changes documentation for removed settings";
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

function checkValue(name: string, text: string, kind: SettingKind): void {
  switch (kind.type) {
    case "int": {
      const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isNaN(number) || number > 2147483647 || number < -2147483648) {
        throw illegalArgument(`Failed to parse value [${text}] for setting [${name}]`, {
          cause: new EngineError("number_format_exception", `For input string: "${text}"`),
        });
      }
      if (number < kind.min)
        throw illegalArgument(`Failed to parse value [${text}] for setting [${name}] must be >= ${kind.min}`);
      if (kind.max !== undefined && number > kind.max) {
        throw illegalArgument(`Failed to parse value [${text}] for setting [${name}] must be <= ${kind.max}`);
      }
      return;
    }
    case "time":
      parseTime(text, name);
      return;
    case "boolean":
      if (text !== "true" && text !== "false") {
        throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`);
      }
      return;
    case "float":
      if (text.trim() === "" || Number.isNaN(Number(text))) {
        throw illegalArgument(`Failed to parse value [${text}] for setting [${name}]`, {
          cause: new EngineError("number_format_exception", `For input string: "${text}"`),
        });
      }
      return;
    case "bytes":
      if (!/^(-1|0|\d+(\.\d+)?\s*(b|kb?|mb?|gb?|tb?|pb?)|\d+(\.\d+)?%)$/i.test(text.trim())) {
        throw new EngineError(
          "parse_exception",
          `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
        );
      }
      return;
    case "oneOf":
      if (!kind.values.includes(text)) {
        throw illegalArgument(
          `unknown value for [${name}] must be one of [${kind.values.join(", ")}] but was: ${text}`,
        );
      }
      return;
    case "text":
    case "list":
      return;
  }
}

const UNITS: { readonly [unit: string]: number } = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Elasticsearch's TimeValue: a whole number and a unit; 0 and -1 stand alone. */
function parseTime(text: string, name: string): number {
  const fail = (why: string) =>
    illegalArgument(`failed to parse setting [${name}] with value [${text}] as a time value: ${why}`);
  const normalized = text.toLowerCase().trim();
  if (normalized === "-1") return -1;
  if (/^0+$/.test(normalized)) return 0;
  const match = /^(.*?)\s*(nanos|micros|ms|s|m|h|d)$/.exec(normalized);
  if (match === null) throw fail("unit is missing or unrecognized");
  const [, number, unit] = match;
  if (!/^[+-]?\d+$/.test(number)) {
    throw illegalArgument(
      `failed to parse [${text}]${/^\d*\.\d+$/.test(number) ? ", fractional time values are not supported" : ""}`,
    );
  }
  if (Number(number) < -1) throw fail("negative durations are not supported");
  return Number(number) < 0 ? -1 : Number(number) * UNITS[unit];
}

/** The first problem; Elasticsearch lists the others beside it. */
function withSuppressed(problems: readonly EngineError[]): EngineError {
  const [first, ...rest] = problems;
  if (rest.length === 0) return first;
  return new EngineError(first.type, first.message, {
    status: first.status,
    cause: first.cause,
    metadata: { suppressed: rest.map(({ type, message }) => ({ type, reason: message })) },
    rootCause: [first],
  });
}
