/** `@huggingface/transformers`, an optional peer: loading it, and the few of its parts that are used. */

import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { HuiliuError, ModelError } from "../../schema/errors.ts";
import { importOptional } from "../providers.ts";

export const TRANSFORMERS = { packageName: "@huggingface/transformers", version: "4" } as const;

export interface Tensor {
  data: ArrayLike<number | bigint>;
  dims: number[];
}

export interface TransformersTokenizer {
  (
    text: string[],
    options: { text_pair?: string[]; padding: boolean; truncation: false; return_tensor?: boolean },
  ): Record<string, Tensor>;
  model_max_length?: number;
}

export interface TransformersModel {
  (inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
  config: { max_position_embeddings?: number; model_type?: string; [key: string]: unknown };
  dispose?(): Promise<unknown>;
}

interface Loader<T> {
  from_pretrained(id: string, options: Record<string, unknown>): Promise<T>;
}

export interface Transformers {
  env: { localModelPath: string; allowLocalModels: boolean; allowRemoteModels: boolean };
  AutoTokenizer: Loader<TransformersTokenizer>;
  AutoModel: Loader<TransformersModel>;
  AutoModelForSequenceClassification: Loader<TransformersModel>;
}

/** Where a model's files are, and in which precision they are loaded. */
export interface LocalModelOptions {
  /** How the weights are stored: `q8` (default), `fp32`, `fp16`, `q4` …, whichever the model's folder `onnx/` has. */
  dtype?: string;
  /** Nothing is downloaded. Always so for a folder. */
  localFilesOnly?: boolean;
  /** Where downloaded models are kept. Default: the library's own place. */
  cacheFolder?: string;
  revision?: string;
  /** Tokens that are read at once. Default: the model's own limit. */
  maxTokens?: number;
  /** Texts that are computed at once. Default 16. */
  maxBatch?: number;
  /** The imported library, where the caller has it already. */
  transformers?: unknown;
}

export interface LoadedModel {
  tokenizer: TransformersTokenizer;
  model: TransformersModel;
  maxTokens: number;
}

const DEFAULT_LIMIT = 512;

/** One load at a time: the place of local folders is a setting of the whole library. */
let loading: Promise<unknown> = Promise.resolve();

/** Loads tokenizer and weights of a model on the hub, or in a folder. */
export function loadLocal(
  kind: "AutoModel" | "AutoModelForSequenceClassification",
  id: string,
  options: LocalModelOptions,
): Promise<LoadedModel> {
  const loaded = loading.then(() => load(kind, id, options));
  loading = loaded.catch(() => undefined);
  return loaded;
}

async function load(kind: "AutoModel" | "AutoModelForSequenceClassification", id: string, options: LocalModelOptions) {
  const library = (options.transformers ??
    (await importOptional(TRANSFORMERS.packageName, TRANSFORMERS.version, id))) as Transformers;
  const folder = folderOf(id);
  const { localModelPath, allowLocalModels, allowRemoteModels } = library.env;
  if (folder)
    Object.assign(library.env, { localModelPath: dirname(folder), allowLocalModels: true, allowRemoteModels: false });
  try {
    const place = folder ? basename(folder) : id;
    const from = {
      local_files_only: folder !== undefined || (options.localFilesOnly ?? false),
      ...(options.cacheFolder === undefined ? {} : { cache_dir: options.cacheFolder }),
      ...(options.revision === undefined ? {} : { revision: options.revision }),
    };
    const tokenizer = await library.AutoTokenizer.from_pretrained(place, from);
    const model = await library[kind].from_pretrained(place, { ...from, dtype: options.dtype ?? "q8" });
    return { tokenizer, model, maxTokens: options.maxTokens ?? limitOf(tokenizer, model) };
  } catch (error) {
    if (error instanceof HuiliuError) throw error;
    const remedy = folder
      ? "a folder has config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx (or the file of another dtype)"
      : "check its name, and that the hub can be reached, or name a folder that has it";
    throw new ModelError(id, `${id} cannot be loaded: ${(error as Error).message} (${remedy})`, { cause: error });
  } finally {
    Object.assign(library.env, { localModelPath, allowLocalModels, allowRemoteModels });
  }
}

/** The name by which an index knows the model: of a folder its last part, so that it may be moved. */
export function localName(id: string): string {
  return `transformers/${folderOf(id) ? basename(resolve(id)) : id}`;
}

/** The folder that a name means: a path, or a folder that is there. */
function folderOf(id: string): string | undefined {
  const folder = resolve(id);
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : undefined;
}

/** RoBERTa's positions begin behind the padding, so that two of them hold no token. */
function limitOf({ model_max_length: told }: TransformersTokenizer, { config }: TransformersModel): number {
  const positions = config.max_position_embeddings;
  const read = positions === undefined ? undefined : positions - (/roberta/.test(config.model_type ?? "") ? 2 : 0);
  const limits = [told, read].filter((limit) => limit !== undefined && limit > 0 && limit < 1e6) as number[];
  return limits.length === 0 ? DEFAULT_LIMIT : Math.min(...limits);
}

/** Numbers of tokens, special ones included. */
export function tokenCounts(tokenizer: TransformersTokenizer, texts: string[], pairs?: string[]): number[] {
  if (texts.length === 0) return [];
  const encoded = tokenizer(texts, {
    ...(pairs ? { text_pair: pairs } : {}),
    padding: false,
    truncation: false,
    return_tensor: false,
  });
  return (encoded["input_ids"] as unknown as ArrayLike<number>[]).map((ids) => ids.length);
}

/** The longest beginning of a text of which `fits` holds, never ending within a character. */
export function longestFitting(text: string, fits: (part: string) => boolean): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff && low < text.length ? low - 1 : low);
}

/** Places in batches of texts of like length: what is padded is computed for nothing. */
export function lengthBatches(lengths: readonly number[], size: number): number[][] {
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[a]! - lengths[b]! || a - b);
  const out: number[][] = [];
  for (let i = 0; i < order.length; i += size) out.push(order.slice(i, i + size));
  return out;
}
