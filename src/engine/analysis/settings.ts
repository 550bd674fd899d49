/** The settings of one component, read as Elasticsearch reads them: every value may be a string. */
import { EngineError, illegalArgument, unsupported } from "../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import { namedStopWords } from "./languages/stop-words.ts";
import type { AnalysisResources } from "./types.ts";

export interface ComponentSettings {
  /** Nothing is set, not even the type: the part was asked for by its name alone. */
  readonly empty: boolean;
  string(key: string): string | undefined;
  string(key: string, fallback: string): string;
  int(key: string, fallback: number): number;
  bool(key: string, fallback: boolean): boolean;
  /** A list, or a string with commas between its parts. */
  list(key: string): string[] | undefined;
}

/** What the making of a component needs beside its settings. */
export interface ComponentContext {
  readonly resources: AnalysisResources;
  readonly maxNgramDiff: number;
  readonly maxShingleDiff: number;
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);
}

const INT = /^[+-]?\d+$/;

export function scalar(value: JsonValue): string {
  return typeof value === "string" ? value : String(value);
}

export function componentSettings(values: JsonObject): ComponentSettings {
  const get = (key: string): JsonValue | undefined =>
    Object.hasOwn(values, key) && values[key] !== null ? values[key] : undefined;
  const text = (key: string): string | undefined => {
    const value = get(key);
    return value === undefined || isObject(value)
      ? undefined
      : Array.isArray(value)
        ? `[${value.map(scalar).join(", ")}]`
        : scalar(value);
  };
  return {
    empty: Object.keys(values).length === 0,
    string: ((key: string, fallback?: string) => text(key) ?? fallback) as ComponentSettings["string"],
    int(key, fallback) {
      const value = text(key);
      if (value === undefined) return fallback;
      const number = Number(value);
      if (!INT.test(value) || number > 0x7fffffff || number < -0x80000000) {
        throw new EngineError("settings_exception", `Failed to parse int setting [${key}] with value [${value}]`, {
          status: 500,
          cause: new EngineError("number_format_exception", `For input string: "${value}"`),
        });
      }
      return number;
    },
    bool(key, fallback) {
      const value = text(key);
      if (value === undefined) return fallback;
      if (value === "true" || value === "false") return value === "true";
      throw illegalArgument(`Failed to parse value [${value}] as only [true] or [false] are allowed.`);
    },
    list(key) {
      const value = get(key);
      if (value === undefined || isObject(value)) return undefined;
      if (Array.isArray(value)) return value.map(scalar);
      return scalar(value)
        .split(",")
        .map((part) => part.trim());
    },
  };
}

/** The lines of the file that `KEY_path` names. */
export function lines(key: string, settings: ComponentSettings, resources: AnalysisResources): string[] | undefined {
  const path = settings.string(`${key}_path`);
  if (path === undefined) return undefined;
  if (resources.readText === undefined) throw unsupported(`${key}_path`);
  let text: string;
  try {
    text = resources.readText(path);
  } catch (error) {
    throw illegalArgument(`IOException while reading ${key}_path: ${path}`, { cause: error });
  }
  return text.replace(/^\ufeff/, "").split(/\r?\n/);
}

/** Words of `KEY` or, one a line, of the file that `KEY_path` names; `#` starts a comment. */
export function wordList(settings: ComponentSettings, key: string, resources: AnalysisResources): string[] | undefined {
  const words = lines(key, settings, resources);
  if (words === undefined) return settings.list(key);
  return words.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}

/** `stopwords` and `stopwords_path`: words, names of lists between underscores, or `_none_` alone. */
export function stopWords(
  settings: ComponentSettings,
  fallback: readonly string[],
  resources: AnalysisResources,
): readonly string[] {
  if (settings.string("stopwords") === "_none_") return [];
  const words = settings.list("stopwords") ?? wordList(settings, "stopwords", resources);
  return words?.flatMap((word) => namedStopWords(word) ?? [word]) ?? fallback;
}
