/** `index_options` of a `dense_vector`: reading, printing, and which updates Elasticsearch lets pass. */
import { EngineError, illegalArgument, mapperParsing, unsupported } from "../../errors.ts";
import { JsonNumber, type JsonObject, type JsonValue } from "../../json/types.ts";
import type { ElementType, VectorIndexOptions } from "../../vectors/types.ts";
import { javaFloat, javaText } from "../java-text.ts";
import { type Parameter, parameter } from "../parameters.ts";

/** Lucene's graph and Elasticsearch's defaults for it. */
const DEFAULT_M = 16;
const DEFAULT_EF_CONSTRUCTION = 100;
/** Lucene99HnswVectorsFormat.MAXIMUM_MAX_CONN and MAXIMUM_BEAM_WIDTH */
const MAX_M = 512;
const MAX_EF_CONSTRUCTION = 3200;

const GRAPH = ["m", "ef_construction"] as const;
/** The types and their parameters. */
const PARAMETERS: Record<VectorIndexOptions["type"], readonly string[]> = {
  hnsw: GRAPH,
  int8_hnsw: [...GRAPH, "confidence_interval"],
  flat: [],
  int8_flat: ["confidence_interval"],
};
const REFUSED_TYPES = ["int4_hnsw", "bbq_hnsw", "int4_flat", "bbq_flat"];

const DEFAULT: VectorIndexOptions = { type: "int8_hnsw", m: DEFAULT_M, efConstruction: DEFAULT_EF_CONSTRUCTION };
/** What bytes and bits are indexed by where the mapping says nothing: Lucene's own default, which is not printed. */
const DEFAULT_OF_BYTES: VectorIndexOptions = { type: "hnsw", m: DEFAULT_M, efConstruction: DEFAULT_EF_CONSTRUCTION };

const isType = (type: string): type is VectorIndexOptions["type"] => Object.hasOwn(PARAMETERS, type);

function read(value: JsonValue, field: string): VectorIndexOptions | undefined {
  if (value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value) || value instanceof JsonNumber) throw notAMap(value);
  const options = value as JsonObject;
  if (options["type"] === undefined || options["type"] === null)
    throw mapperParsing("[index_options] requires field [type] to be configured");
  const type = javaText(options["type"]);
  if (REFUSED_TYPES.includes(type)) {
    throw unsupported(
      `dense_vector index_options.type [${type}]; set it to "int8_hnsw", "hnsw", "int8_flat" or "flat"`,
    );
  }
  if (!isType(type)) throw mapperParsing(`Unknown vector index options type [${type}] for field [${field}]`);
  const unknown = Object.keys(options).filter((key) => key !== "type" && !PARAMETERS[type].includes(key));
  if (unknown.length > 0) {
    throw mapperParsing(
      `Mapping definition for [${field}] has unsupported parameters:  ${unknown.map((key) => `[${key} : ${javaText(options[key])}]`).join(" ")}`,
    );
  }
  const confidence = options["confidence_interval"] ?? undefined;
  const confidenceInterval = confidence === undefined ? undefined : readFloat(confidence);
  if (confidenceInterval === 0) throw unsupported("dense_vector index_options.confidence_interval [0]");
  return {
    type,
    ...(PARAMETERS[type].includes("m")
      ? {
          m: readInteger(options["m"] ?? DEFAULT_M),
          efConstruction: readInteger(options["ef_construction"] ?? DEFAULT_EF_CONSTRUCTION),
        }
      : {}),
    ...(confidenceInterval === undefined ? {} : { confidenceInterval }),
  };
}

const JAVA_CLASSES: Record<string, string> = { string: "lang.String", boolean: "lang.Boolean", number: "lang.Integer" };

function notAMap(value: JsonValue): EngineError {
  const name = Array.isArray(value) ? "util.ArrayList" : (JAVA_CLASSES[typeof value] ?? "lang.Double");
  return new EngineError(
    "class_cast_exception",
    `class java.${name} cannot be cast to class java.util.Map (java.${name} and java.util.Map are in module java.base of loader 'bootstrap')`,
  );
}

/** XContentMapValues.nodeIntegerValue */
function readInteger(value: JsonValue): number {
  const number = typeof value === "string" && /^[-+]?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "string") throw new EngineError("number_format_exception", `For input string: "${number}"`);
  const plain = Number(number);
  if (!Number.isInteger(plain)) throw illegalArgument(`${javaText(value)} is not an integer value`);
  return plain;
}

function readFloat(value: JsonValue): number {
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isNaN(number)) {
    throw new EngineError("number_format_exception", `For input string: "${javaText(value)}"`);
  }
  return Math.fround(number);
}

function print({ type, m, efConstruction, confidenceInterval }: VectorIndexOptions): JsonValue {
  const float = confidenceInterval === undefined ? undefined : javaFloat(confidenceInterval);
  return {
    type,
    ...(m === undefined ? {} : { m, ef_construction: efConstruction as number }),
    ...(float === undefined ? {} : { confidence_interval: Number(float) }),
  };
}

/** Java's names of options that do not say what they are, but for the number of the object. */
const NAMELESS: Partial<Record<VectorIndexOptions["type"], string>> = {
  flat: "org.elasticsearch.index.mapper.vectors.DenseVectorFieldMapper$FlatIndexOptions",
  int8_flat: "org.elasticsearch.index.mapper.vectors.DenseVectorFieldMapper$Int8FlatIndexOptions",
};

/** As a conflict shows it. */
function show(options: VectorIndexOptions | undefined): string {
  const { type, m, efConstruction, confidenceInterval } = options ?? DEFAULT;
  const confidence = confidenceInterval === undefined ? "null" : javaFloat(confidenceInterval);
  const rest = type === "int8_hnsw" ? `, confidence_interval=${confidence}` : "";
  return NAMELESS[type] ?? `{type=${type}, m=${m}, ef_construction=${efConstruction}${rest}}`;
}

/** IndexOptions.updatableTo: what is searched exactly may get a graph, and a graph more links; nothing goes back. */
function updatable(from: VectorIndexOptions, to: VectorIndexOptions): boolean {
  const moreLinks = (to.m ?? 0) >= (from.m ?? 0);
  switch (from.type) {
    case "flat":
      return true;
    case "int8_flat":
      return to.type !== "flat";
    case "hnsw":
      return (to.type === "hnsw" || to.type === "int8_hnsw") && moreLinks;
    case "int8_hnsw": {
      const confidence = from.confidenceInterval;
      const kept = confidence === undefined || confidence === to.confidenceInterval;
      return to.type === "int8_hnsw" && moreLinks && kept;
    }
  }
}

/** What nothing means. */
export function effectiveIndexOptions(
  options: VectorIndexOptions | undefined,
  elementType: ElementType,
): VectorIndexOptions {
  return options ?? (elementType === "float" ? DEFAULT : DEFAULT_OF_BYTES);
}

/** The error for what the index does not take, which Lucene finds when it writes. */
export function indexOptionsError({
  m,
  efConstruction,
  confidenceInterval,
}: VectorIndexOptions): EngineError | undefined {
  if (m !== undefined && (m < 1 || m > MAX_M)) {
    return illegalArgument(`maxConn must be positive and less than or equal to ${MAX_M}; maxConn=${m}`);
  }
  if (efConstruction !== undefined && (efConstruction < 1 || efConstruction > MAX_EF_CONSTRUCTION)) {
    return illegalArgument(
      `beamWidth must be positive and less than or equal to ${MAX_EF_CONSTRUCTION}; beamWidth=${efConstruction}`,
    );
  }
  if (confidenceInterval !== undefined && (confidenceInterval < Math.fround(0.9) || confidenceInterval > 1)) {
    const given = javaFloat(confidenceInterval);
    return illegalArgument(`confidenceInterval must be between 0.9 and 1.0; confidenceInterval=${given}`);
  }
  return undefined;
}

export const indexOptionsParameter: Parameter = parameter<VectorIndexOptions | undefined>(
  "index_options",
  (get) => (get("index") === true && get("element_type") === "float" ? DEFAULT : undefined),
  (value, { field }) => read(value, field),
  {
    acceptsNull: true,
    always: (get) => get("index") === true,
    print: (value) => print(value as VectorIndexOptions),
    show,
    canMerge: (from, to) =>
      to === undefined || from === undefined || updatable(from as VectorIndexOptions, to as VectorIndexOptions),
  },
);
