/** Which fields have values by document, for `docvalue_fields`, sorting and buckets; the errors of those that have none. */
import { illegalArgument } from "../errors.ts";
import type { MappedField } from "./types.ts";

/** Metadata fields whose values can be had by document although no column of theirs is in the segments. */
const COMPUTED = new Set(["_index", "_seq_no", "_version", "_ignored", "_tier"]);

/** @throws Elasticsearch's error for a field without doc values (MappedFieldType.fielddataBuilder) */
export function checkFielddata({ name, type, family, fielddata, hasDocValues }: MappedField, index: string): void {
  if (family === "metadata") {
    if (COMPUTED.has(name)) return;
    throw illegalArgument(
      name === "_id"
        ? "Fielddata access on the _id field is disallowed, you can re-enable it by updating the dynamic cluster setting: indices.id_field_data.enabled"
        : `Fielddata is not supported on field [${name}] of type [${name}]`,
    );
  }
  if (family === "text") {
    if (fielddata) return;
    throw illegalArgument(
      `Fielddata is disabled on [${name}] in [${index}]. Text fields are not optimised for operations that require per-document field data ` +
        "like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, " +
        `set fielddata=true on [${name}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
    );
  }
  // Vectors are values by document.
  if (hasDocValues || family === "vector") return;
  if (type === "sparse_vector") {
    throw illegalArgument("[sparse_vector] fields do not support sorting, scripting or aggregating");
  }
  if (type === "completion") throw illegalArgument(`Fielddata is not supported on field [${name}] of type [${type}]`);
  throw illegalArgument(
    `Can't load fielddata on [${name}] because fielddata is unsupported on fields of type [${type}]. Use doc values instead.`,
  );
}

/** Whether a field can be searched: doc values answer for what is not indexed, except where Elasticsearch has no query over them. */
export function isSearchable({ family, type, indexed, hasDocValues }: MappedField): boolean {
  if (type === "binary") return false;
  return indexed || (hasDocValues && family !== "text" && family !== "range" && type !== "flattened");
}
