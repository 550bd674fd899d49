/**
 * LlamaIndex's VectorIndexAutoRetriever: a language model reads a question and says what to search for, which filters to set, and how many
 * results are wanted. What it says wrongly is ignored as a whole: then the question is asked as it is.
 */
import {
  askModel,
  FILTER_OPERATORS,
  FilterError,
  type Filters,
  InvalidArgumentError,
  inLanguage,
  type LanguageModel,
  type MetadataFilter,
  type MetadataFilters,
  normalizeFilters,
  type PromptOption,
  type PromptSet,
  type QueryBundle,
  queryBundle,
  questionLanguage,
  type RetrieveOptions,
  type Retriever,
  type VectorQueryMode,
  type Verbose,
  withPrompts,
} from "../schema/index.ts";
import { defineRetriever, type RetrieverFrame, retrieveOptions } from "./define.ts";
import { jsonInAnswer } from "./model-json.ts";

/** A field of the metadata, for a model: name, type and what it means. */
export interface MetadataInfo {
  name: string;
  /** Such as `string`, `integer` or `list of strings`. */
  type: string;
  description: string;
}

/** The retriever, the model, and the metadata that it may filter by. */
export interface AutoRetrieverOptions extends RetrieverFrame {
  /** Makes the retriever that is asked in the end: a vector store index, or anything with this method. */
  index: {
    asRetriever(options: { topK: number; filters?: Filters; mode?: VectorQueryMode }): Retriever;
  };
  model: LanguageModel;
  /** What the passages are about, for the model. */
  contentInfo: string;
  /** The metadata that it may filter by. */
  metadataInfo: readonly MetadataInfo[];
  /** Results where the model names no number, and at most. Default 10. */
  topK?: number;
  /** Results that the model may ask for. Default 10. */
  maxTopK?: number;
  /** Results where only filters are left; null: `topK`. Default 10. */
  emptyQueryTopK?: number | null;
  /** Hold always, beside the model's. */
  extraFilters?: MetadataFilters;
  /** Stands for an empty question. Default: filters alone decide. */
  emptyQueryVector?: readonly number[];
  mode?: VectorQueryMode;
  /**
   * Hears of filters by an unknown field or operator, or without a fitting value: they are left out, and the others hold. Without it an answer
   * with such a filter is ignored as a whole, as LlamaIndex does.
   */
  onDropped?: (filter: unknown, reason: string) => void;
  /** `{schema_str}`, `{info_str}` and `{query_str}` are filled in. */
  prompt?: PromptOption;
  /** Shows each call with its prompt and its answer. Default false. */
  verbose?: Verbose;
}

/** What the model said. */
export interface RetrievalSpec {
  query: string;
  filters: (MetadataFilter | MetadataFilters)[];
  condition?: "and" | "or" | "not";
  topK?: number;
}

/** A retriever whose filters a model reads out of the question; also shows what it read. */
export interface AutoRetriever extends Retriever {
  /** The model's reading of a question, and what will be asked. */
  plan(
    query: string | QueryBundle,
    options?: RetrieveOptions,
  ): Promise<{ spec: RetrievalSpec; query: QueryBundle; topK: number; filters: Filters | undefined }>;
}

/** What the model is asked for, as a JSON schema: for models that answer by one. `condition` is more than LlamaIndex asks. */
export const RETRIEVAL_SPEC_SCHEMA = {
  $defs: {
    FilterOperator: { enum: [...FILTER_OPERATORS], type: "string" },
    MetadataFilter: {
      properties: {
        key: { type: "string" },
        value: {
          anyOf: [
            { type: "integer" },
            { type: "number" },
            { type: "string" },
            { items: { type: "string" }, type: "array" },
            { items: { type: "number" }, type: "array" },
            { items: { type: "integer" }, type: "array" },
            { type: "null" },
          ],
        },
        operator: { $ref: "#/$defs/FilterOperator", default: "==" },
      },
      required: ["key", "value"],
      type: "object",
    },
  },
  properties: {
    query: { type: "string" },
    filters: { items: { $ref: "#/$defs/MetadataFilter" }, type: "array" },
    condition: { enum: ["and", "or", "not"], type: "string", default: "and" },
    top_k: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
  },
  required: ["query", "filters"],
  type: "object",
} as const;

const ENGLISH =
  "You turn a question into a search request: JSON of the form {schema_str}, and nothing else.\n" +
  '- "query": what to search the texts for, without what the filters already say; "" when the filters say everything.\n' +
  '- "filters": conditions on the metadata below, only those that the question asks for; [] when there are none.\n' +
  '- "top_k": how many results are wanted, only if the question says so.\n\n' +
  "The texts and their metadata:\n{info_str}\n\nQuestion: {query_str}\nJSON:\n";

const CHINESE =
  "你把问题变成一个搜索请求：只输出如下形式的 JSON，不要输出其他内容：{schema_str}\n" +
  '- "query"：在文本中搜索什么，不包括过滤条件已经表达的内容；过滤条件已经表达了全部内容时用 ""。\n' +
  '- "filters"：对下列元数据的条件，只写问题里要求的；没有时用 []。\n' +
  '- "top_k"：需要多少条结果，只有问题里说了才写。\n\n' +
  "文本和元数据：\n{info_str}\n\n问题：{query_str}\nJSON：\n";

const PROMPT = { en: ENGLISH, zh: CHINESE };

const SCHEMA =
  '{"query": string, "filters": [{"key": string, "value": string | number | [string] | [number] | null, "operator": ' +
  '"==" | "!=" | ">" | ">=" | "<" | "<=" | "in" | "nin" | "any" | "all" | "text_match" | "text_match_insensitive" | "contains" | ' +
  '"is_empty"}], "condition": "and" | "or" | "not" (default "and"), "top_k": integer (optional)}';

/**
 * Makes a retriever whose filters are read from the question.
 *
 * @throws InvalidArgumentError for extra filters of which one is enough: they could not hold always
 * @example
 * autoRetriever({ index, model, contentInfo: "员工手册", metadataInfo: [{ name: "level", type: "string", description: "员工 or 经理" }] })
 */
export function autoRetriever(options: AutoRetrieverOptions): AutoRetriever {
  const { model, topK = 10, maxTopK = 10, emptyQueryTopK = 10, extraFilters, mode, verbose } = options;
  if (extraFilters?.condition === "or") {
    throw new InvalidArgumentError(
      "extraFilters",
      extraFilters,
      'extraFilters hold always: their condition cannot be "or"',
    );
  }
  normalizeFilters(extraFilters);
  const prompts: PromptSet["own"] = { prompt: options.prompt ?? PROMPT };
  const info = JSON.stringify({ metadata_info: options.metadataInfo, content_info: options.contentInfo }, null, 4);

  const plan: AutoRetriever["plan"] = async (query, call = {}) => {
    const bundle = queryBundle(query);
    const values = { schema_str: SCHEMA, info_str: info, query_str: bundle.query };
    const asking = inLanguage(prompts["prompt"]!, questionLanguage(bundle.query));
    const answer = await askModel({ model, prompt: asking, values, purpose: "filters", verbose }, call);
    const { onDropped, metadataInfo } = options;
    const checked = onDropped && { onDropped, keys: metadataInfo.map(({ name }) => name) };
    const spec = readSpec(answer, checked) ?? { query: bundle.query, filters: [] };
    if (checked && spec.query === bundle.query && jsonInAnswer(answer) === undefined)
      onDropped?.(answer.slice(0, 200), "the answer is no search request");
    const usual = spec.query === "" && emptyQueryTopK !== null ? emptyQueryTopK : topK;
    const asked: QueryBundle = {
      query: spec.query,
      ...(spec.query === "" && options.emptyQueryVector ? { embedding: [...options.emptyQueryVector] } : {}),
      ...(bundle.filters ? { filters: bundle.filters } : {}),
    };
    return {
      spec,
      query: asked,
      topK: spec.topK === undefined ? usual : Math.min(spec.topK, maxTopK, usual),
      filters: joined(spec, extraFilters),
    };
  };

  const retriever = defineRetriever(
    async (input) => {
      const call = retrieveOptions(input);
      const { query, topK: count, filters } = await plan(input, call);
      const inner = options.index.asRetriever({
        topK: count,
        ...(filters ? { filters } : {}),
        ...(mode ? { mode } : {}),
      });
      return inner.retrieve(query, call);
    },
    { name: "auto", ...options },
  );
  return withPrompts(Object.assign(retriever, { plan }), prompts);
}

/** The model's filters and the extra ones; lists that are joined by "and" become one. */
function joined(spec: RetrievalSpec, extra: MetadataFilters | undefined): MetadataFilters | undefined {
  const own = flat({ filters: spec.filters, ...(spec.condition ? { condition: spec.condition } : {}) });
  const filters = [...own, ...(extra ? flat(extra) : [])];
  return filters.length === 0 ? undefined : { filters, condition: "and" };
}

function flat(list: MetadataFilters): (MetadataFilter | MetadataFilters)[] {
  if (list.filters.length === 0) return [];
  return (list.condition ?? "and") === "and" ? list.filters : [list];
}

interface Checked {
  keys: readonly string[];
  onDropped(filter: unknown, reason: string): void;
}

/** The specification in an answer; undefined where it is not one. */
function readSpec(answer: string, checked?: Checked): RetrievalSpec | undefined {
  const value = jsonInAnswer(answer);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { query, filters, condition, top_k } = value as Record<string, unknown>;
  if (typeof query !== "string" || !Array.isArray(filters) || !isTopK(top_k)) return undefined;
  try {
    const read = checked ? filters.flatMap((filter) => fittingFilter(filter, checked)) : filters.map(readFilter);
    const list = { filters: read, ...(isCondition(condition) ? { condition } : {}) };
    normalizeFilters(list);
    const number = top_k === undefined || top_k === null ? undefined : Number(top_k);
    // Nobody asks for nothing.
    return { query, ...list, ...(number === undefined || number <= 0 ? {} : { topK: number }) };
  } catch (error) {
    if (error instanceof FilterError) return undefined;
    throw error;
  }
}

/** The filter where it fits, with what of a list fits. */
function fittingFilter(filter: unknown, checked: Checked): (MetadataFilter | MetadataFilters)[] {
  try {
    if (typeof filter === "object" && filter !== null && "filters" in filter && Array.isArray(filter.filters)) {
      const inner = filter.filters.flatMap((item) => fittingFilter(item, checked));
      return inner.length === 0 ? [] : [readFilter({ ...filter, filters: inner })];
    }
    const read = readFilter(filter);
    normalizeFilters({ filters: [read] });
    if ("key" in read && !checked.keys.includes(read.key))
      throw new FilterError(read.key, `there is no field "${read.key}"`);
    return [read];
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    checked.onDropped(filter, error.message);
    return [];
  }
}

function readFilter(filter: unknown): MetadataFilter | MetadataFilters {
  if (typeof filter !== "object" || filter === null) throw new FilterError("", "a filter is an object");
  if ("filters" in filter && Array.isArray(filter.filters)) {
    const condition = "condition" in filter && isCondition(filter.condition) ? { condition: filter.condition } : {};
    return { filters: filter.filters.map(readFilter), ...condition };
  }
  const { key, value, operator = "==" } = filter as MetadataFilter;
  if (value === undefined) throw new FilterError(String(key), "a filter needs a value");
  return { key, value, operator };
}

function isCondition(value: unknown): value is "and" | "or" | "not" {
  return value === "and" || value === "or" || value === "not";
}

function isTopK(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return (
    (typeof value === "number" || (typeof value === "string" && value.trim() !== "")) && Number.isInteger(Number(value))
  );
}
