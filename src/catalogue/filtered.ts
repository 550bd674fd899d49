/** Another strategy within a tenant, a time window and a category; and collections that can be asked within filters alone. */
import { z } from "zod";
import { bothFilters, type Strategy, type StrategyTarget } from "../retrieval/index.ts";
import { type FilterScalar, type Filters, InvalidArgumentError, type MetadataFilter } from "../schema/index.ts";
import { referenceParts } from "./lists.ts";
import { ofOption } from "./of.ts";

const VALUE = z.union([z.string(), z.number(), z.boolean()]);

const options = z.strictObject({
  of: ofOption("hybrid"),
  where: z
    .record(z.string().min(1), z.union([VALUE, z.array(VALUE)]))
    .default({})
    .meta({ list: "pairs" })
    .describe("values that metadata must have, such as level=员工; of a list any"),
  timeKey: z.string().min(1).optional().describe("the metadata that has the time, for since and until"),
  since: VALUE.optional().describe("the earliest time, such as 2024-01-01"),
  until: VALUE.optional().describe("the time before which it must lie"),
});

export const filtered: Strategy<"filtered", typeof options> = {
  name: "filtered",
  title: "another strategy among the passages whose metadata fit",
  goodFor: "tenants, rights, categories, time windows; narrow filters still give topK",
  embeds: true,
  options,
  retriever(_, given, call) {
    const filters = bothFilters(call.filters, { filters: conditions(given), condition: "and" });
    const { name, options: own } = referenceParts(given.of);
    return call.strategy(name, own, {
      ...(filters ? { filters } : {}),
      ...(call.highlight ? { highlight: call.highlight } : {}),
    });
  },
};

function conditions({ where, timeKey, since, until }: z.output<typeof options>): MetadataFilter[] {
  if ((since !== undefined || until !== undefined) && timeKey === undefined)
    throw new InvalidArgumentError(
      "timeKey",
      undefined,
      "since and until need timeKey: the metadata that has the time",
    );
  return [
    ...Object.entries(where).map(
      ([key, value]): MetadataFilter => ({
        key,
        operator: Array.isArray(value) ? "in" : "==",
        value: value as FilterScalar,
      }),
    ),
    ...(since === undefined ? [] : [{ key: timeKey!, operator: ">=", value: since } as const]),
    ...(until === undefined ? [] : [{ key: timeKey!, operator: "<", value: until } as const]),
  ];
}

/**
 * An index that can be searched among some passages alone, whatever a request says: a tenant's own.
 *
 * @example const own = within(collection, { tenant: "a" }); await runStrategy(own, question, { filters })
 */
export function within(target: StrategyTarget, filters: Filters): StrategyTarget {
  const { client, index, textFields, vectorField, embedding, weights, analysis } = target;
  const always = bothFilters(target.filters, filters);
  return {
    client,
    index,
    ...(textFields ? { textFields } : {}),
    ...(vectorField ? { vectorField } : {}),
    ...(embedding ? { embedding } : {}),
    ...(weights ? { weights } : {}),
    ...(analysis ? { analysis } : {}),
    ...(always ? { filters: always } : {}),
  };
}
