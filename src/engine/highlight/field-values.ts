/** The values of a field as its source has them, for highlighting (SourceValueFetcher): those that are copied into it too. */
import { JsonNumber, type JsonObject, type JsonValue } from "../json/types.ts";
import type { IndexMapping } from "../mapping/index.ts";
import { hashOrder, javaText } from "../mapping/java-text.ts";
import type { IndexedField } from "../mapping/model.ts";
import type { MappedField, Mapping } from "../mapping/types.ts";

/** Paths of the source that the values of a field stand at. */
export function sourcePaths(mapping: Mapping, name: string): string[] {
  const { tree } = mapping as IndexMapping;
  const parent = parentField(mapping as IndexMapping, name);
  const copied = new Set<string>();
  const visit = (node: (typeof tree)["root"]): void => {
    for (const child of node.children.values()) {
      if (child.kind === "object") visit(child);
      else if (child.kind === "leaf" && child.copyTo.includes(parent)) copied.add(child.path);
    }
  };
  visit(tree.root);
  return copied.size === 0 ? [parent] : hashOrder([parent, ...copied]);
}

/** The field that a multi-field belongs to. */
function parentField(mapping: IndexMapping, name: string): string {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return name;
  const parent = mapping.leaf(name.slice(0, dot));
  return parent?.fields.has(name.slice(dot + 1)) ? parent.path : name;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof JsonNumber);

/** The values at a path, through lists and names with dots; null where there is a null. */
function* valuesAt(value: JsonValue, path: string): Generator<JsonValue> {
  if (Array.isArray(value)) {
    for (const item of value) yield* valuesAt(item, path);
    return;
  }
  if (path === "") {
    yield value;
    return;
  }
  if (!isObject(value)) return;
  for (let dot = path.indexOf("."); ; dot = path.indexOf(".", dot + 1)) {
    const key = dot < 0 ? path : path.slice(0, dot);
    if (Object.hasOwn(value, key)) yield* valuesAt(value[key], dot < 0 ? "" : path.slice(dot + 1));
    if (dot < 0) return;
  }
}

/** A parameter of a field as it was given; undefined where it was not. */
export function parameterOf<T>(mapping: Mapping, name: string, parameter: string): T | undefined {
  return (mapping as IndexMapping).leaf(name)?.values.get(parameter) as T | undefined;
}

/** Texts of a field's values, in order. */
export function fieldValues(mapping: Mapping, field: MappedField, source: JsonObject): string[] {
  const { nullValue, normalizer } = field as IndexedField;
  const ignoreAbove = parameterOf<number>(mapping, field.name, "ignore_above");
  const found: string[] = [];
  for (const path of sourcePaths(mapping, field.name)) {
    for (const value of valuesAt(source, path)) {
      const given = value === null ? nullValue : value;
      if (given === undefined || given === null) continue;
      const text = javaText(given);
      if (ignoreAbove !== undefined && text.length > ignoreAbove) continue;
      found.push(normalizer ? normalizer.normalize(text) : text);
    }
  }
  return found;
}
