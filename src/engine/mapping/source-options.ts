/** `_source` in a mapping (SourceFieldMapper): whether sources are kept, and what of them. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/types.ts";
import { writeJson } from "../json/write.ts";
import { classCast } from "./java-errors.ts";
import { javaText } from "./java-text.ts";
import type { SourceOptions } from "./model.ts";
import { readBoolean } from "./parameters.ts";
import { sourceOf } from "./source-filter.ts";

const UNSAID: SourceOptions = { enabled: undefined, mode: undefined, includes: [], excludes: [] };

export function readSourceOptions(value: JsonObject): SourceOptions {
  const options: { -readonly [K in keyof SourceOptions]: SourceOptions[K] } = { ...UNSAID };
  for (const key of Object.keys(value)) {
    const option = value[key];
    if (key === "enabled") options.enabled = readBoolean(option);
    else if (key === "includes" || key === "excludes") options[key] = patterns(option);
    else if (key === "mode") options.mode = readMode(javaText(option));
    else throw mapperParsing(`unknown parameter [${key}] on metadata field [_source]`);
  }
  if (options.mode !== undefined && options.enabled !== undefined) {
    throw mapperParsing("Cannot set both [mode] and [enabled] parameters");
  }
  return options;
}

function readMode(mode: string): "stored" | "disabled" {
  if (mode === "stored" || mode === "disabled") return mode;
  throw unsupported(`_source.mode [${mode}]`);
}

function patterns(value: JsonValue): readonly string[] {
  if (value === null) {
    const reason = 'Cannot invoke "java.util.List.iterator()" because "values" is null';
    throw new EngineError("null_pointer_exception", reason);
  }
  if (Array.isArray(value)) return value.map((item: JsonValue) => javaText(item));
  throw classCast(value, "List");
}

/** @throws where an update asks for something else */
export function mergeSourceOptions(
  current: SourceOptions | undefined,
  update: SourceOptions | undefined,
): SourceOptions | undefined {
  if (update === undefined) return current;
  const from = current ?? UNSAID;
  // Elasticsearch shows the mode that there is before it has looked whether there is one.
  if (update.mode === "stored" && from.mode === undefined) {
    const reason =
      'Cannot invoke "org.elasticsearch.index.mapper.SourceFieldMapper$Mode.toString()" because "v" is null';
    throw new EngineError("null_pointer_exception", reason, { status: 500 });
  }
  const conflicts: string[] = [];
  const conflict = (name: string, a: unknown, b: unknown) => {
    conflicts.push(`\n\tCannot update parameter [${name}] from [${a}] to [${b}]`);
  };
  if (from.enabled === false && update.enabled !== false) conflict("enabled", false, true);
  if (from.mode === "disabled" && update.mode === "stored") conflict("mode", "disabled", "stored");
  const compare = (name: string, a: unknown, b: unknown) => {
    if (a !== b) conflict(name, a, b);
  };
  const list = (names: readonly string[]) => `[${names.join(", ")}]`;
  compare("includes", list(from.includes), list(update.includes));
  compare("excludes", list(from.excludes), list(update.excludes));
  if (conflicts.length > 0) {
    throw illegalArgument(`Mapper for [_source] conflicts with existing mapper:${conflicts.join("")}`);
  }
  // What was kept of the documents that are there already would have to stay so.
  if (keepsSource(from) !== keepsSource(update)) throw unsupported("another _source of an index that is there already");
  return update;
}

/** What a mapping shows: what is not the default. */
export function printSourceOptions({ enabled, mode, includes, excludes }: SourceOptions): JsonObject | undefined {
  const printed = {
    ...(enabled === false ? { enabled } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(includes.length > 0 ? { includes } : {}),
    ...(excludes.length > 0 ? { excludes } : {}),
  };
  return Object.keys(printed).length > 0 ? printed : undefined;
}

export const keepsSource = (options: SourceOptions | undefined): boolean =>
  options?.enabled !== false && options?.mode !== "disabled";

/** What is kept of a source; undefined: nothing. */
export function keptSource(bytes: Uint8Array, options: SourceOptions | undefined): Uint8Array | undefined {
  if (options === undefined) return bytes;
  if (!keepsSource(options)) return undefined;
  const kept = sourceOf(bytes, options);
  return kept instanceof Uint8Array ? kept : new TextEncoder().encode(writeJson(kept));
}
