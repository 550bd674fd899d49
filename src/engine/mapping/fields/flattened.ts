/**
 * `flattened`: an object whose leaves are all keywords. Each is indexed twice: as a value of the field, and behind its key in a field of its
 * own (FlattenedFieldMapper), where `field.key` finds it.
 */
import { EngineError, illegalArgument, parsingError } from "../../errors.ts";
import { emptyObject } from "../../json/parse.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import { utf8Length } from "../../json/utf8.ts";
import type { FieldInfo } from "../../segment/types.ts";
import { addOrdinal, addTerm, type DocBuffer, MAX_TERM_BYTES } from "../doc-buffer.ts";
import type { DocValue } from "../doc-value-format.ts";
import { javaText } from "../java-text.ts";
import { isObject } from "../leaf.ts";
import type { FieldType } from "../model.ts";
import {
  booleanParameter,
  enumParameter,
  metaParameter,
  type Parameter,
  parameter,
  readInteger,
} from "../parameters.ts";
import type { MappedField } from "../types.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  docValuesParameter,
  indexParameter,
  makeField,
  plainFormat,
  queryText,
  scalarText,
  tokenName,
  ValueError,
} from "./common.ts";
import { similarityParameter } from "./text.ts";

const SEPARATOR = "\0";
const NO_LIMIT = 0x7fffffff;

function positive(name: string, fallback: number): Parameter {
  return parameter(
    name,
    fallback,
    (value) => {
      const limit = readInteger(value);
      if (limit < 0) throw illegalArgument(`[${name}] must be positive, got [${limit}]`);
      return limit;
    },
    { updateable: true },
  );
}

const isScalar = (value: JsonValue): value is string | number | boolean | JsonNumber =>
  value !== null && (typeof value !== "object" || value instanceof JsonNumber);

/** The name that Elasticsearch's errors have for a scalar's token. */
function scalarToken(value: JsonValue): string {
  const name = tokenName(value);
  if (name.startsWith("VALUE_NUMBER")) return "VALUE_NUMBER";
  return typeof value === "boolean" ? "VALUE_BOOLEAN" : name;
}

interface Walk {
  readonly name: string;
  readonly depthLimit: number;
  readonly nullValue: string | undefined;
  readonly leaf: (key: string, text: string) => void;
}

/** Hands each leaf of an object over, under its path. */
function walk(options: Walk, value: JsonValue, key: string, path: (string | number)[], depth: number): void {
  if (Array.isArray(value)) {
    for (const [at, item] of (value as JsonValue[]).entries()) walk(options, item, key, [...path, at], depth);
    return;
  }
  if (value === null) {
    if (options.nullValue !== undefined) checked(options, key, options.nullValue, value, path);
    return;
  }
  if (isScalar(value)) {
    checked(options, key, scalarText(value), value, path);
    return;
  }
  if (depth > 0 && depth + 1 > options.depthLimit) {
    throw new ValueError(
      illegalArgument(
        `The provided [flattened] field [${options.name}] exceeds the maximum depth limit of [${options.depthLimit}].`,
      ),
      { path, which: "end", preview: { value } },
    );
  }
  for (const [name, inner] of Object.entries(value)) {
    walk(options, inner as JsonValue, key === "" && depth === 0 ? name : `${key}.${name}`, [...path, name], depth + 1);
  }
}

function checked(options: Walk, key: string, text: string, value: JsonValue, path: (string | number)[]): void {
  if (key.includes(SEPARATOR)) {
    throw new ValueError(
      illegalArgument(`Keys in [flattened] fields cannot contain the reserved character \\0. Offending key: [${key}].`),
      { path, preview: { value } },
    );
  }
  try {
    options.leaf(key, text);
  } catch (error) {
    throw error instanceof EngineError ? new ValueError(error, { path, preview: { value } }) : error;
  }
}

function immense(name: string, key: string, text: string): EngineError {
  const [keyLength, valueLength] = [utf8Length(key), utf8Length(text)];
  return illegalArgument(
    `Flattened field [${name}] contains one immense field whose keyed encoding is longer than the allowed max length of ${MAX_TERM_BYTES} bytes. Key length: ${keyLength}, value length: ${valueLength} for key starting with [${key.slice(0, 50)}]`,
  );
}

export const flattenedType: FieldType = {
  type: "flattened",
  parameters: [
    indexParameter,
    docValuesParameter,
    parameter<string | undefined>("null_value", undefined, (value) => (value === null ? undefined : javaText(value)), {
      acceptsNull: true,
    }),
    booleanParameter("eager_global_ordinals", false, { updateable: true }),
    positive("ignore_above", NO_LIMIT),
    enumParameter("index_options", "docs", ["docs", "freqs"]),
    similarityParameter,
    booleanParameter("split_queries_on_whitespace", false, { updateable: true }),
    positive("depth_limit", 20),
    metaParameter,
  ],
  refuses: (what, name) => illegalArgument(`flattened field [${name}] does not support [${what}]`),
  create: (options) => {
    const { get, path, name } = options;
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const ignoreAbove = get<number>("ignore_above");
    const info: FieldInfo = {
      name: path,
      // Whatever `index_options` says, Elasticsearch counts no frequencies.
      index: indexed ? "docs" : "none",
      norms: false,
      docValues: hasDocValues ? "ordinals" : "none",
      points: "none",
    };
    const keyedInfo: FieldInfo = { ...info, name: `${path}._keyed` };
    const add = (doc: DocBuffer, field: FieldInfo, text: string) => {
      if (indexed) addTerm(doc, field, text);
      if (hasDocValues) addOrdinal(doc, field, text);
    };
    const shared = {
      options,
      type: "flattened",
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? ("docValues" as const) : ("_field_names" as const),
    };
    const keyed = (key: string): MappedField => {
      const prefix = key + SEPARATOR;
      const shown = (value: DocValue) => String(value).slice(prefix.length);
      const keyedFormat = { raw: false, format: shown, sortValue: shown };
      return makeField({
        ...shared,
        name: keyedInfo.name,
        family: "flattened",
        info: keyedInfo,
        termPrefix: prefix,
        valueFetcher: valuesBy(`${path}.${key}`, "flattened", (value) => value),
        addValue: () => false,
        termValue: (value) => prefix + queryText(value),
        rangeBound: (value) => prefix + queryText(value),
        docValueFormat: plainFormat(keyedInfo.name, "flattened", keyedFormat),
      });
    };
    return makeField({
      ...shared,
      family: "keyword",
      info,
      keyed,
      addValue: (doc, value) => {
        if (isScalar(value)) {
          throw new ValueError(
            parsingError(
              `Failed to parse object: expecting token of type [START_OBJECT] but found [${scalarToken(value)}]`,
            ),
            { located: true },
          );
        }
        let added = false;
        const leaf = (key: string, text: string) => {
          if (text.length > ignoreAbove) {
            return;
          }
          if (utf8Length(key) + utf8Length(text) + 1 > MAX_TERM_BYTES) throw immense(name, key, text);
          added = true;
          add(doc, info, text);
          add(doc, keyedInfo, key + SEPARATOR + text);
        };
        walk({ name, depthLimit: get("depth_limit"), nullValue: get("null_value"), leaf }, value, "", [], 0);
        return added ? false : undefined;
      },
      valueFetcher: valuesBy(path, "flattened", (value) => shownObject(value, ignoreAbove)),
      termValue: queryText,
      rangeBound: queryText,
    });
  },
};

/** An object less the texts that are too long, which are looked for among its own values and in lists of them only. */
function shownObject(value: JsonValue, ignoreAbove: number): JsonValue | undefined {
  const short = (text: string) => text.length <= ignoreAbove;
  if (!isObject(value)) return typeof value === "string" && short(value) ? value : undefined;
  const shown = emptyObject();
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (inner === null || (typeof inner === "string" && !short(inner))) continue;
    if (!Array.isArray(inner)) shown[key] = inner;
    else {
      const kept = (inner as JsonValue[]).filter((item) => typeof item !== "string" || short(item));
      if (kept.length > 0) shown[key] = kept.length === 1 ? kept[0] : kept;
    }
  }
  return Object.keys(shown).length === 0 ? undefined : shown;
}
