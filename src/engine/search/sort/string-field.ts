/** Texts as keys: keywords, addresses, tokens of texts with fielddata, keys of flattened fields. */
import { EngineError, illegalArgument } from "../../errors.ts";
import { JsonNumber, type JsonValue } from "../../json/types.ts";
import { parseAddress } from "../../mapping/ip-address.ts";
import type { MappedField } from "../../mapping/types.ts";
import type { LeafReader } from "../../segment/types.ts";
import type { FieldSort } from "./field-sort.ts";
import type { NestedChildren } from "./nested-values.ts";
import { stringKey, type TermColumn } from "./string-key.ts";
import type { SortKey } from "./types.ts";

export interface StringSource {
  readonly kind: "string";
  readonly name: string;
  readonly typeName: string;
  readonly prefix?: string;
  readonly isAddress?: boolean;
  readonly format?: (term: string) => JsonValue;
  column(leaf: LeafReader): TermColumn | undefined;
}

export function stringSource(field: MappedField): StringSource {
  const { name, type, info, termPrefix } = field;
  return {
    kind: "string",
    name,
    typeName: type,
    ...(termPrefix === undefined ? {} : { prefix: termPrefix }),
    ...(type === "ip" ? { isAddress: true, format: field.docValueFormat().sortValue } : {}),
    column: ({ segment }) => segment.ordinals(info.name),
  };
}

const textOf = (value: JsonValue) => (value instanceof JsonNumber ? value.text : String(value));

/** The bytes of a text: what stands for a missing address is not read as one. */
const hexOf = (text: string) =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Four bytes or sixteen are an address, whatever they were before (DocValueFormat.IP). */
function printAddress(digits: string, format: (digits: string) => JsonValue): JsonValue {
  if (digits.length === 8) return format(`00000000000000000000ffff${digits}`);
  if (digits.length === 32) return format(digits);
  const host = new EngineError("unknown_host_exception", "addr is of illegal length", { status: 500 });
  throw illegalArgument("Failed trying to format bytes as IP address.  Possibly caused by a mapping mismatch", {
    cause: illegalArgument("encoded bytes are of incorrect length", { cause: host }),
  });
}

interface StringOptions {
  readonly sort: FieldSort;
  readonly mode: "min" | "max";
  readonly children: NestedChildren | undefined;
}

export function stringFieldKey(source: StringSource, { sort, mode, children }: StringOptions): SortKey {
  const { name, typeName, prefix, format, isAddress } = source;
  if (sort.format !== undefined) {
    throw illegalArgument(`Field [${name}] of type [${typeName}] does not support custom formats`);
  }
  const { missing = "_last", descending } = sort;
  const edge = missing === null || missing === "_last" || missing === "_first";
  const key = stringKey({
    field: name,
    descending,
    mode,
    missing: edge ? null : isAddress ? hexOf(textOf(missing)) : textOf(missing),
    // With a value for what is missing, null comes before all texts.
    nullsLast: edge && (missing === "_first") === descending,
    nested: children,
    prefix,
    column: source.column,
    print: isAddress ? (digits) => printAddress(digits, format!) : (format ?? ((term) => term)),
    read(value) {
      if (value === null) return null;
      return isAddress ? parseAddress(textOf(value)) : textOf(value);
    },
  });
  return isAddress ? { ...key, shape: "address" } : key;
}
