/** `keyword`: one term for a value, normalised or as it is, with sorted doc values. */
import { illegalArgument, mapperParsing } from "../../errors.ts";
import type { JsonValue } from "../../json/types.ts";
import { utf8Length } from "../../json/utf8.ts";
import type { FieldInfo, IndexOptions } from "../../segment/types.ts";
import { addOrdinal, addTerm, immenseKeyword, MAX_TERM_BYTES } from "../doc-buffer.ts";
import { javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import {
  booleanParameter,
  enumParameter,
  metaParameter,
  type Parameter,
  parameter,
  readInteger,
} from "../parameters.ts";
import { valuesBy } from "../value-fetcher.ts";
import {
  docValuesParameter,
  EXPECTED_TEXT,
  indexParameter,
  isStructure,
  makeField,
  queryText,
  scalarText,
  storeParameter,
} from "./common.ts";
import { similarityParameter } from "./text.ts";

/** Elasticsearch's limit when none is set. */
const NO_LIMIT = 0x7fffffff;

const parameters: readonly Parameter[] = [
  indexParameter,
  docValuesParameter,
  storeParameter,
  parameter<string | undefined>("null_value", undefined, (value) => (value === null ? undefined : javaText(value)), {
    acceptsNull: true,
  }),
  booleanParameter("eager_global_ordinals", false, { updateable: true }),
  parameter(
    "ignore_above",
    (_get, context) => Number(context.setting?.("index.mapping.ignore_above") ?? NO_LIMIT),
    (value) => {
      const limit = readInteger(value);
      if (limit < 0) throw illegalArgument(`[ignore_above] must be positive, got [${limit}]`);
      return limit;
    },
    { updateable: true },
  ),
  enumParameter("index_options", "docs", ["docs", "freqs"]),
  booleanParameter("norms", false, {
    updateable: true,
    canMerge: (from, to) => from === to || (from === true && to === false),
  }),
  similarityParameter,
  parameter<string | undefined>(
    "normalizer",
    undefined,
    (value, { field, context }) => {
      if (value === null) return undefined;
      const name = javaText(value);
      if (context.analysis.normalizer(name) === undefined) {
        throw mapperParsing(`normalizer [${name}] not found for field [${field}]`);
      }
      return name;
    },
    { acceptsNull: true, late: true },
  ),
  booleanParameter("split_queries_on_whitespace", false, { updateable: true }),
  metaParameter,
];

export const keywordType: FieldType = {
  type: "keyword",
  parameters,
  create: (options) => {
    const { get, path, context } = options;
    const indexed = get<boolean>("index");
    const hasDocValues = get<boolean>("doc_values");
    const norms = indexed && get<boolean>("norms");
    const info: FieldInfo = {
      name: path,
      index: indexed ? (get<string>("index_options") as IndexOptions) : "none",
      norms,
      docValues: hasDocValues ? "ordinals" : "none",
      points: "none",
    };
    const ignoreAbove = get<number>("ignore_above");
    const normalizerName = get<string | undefined>("normalizer");
    const normalizer = normalizerName === undefined ? undefined : context.analysis.normalizer(normalizerName);
    const nullValue = get<string | undefined>("null_value");
    const term = (value: JsonValue): string => {
      const text = queryText(value);
      return normalizer === undefined ? text : normalizer.normalize(text);
    };
    return makeField({
      options,
      type: "keyword",
      family: "keyword",
      info,
      indexed,
      hasDocValues,
      existsBy: hasDocValues ? "docValues" : norms ? "norms" : "_field_names",
      normalizer,
      // The terms that it makes are normalised as they are looked up.
      searchAnalyzer: get<boolean>("split_queries_on_whitespace") ? context.analysis.get("whitespace") : undefined,
      similarity: get<string | undefined>("similarity"),
      nullValue,
      addValue: (doc, value) => {
        if (isStructure(value)) throw illegalArgument(EXPECTED_TEXT);
        const text = scalarText(value);
        if (text.length > ignoreAbove) return true;
        const stored = normalizer === undefined ? text : normalizer.normalize(text);
        if (!indexed && !hasDocValues) return false;
        if (stored.length > MAX_TERM_BYTES / 3 && utf8Length(stored) > MAX_TERM_BYTES)
          throw immenseKeyword(path, stored);
        if (indexed) addTerm(doc, info, stored);
        if (hasDocValues) addOrdinal(doc, info, stored);
        return false;
      },
      valueFetcher: valuesBy(
        path,
        "keyword",
        (value) => {
          const text = javaText(value);
          if (text.length > ignoreAbove) return undefined;
          return normalizer === undefined ? text : normalizer.normalize(text);
        },
        nullValue,
      ),
      termValue: term,
      rangeBound: term,
    });
  },
};
