/** The parts a mapping is made of: objects and fields in a tree, and what a field type is. */
import type { AnalysisRegistry } from "../analysis/types.ts";
import type { JsonValue } from "../json/types.ts";
import type { DocBuffer } from "./doc-buffer.ts";
import type { Parameter } from "./parameters.ts";
import type { RuntimeField } from "./runtime.ts";
import type { MappedField } from "./types.ts";

/** What a mapping needs of its index. */
export interface MappingContext {
  readonly analysis: AnalysisRegistry;
  /** An index setting by its full name (`index.mapping.total_fields.limit`); undefined means Elasticsearch's default. */
  readonly setting?: (name: string) => string | undefined;
  /** True for a similarity that the settings define. `BM25` and `boolean` are always there. */
  readonly hasSimilarity?: (name: string) => boolean;
  /** The mapping was accepted once, perhaps by an older build: what is only forbidden in a new one is let through, so that its index opens. */
  readonly accepted?: true;
}

export type Dynamic = "true" | "false" | "strict" | "runtime";

/** Values of a field's parameters as they were read; only those that were given. */
export type ParameterValues = ReadonlyMap<string, unknown>;

/** A field as the document parser uses it. */
export interface IndexedField extends MappedField {
  /**
   * Adds one value (never null; an object or array only when `takesStructures`) to a document, or throws an error that the document parser
   * wraps. Returns true when the value is ignored and the field's name belongs into `_ignored`, undefined when
   * there was nothing in it.
   */
  addValue(doc: DocBuffer, value: JsonValue): boolean | undefined;
  /** True for types that read objects and arrays themselves. */
  readonly takesStructures?: boolean;
  /** Null is a value, which is refused. */
  readonly readsNull?: true;
  /** What the fields under `fields` get of a value, where that is not the value. @param type of the field */
  readonly valuesOfFields?: (value: JsonValue, type: string) => readonly JsonValue[];
  /** Values that null stands for; absent when null is skipped. */
  readonly nullValue?: JsonValue;
  /** How an `exists` query finds documents with the field. */
  readonly existsBy: ExistsBy;
  /** The field of a key below this one (`flattened`). */
  readonly keyed?: (key: string) => MappedField;
  /** With `existsBy: "_field_names"`: whether a value leaves the field's name there. */
  readonly recordsName: boolean;
  /** The name stays there even where a value is ignored. */
  readonly namesIgnored?: true;
}

/** Doc values of the field, its norms, its vectors, or its name in `_field_names`. */
export type ExistsBy = "docValues" | "norms" | "vectors" | "_field_names";

export interface CreateFieldOptions {
  readonly name: string;
  readonly path: string;
  readonly nestedPath: string | undefined;
  /** The value of a parameter, or its default. */
  readonly get: <T>(name: string) => T;
  readonly has: (name: string) => boolean;
  readonly context: MappingContext;
  readonly printed: () => { [key: string]: JsonValue };
}

/** A field type: its parameters and how a field of it is made. One file for each family in `fields/`. */
export interface FieldType {
  readonly type: string;
  readonly parameters: readonly Parameter[];
  /** False where a field of this type cannot stand under `fields` of another. */
  readonly inMultiFields?: boolean;
  /** The error where a field of this type does not take `fields` or `copy_to`. */
  readonly refuses?: (what: "fields" | "copy_to", name: string) => Error | undefined;
  /** Checks of the parameters together, when those of the field are read and those after it are not; throws. */
  readonly validate?: (options: CreateFieldOptions) => void;
  readonly create: (options: CreateFieldOptions) => IndexedField;
}

export interface LeafNode {
  readonly kind: "leaf";
  /** Last part of the path. */
  readonly name: string;
  readonly path: string;
  readonly fieldType: FieldType;
  readonly values: ParameterValues;
  /** Multi-fields under their names. */
  readonly fields: ReadonlyMap<string, LeafNode>;
  readonly copyTo: readonly string[];
  readonly field: IndexedField;
}

export interface ObjectNode {
  readonly kind: "object";
  readonly name: string;
  readonly path: string;
  readonly nested: boolean;
  /** Of a nested object or its closest nested parent. */
  readonly nestedPath: string | undefined;
  /** Undefined: inherited. */
  readonly dynamic: Dynamic | undefined;
  readonly enabled: boolean;
  readonly enabledSet: boolean;
  readonly subobjects: boolean;
  readonly subobjectsSet: boolean;
  /** An object of a document that is not mapped, because all of its fields are runtime fields. */
  readonly passed?: boolean;
  readonly children: ReadonlyMap<string, Node>;
}

/** Another name for a field: queries take the field in its place. */
export interface AliasNode {
  readonly kind: "alias";
  readonly name: string;
  readonly path: string;
  readonly nestedPath: string | undefined;
  /** Full path of the field. */
  readonly target: string;
}

export type Node = LeafNode | ObjectNode | AliasNode;

/** What stands at the root of a mapping beside the properties. */
export interface RootOptions {
  readonly dateDetection: boolean | undefined;
  readonly numericDetection: boolean | undefined;
  readonly dynamicDateFormats: readonly string[] | undefined;
  readonly dynamicTemplates: readonly DynamicTemplate[] | undefined;
  readonly meta: JsonValue | undefined;
  /** `_routing.required`; undefined where an update says nothing of `_routing`. */
  readonly routingRequired: boolean | undefined;
  /** `_source`; undefined where nothing is said of it. */
  readonly source: SourceOptions | undefined;
}

/** What is kept of sources. */
export interface SourceOptions {
  /** As it was given. */
  readonly enabled: boolean | undefined;
  readonly mode: "stored" | "disabled" | undefined;
  readonly includes: readonly string[];
  readonly excludes: readonly string[];
}

/** Values that JSON has, by the names that `match_mapping_type` gives them. */
export type JsonType = "object" | "string" | "long" | "double" | "boolean" | "date" | "binary";

export interface DynamicTemplate {
  readonly name: string;
  /** As get-mapping shows it. */
  readonly json: JsonValue;
  readonly matches: (options: { path: string; name: string; type: JsonType; isObject: boolean }) => boolean;
  readonly mappingFor: (name: string, defaultType: string) => { [key: string]: JsonValue };
  /** Its type, with what stands for others in it. */
  readonly type: string | undefined;
  /** False for `runtime` templates. */
  readonly indexed: boolean;
}

export interface MappingTree {
  readonly root: ObjectNode;
  readonly options: RootOptions;
  /** Under their full names, beside the tree; null: an update takes the field away. */
  readonly runtime: ReadonlyMap<string, RuntimeField | null>;
}
