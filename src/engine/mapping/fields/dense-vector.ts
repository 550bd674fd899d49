/** `dense_vector` of floats, searched exactly (`flat`) or through a graph (`hnsw`). */
import { illegalArgument, mapperParsing, parsingError, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import type { FieldInfo, VectorSimilarity } from "../../segment/types.ts";
import { setVector } from "../doc-buffer.ts";
import { RAW_TEXT } from "../doc-value-format.ts";
import { javaFloat, javaText } from "../java-text.ts";
import type { FieldType } from "../model.ts";
import { booleanParameter, enumParameter, metaParameter, parameter, readInteger } from "../parameters.ts";
import { refuseValueFormat } from "../value-fetcher.ts";
import { isStructure, makeField, tokenName, ValueError } from "./common.ts";

export const MAX_DIMS = 4096;
/** Lucene's graph and Elasticsearch's defaults for it. */
const DEFAULT_M = 16;
const DEFAULT_EF_CONSTRUCTION = 100;
/** How far the squared length of a vector may be from 1 where unit length is asked for. */
const UNIT_TOLERANCE = 1e-4;

const KNOWN_INDEX_TYPES = ["hnsw", "int8_hnsw", "int4_hnsw", "bbq_hnsw", "flat", "int8_flat", "int4_flat", "bbq_flat"];

interface IndexOptionsValue {
  readonly type: string;
  readonly m?: number;
  readonly ef_construction?: number;
}

function readIndexOptions(value: JsonValue, field: string): IndexOptionsValue | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value) || value instanceof JsonNumber) {
    throw mapperParsing(`[index_options] must be an object, got [${javaText(value)}] for field [${field}]`);
  }
  const options = value as JsonObject;
  if (options["type"] === undefined || options["type"] === null)
    throw mapperParsing("[index_options] requires field [type] to be configured");
  const type = javaText(options["type"]);
  if (!KNOWN_INDEX_TYPES.includes(type))
    throw mapperParsing(`Unknown vector index options type [${type}] for field [${field}]`);
  if (type !== "hnsw" && type !== "flat") throw unsupportedIndexType(type);
  const known = type === "hnsw" ? ["type", "m", "ef_construction"] : ["type"];
  const unknown = Object.keys(options).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    throw mapperParsing(
      `Mapping definition for [${field}] has unsupported parameters:  ${unknown.map((key) => `[${key} : ${javaText(options[key])}]`).join(" ")}`,
    );
  }
  if (type === "flat") return { type };
  return {
    type,
    m: options["m"] === undefined ? DEFAULT_M : readInteger(options["m"]),
    ef_construction:
      options["ef_construction"] === undefined ? DEFAULT_EF_CONSTRUCTION : readInteger(options["ef_construction"]),
  };
}

function unsupportedIndexType(type: string): Error {
  return unsupported(`dense_vector index_options.type [${type}]; set it to "hnsw" or "flat"`);
}

export const denseVectorType: FieldType = {
  type: "dense_vector",
  parameters: [
    enumParameter("element_type", "float", ["byte", "bit", "float"]),
    parameter<number | undefined>(
      "dims",
      undefined,
      (value) => {
        if (value === null) throw mapperParsing("Missing required parameter [dims]");
        const dims = readInteger(value);
        if (dims < 1 || dims > MAX_DIMS) {
          throw mapperParsing(`The number of dimensions should be in the range [1, ${MAX_DIMS}] but was [${dims}]`);
        }
        return dims;
      },
      { canMerge: (from) => from === undefined },
    ),
    booleanParameter("index", true, { always: () => true }),
    enumParameter("similarity", "cosine", ["l2_norm", "cosine", "dot_product", "max_inner_product"], {
      always: (get) => get("index") === true,
    }),
    parameter<IndexOptionsValue | undefined>(
      "index_options",
      (get) => (get("index") === true && get("element_type") === "float" ? { type: "int8_hnsw" } : undefined),
      (value, { field }) => readIndexOptions(value, field),
      {
        acceptsNull: true,
        always: (get) => get("index") === true,
        print: (value) => ({ ...value }) as unknown as JsonValue,
        show: (value) => javaText({ ...value } as unknown as JsonValue),
      },
    ),
    metaParameter,
  ],
  validate: ({ get, has }) => {
    if (get<string>("element_type") !== "float")
      throw unsupported(`dense_vector element_type [${get<string>("element_type")}]`);
    if (get<boolean>("index")) return;
    for (const name of ["similarity", "index_options"]) {
      if (has(name))
        throw illegalArgument(
          `Field [${name}] can only be specified for a field of type [dense_vector] when it is indexed`,
        );
    }
  },
  create: (options) => {
    const { get, path } = options;
    const indexed = get<boolean>("index");
    const indexType = indexed ? (get<IndexOptionsValue | undefined>("index_options")?.type ?? "hnsw") : "none";
    if (indexed && indexType !== "hnsw" && indexType !== "flat") throw unsupportedIndexType(indexType);
    const dims = get<number | undefined>("dims");
    const similarity = get<VectorSimilarity>("similarity");
    const info: FieldInfo = {
      name: path,
      index: "none",
      norms: false,
      docValues: "none",
      points: "none",
      ...(dims === undefined ? {} : { vector: { dims, similarity } }),
    };
    const notSearchable = (): never => {
      throw illegalArgument(`Field [${path}] of type [dense_vector] doesn't support queries`);
    };
    return makeField({
      options,
      type: "dense_vector",
      family: "vector",
      info,
      indexed,
      hasDocValues: false,
      existsBy: dims === undefined ? "_field_names" : "vectors",
      vector: dims === undefined ? undefined : { dims, similarity, indexType, indexed },
      takesStructures: true,
      addValue: (doc, value) => {
        const vector = readVector(value, path, dims);
        if (vector.length === 0) throw wrongDims(path, 0, dims as number);
        if (indexed) checkLength(vector, similarity);
        if (!setVector(doc, info, vector)) {
          throw new ValueError(
            illegalArgument(
              `Field [${path}] of type [dense_vector] doesn't support indexing multiple values for the same field in the same document`,
            ),
            { aboutField: false },
          );
        }
        return false;
      },
      // A format is passed over.
      docValueFormat: () => RAW_TEXT,
      valueFetcher: (given = {}) => {
        refuseValueFormat(path, "dense_vector", given);
        return { kind: "whole", nullValue: undefined, readAll: (value) => (Array.isArray(value) ? value : []) };
      },
      termValue: notSearchable,
      rangeBound: notSearchable,
    });
  },
};

/** Dimensions that a first document gives to a field without them. */
export function inferredDims(value: JsonValue): number | undefined {
  return Array.isArray(value) && value.length > 0 ? value.length : undefined;
}

function failed(reason: string, index: number | "end" | undefined): ValueError {
  const path = typeof index === "number" ? [index] : [];
  return new ValueError(illegalArgument(reason), { path, which: index === "end" ? "end" : "start", aboutField: false });
}

/** The document's description stands for `{doc}` until the parser, which knows it, fills it in. */
const DOC = "document with id '{id}'";

function wrongDims(path: string, found: number, dims: number): ValueError {
  return failed(
    `The [dense_vector] field [${path}] in doc [${DOC}] has a different number of dimensions [${found}] than defined in the mapping [${dims}]`,
    "end",
  );
}

function readVector(value: JsonValue, path: string, dims: number | undefined): Float32Array {
  if (!Array.isArray(value)) {
    const found = isStructure(value) ? "FIELD_NAME" : "END_OBJECT";
    throw new ValueError(
      parsingError(`Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${found}]`),
      {
        aboutField: false,
      },
    );
  }
  const vector = new Float32Array(dims ?? value.length);
  for (let i = 0; i < value.length; i++) {
    const item: JsonValue = value[i];
    if (typeof item !== "number" && !(item instanceof JsonNumber)) {
      throw new ValueError(
        parsingError(`Failed to parse object: expecting token of type [VALUE_NUMBER] but found [${tokenName(item)}]`),
        { path: [i], aboutField: false },
      );
    }
    if (dims !== undefined && i >= dims) {
      throw failed(
        `The [dense_vector] field [${path}] in doc [${DOC}] has more dimensions than defined in the mapping [${dims}]`,
        i,
      );
    }
    vector[i] = Number(item);
  }
  if (dims !== undefined && value.length < dims) throw wrongDims(path, value.length, dims);
  const bad = vector.findIndex((x) => !Number.isFinite(x));
  if (bad >= 0) {
    const kind = Number.isNaN(vector[bad]) ? "NaN" : "infinite";
    throw failed(
      `element_type [float] vectors do not support ${kind} values but found [${javaFloat(vector[bad])}] at dim [${bad}];${preview(vector)}`,
      "end",
    );
  }
  return vector;
}

/** Elasticsearch shows the first five values. */
function preview(vector: Float32Array): string {
  const shown = Array.from(vector.subarray(0, 5), javaFloat).join(", ");
  return ` Preview of invalid vector: [${shown}${vector.length > 5 ? ", ..." : ""}]`;
}

function checkLength(vector: Float32Array, similarity: VectorSimilarity): void {
  if (similarity !== "cosine" && similarity !== "dot_product") return;
  let squared = 0;
  for (let i = 0; i < vector.length; i++) squared += vector[i] * vector[i];
  squared = Math.fround(squared);
  if (similarity === "cosine" && squared === 0) {
    throw failed(`The [cosine] similarity does not support vectors with zero magnitude.${preview(vector)}`, "end");
  }
  if (similarity === "dot_product" && Math.abs(squared - 1) > UNIT_TOLERANCE) {
    throw failed(`The [dot_product] similarity can only be used with unit-length vectors.${preview(vector)}`, "end");
  }
}
