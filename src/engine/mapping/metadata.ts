/** Metadata fields, which every document has without any mapping. */
import { EngineError, illegalArgument } from "../errors.ts";
import type { JsonValue } from "../json/types.ts";
import type { FieldInfo } from "../segment/types.ts";
import { RAW_LONG, RAW_TEXT, refuseFormat } from "./doc-value-format.ts";
import { scalarText } from "./fields/common.ts";
import type { MappedField } from "./types.ts";

/** Names of fields without doc values and norms that a document has, for `exists` queries. */
export const FIELD_NAMES: FieldInfo = {
  name: "_field_names",
  index: "docs",
  norms: false,
  docValues: "none",
  points: "none",
};
/** Names of fields whose value was ignored (malformed, too long). */
export const IGNORED: FieldInfo = {
  name: "_ignored",
  index: "docs",
  norms: false,
  docValues: "ordinals",
  points: "none",
};

/** Values of metadata fields stand in no source. */
function refuseValues(name: string): MappedField["valueFetcher"] {
  return () => {
    throw new EngineError("unsupported_operation_exception", `Cannot fetch values for internal field [${name}].`, {
      status: 500,
    });
  };
}

/** The routing that a document was written with. */
export const ROUTING: FieldInfo = {
  name: "_routing",
  index: "docs",
  norms: false,
  docValues: "none",
  points: "none",
};

function metadataField(info: FieldInfo): MappedField {
  const noNumbers = (): never => {
    throw illegalArgument(`Metadata field [${info.name}] has no ranges of numbers`);
  };
  const text = (value: JsonValue) => scalarText(value);
  return {
    name: info.name,
    type: info.name,
    family: "metadata",
    info,
    nestedPath: undefined,
    indexed: info.index !== "none",
    hasDocValues: info.docValues !== "none",
    termValue: text,
    rangeBound: text,
    nextUp: noNumbers,
    nextDown: noNumbers,
    docValueFormat: (options = {}) => {
      refuseFormat(info.name, info.name, options);
      return info.docValues === "long" ? RAW_LONG : RAW_TEXT;
    },
    valueFetcher: refuseValues(info.name),
    toJson: () => ({}),
  };
}

const plain = (name: string): FieldInfo => ({ name, index: "none", norms: false, docValues: "none", points: "none" });

/** Names that a document may not use at its root. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  "_id",
  "_index",
  "_source",
  "_routing",
  "_field_names",
  "_ignored",
  "_seq_no",
  "_version",
  "_nested_path",
  "_tier",
]);

export const METADATA_FIELDS: ReadonlyMap<string, MappedField> = new Map(
  [
    plain("_id"),
    plain("_index"),
    plain("_source"),
    ROUTING,
    plain("_seq_no"),
    plain("_version"),
    { ...plain("_nested_path"), index: "docs" as const },
    plain("_tier"),
    FIELD_NAMES,
    IGNORED,
  ].map((info) => [info.name, metadataField(info)]),
);

/** Names of all metadata fields that Elasticsearch lists, those of features that this engine does not have included. */
export const METADATA_NAMES: readonly string[] = [
  "_data_stream_timestamp",
  "_doc_count",
  "_field_names",
  "_id",
  "_ignored",
  "_ignored_source",
  "_index",
  "_index_mode",
  "_nested_path",
  "_routing",
  "_seq_no",
  "_source",
  "_version",
];
