/** What a field of `store: true` keeps of a document's values. */
import type { JsonValue } from "../json/types.ts";
import { newDocBuffer } from "./doc-buffer.ts";
import { scalarText } from "./fields/common.ts";
import type { IndexedField } from "./model.ts";
import type { MappedField } from "./types.ts";

/** Values as they are given back: text as it was written, everything else as the type reads it; ignored ones are left out. */
export function storedValues(field: MappedField, values: readonly JsonValue[]): JsonValue[] {
  const { addValue, nullValue } = field as IndexedField;
  return values.flatMap((given): JsonValue[] => {
    const value = given ?? nullValue;
    if (value === undefined || value === null) return [];
    const doc = newDocBuffer();
    if (addValue(doc, value) !== false) return [];
    if (field.family === "text" || field.family === "opaque") return [scalarText(value)];
    const kept = [...doc.numbers.values(), ...doc.ordinals.values()][0] ?? [...doc.terms.values()][0]?.terms ?? [];
    return kept.length === 0 ? [value] : kept.map((each) => field.docValueFormat().format(each));
  });
}
