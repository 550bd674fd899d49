/** The fields that a query_string or simple_query_string asks, with their weights (Elasticsearch's QueryParserHelper). */
import { illegalArgument } from "../../../errors.ts";
import { positionOf } from "../../../json/parse.ts";
import type { JsonObject } from "../../../json/types.ts";
import type { MappedField } from "../../../mapping/types.ts";
import type { QueryContext } from "../builder.ts";
import { type FieldBoost, fieldBoost, resolveFields } from "../multi-match.ts";
import { isArray, textOf, tokenName } from "../read.ts";

export interface WeightedField {
  /** As it was asked for: the key of a flattened field has the field's own name elsewhere. */
  readonly name: string;
  readonly field: MappedField;
  readonly boost: number;
}

/** Names as the request lists them. */
export function readFieldBoosts(json: JsonObject, key: string): FieldBoost[] {
  const value = json[key];
  // A name that comes twice has its last weight.
  const boosts = new Map<string, FieldBoost>();
  if (!isArray(value)) return [];
  for (const [i, item] of value.entries()) {
    const text = textOf(item);
    if (text === undefined) {
      const place = positionOf(value, { value: i });
      throw illegalArgument(
        `Expected text${place ? ` at ${place.line}:${place.col}` : ""} but found ${tokenName(item)}`,
      );
    }
    const field = fieldBoost(text);
    boosts.set(field.pattern, field);
  }
  return [...boosts.values()];
}

/** `*` among the names: the fields are all that there are, and what does not fit them is let pass. */
export const asksAll = (patterns: readonly FieldBoost[]) => patterns.some(({ pattern }) => pattern === "*");

/**
 * Fields of the mapping behind names and patterns. Of a list's patterns those count that can be searched.
 * @param suffix names with it are taken where the mapping has them
 */
export function fieldsOf(patterns: readonly FieldBoost[], context: QueryContext, suffix?: string): WeightedField[] {
  return withSuffix(resolveFields(patterns, context), context, suffix);
}

/** Fields of a name or a pattern that stands in a query's text: of a pattern all that match, whatever their type. */
export function namedFields(name: string, context: QueryContext, suffix?: string): WeightedField[] {
  if (name === "*" || !name.includes("*")) return fieldsOf([{ pattern: name, boost: 1 }], context, suffix);
  const names = context.mapping.matchingFields(name).map((field) => ({ name: field.name, boost: 1 }));
  return withSuffix(names, context, suffix);
}

function withSuffix(
  names: readonly { readonly name: string; readonly boost: number }[],
  context: QueryContext,
  suffix: string | undefined,
): WeightedField[] {
  const found: WeightedField[] = [];
  for (const { name, boost } of names) {
    const quoted = suffix === undefined ? undefined : context.mapping.field(name + suffix);
    const field = quoted ?? context.mapping.field(name);
    if (field) found.push({ name: quoted ? name + suffix : name, field, boost });
  }
  return found;
}
