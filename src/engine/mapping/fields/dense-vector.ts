/** `dense_vector`: floats, bytes or bits, searched one by one (`flat`) or through a graph (`hnsw`), as they are or quantised. */
import { EngineError, illegalArgument, mapperParsing } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import type { FieldInfo } from "../../segment/types.ts";
import type { ElementType, VectorIndexOptions, VectorShape, VectorSimilarity } from "../../vectors/types.ts";
import { setVector } from "../doc-buffer.ts";
import { RAW_TEXT } from "../doc-value-format.ts";
import { javaText } from "../java-text.ts";
import type { CreateFieldOptions, FieldType } from "../model.ts";
import { booleanParameter, enumParameter, metaParameter, parameter } from "../parameters.ts";
import { refuseValueFormat } from "../value-fetcher.ts";
import { makeField, ValueError } from "./common.ts";
import { effectiveIndexOptions, indexOptionsError, indexOptionsParameter } from "./vector-index-options.ts";
import { checkLength, readVector } from "./vector-values.ts";

export const MAX_DIMS = 4096;
const MAX_DIMS_OF_BITS = MAX_DIMS * 8;
const ELEMENT_TYPES = ["float", "byte", "bit"];

function readDims(value: JsonValue, field: string): number {
  if (value === null) throw mapperParsing("Missing required parameter [dims]");
  const dims = value instanceof JsonNumber && value.integer ? Number(value) : value;
  if (typeof dims !== "number" || !Number.isInteger(dims)) {
    throw mapperParsing(`Property [dims] on field [${field}] must be an integer but got [${javaText(value)}]`);
  }
  return dims;
}

function checkDims(dims: number, elementType: ElementType): void {
  const [least, most] = elementType === "bit" ? [8, MAX_DIMS_OF_BITS] : [1, MAX_DIMS];
  if (dims < least || dims > most) {
    throw mapperParsing(`The number of dimensions should be in the range [${least}, ${most}] but was [${dims}]`);
  }
  if (elementType === "bit" && dims % 8 !== 0) {
    throw mapperParsing(`The number of dimensions for should be a multiple of 8 but was [${dims}]`);
  }
}

function validate({ get, has }: CreateFieldOptions): void {
  const elementType = get<ElementType>("element_type");
  const dims = get<number | undefined>("dims");
  if (dims !== undefined) checkDims(dims, elementType);
  if (!get<boolean>("index")) {
    for (const name of ["similarity", "index_options"]) {
      if (has(name))
        throw illegalArgument(
          `Field [${name}] can only be specified for a field of type [dense_vector] when it is indexed`,
        );
    }
    return;
  }
  if (elementType === "bit" && get("similarity") !== "l2_norm") {
    throw illegalArgument("The [l2_norm] similarity is the only supported similarity for bit vectors");
  }
  const type = get<VectorIndexOptions | undefined>("index_options")?.type;
  if (elementType !== "float" && type?.startsWith("int8_")) {
    throw illegalArgument(`[element_type] cannot be [${elementType}] when using index type [${type}]`);
  }
}

/** The vectors of a field; undefined until their dimensions are known. */
function shapeOf({ get }: CreateFieldOptions): VectorShape | undefined {
  const dims = get<number | undefined>("dims");
  if (dims === undefined) return undefined;
  const elementType = get<ElementType>("element_type");
  const options = get<VectorIndexOptions | undefined>("index_options");
  return {
    dims,
    similarity: get<VectorSimilarity>("similarity"),
    ...(elementType === "float" ? {} : { elementType }),
    ...(get<boolean>("index") ? { index: effectiveIndexOptions(options, elementType) } : {}),
  };
}

export const denseVectorType: FieldType = {
  type: "dense_vector",
  parameters: [
    parameter(
      "element_type",
      "float",
      (value) => {
        const type = javaText(value);
        if (ELEMENT_TYPES.includes(type)) return type;
        throw mapperParsing(`invalid element_type [${type}]; available types are [${ELEMENT_TYPES.join(", ")}]`);
      },
      {},
    ),
    parameter<number | undefined>("dims", undefined, (value, { field }) => readDims(value, field), {
      canMerge: (from) => from === undefined,
    }),
    booleanParameter("index", true, { always: () => true }),
    enumParameter(
      "similarity",
      (get) => (get("element_type") === "bit" ? "l2_norm" : "cosine"),
      ["l2_norm", "cosine", "dot_product", "max_inner_product"],
      { always: (get) => get("index") === true },
    ),
    indexOptionsParameter,
    metaParameter,
  ],
  validate,
  inMultiFields: false,
  create: (options) => {
    const { get, path } = options;
    const indexed = get<boolean>("index");
    const vector = shapeOf(options);
    const info: FieldInfo = {
      name: path,
      index: "none",
      norms: false,
      docValues: "none",
      points: "none",
      ...(vector === undefined ? {} : { vector }),
    };
    const refused = vector?.index && indexOptionsError(vector.index);
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
      existsBy: vector === undefined ? "_field_names" : "vectors",
      ...(vector === undefined ? {} : { vector: { ...vector, indexed } }),
      takesStructures: true,
      addValue: (doc, value) => {
        if (vector === undefined) throw new ValueError(withoutDims(), { asItIs: true });
        const stored = readVector(value, path, vector.dims, vector.elementType ?? "float");
        if (indexed) checkLength(stored, vector);
        if (!setVector(doc, info, stored)) {
          throw new ValueError(
            illegalArgument(
              `Field [${path}] of type [dense_vector] doesn't support indexing multiple values for the same field in the same document`,
            ),
            { aboutField: false },
          );
        }
        if (refused) throw new ValueError(refused, { asItIs: true });
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

/** A first value that has no dimensions: Elasticsearch's own fault, as it tells it. */
function withoutDims(): EngineError {
  return new EngineError(
    "null_pointer_exception",
    'Cannot invoke "org.elasticsearch.xcontent.XContentParser.getTokenLocation()" because the return value of "org.elasticsearch.xcontent.FilterXContentParser.delegate()" is null',
    { status: 500 },
  );
}
