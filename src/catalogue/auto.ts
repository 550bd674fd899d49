/** A language model turns the question into filters and a query, from a description of the metadata. */
import { z } from "zod";
import {
  autoRetriever,
  bothFilters,
  defineRetriever,
  indexFields,
  isDate,
  isNumber,
  type MetadataInfo,
  retrieveOptions,
  type Strategy,
  type StrategyTarget,
  valueField,
} from "../retrieval/index.ts";
import type { CallOptions, QueryBundle } from "../schema/index.ts";
import { referenceParts } from "./lists.ts";
import { languageModelOf, ofOption } from "./of.ts";

/** What a model is told of at most. */
const MOST_FIELDS = 30;
const MOST_VALUES = 12;
const LONGEST_VALUE = 60;

const options = z.strictObject({
  of: ofOption("hybrid"),
  contentInfo: z.string().min(1).optional().describe("what the passages are about, for the model"),
  metadataInfo: z
    .array(z.strictObject({ name: z.string(), type: z.string(), description: z.string() }))
    .optional()
    .describe("the metadata that may be filtered by, as JSON; read from the index where nothing is said"),
  maxTopK: z.int().min(1).max(10_000).default(10).describe("results that the model may ask for"),
});

export const auto: Strategy<"auto", typeof options> = {
  name: "auto",
  title: "filters that a language model reads out of the question",
  goodFor: "questions that name a person, a level, a date or a kind of document",
  needs: ["language model"],
  embeds: true,
  options,
  retriever(target, given, call) {
    const model = languageModelOf(call, "auto");
    return defineRetriever(
      async (input) => {
        const own = retrieveOptions(input);
        if (input.query.trim() === "" || call.topK === 0) return [];
        const { name, options: inner } = referenceParts(given.of);
        // The model is told of values that may be found, and of no others.
        const visible = bothFilters(call.filters, input.filters);
        const scope = visible ? { ...target, filters: visible } : target;
        const planner = autoRetriever({
          // The plan alone is asked for.
          index: { asRetriever: () => call.strategy(name, inner) },
          model,
          contentInfo: given.contentInfo ?? `passages of the collection ${target.index}`,
          metadataInfo: given.metadataInfo ?? (await describedMetadata(scope, own)),
          topK: call.topK,
          maxTopK: given.maxTopK,
          onDropped: (filter, reason) =>
            call.warn(
              "filter-dropped",
              `a filter of the model is left out: ${reason} (${JSON.stringify(filter).slice(0, 200)})`,
            ),
        });
        const plan = await planner.plan({ query: input.query }, own);
        if (plan.filters) call.warn("filters-read", `filters read from the question: ${JSON.stringify(plan.filters)}`);
        const filters = bothFilters(visible, plan.filters);
        const asked: QueryBundle = { query: plan.query.query.trim() === "" ? input.query : plan.query.query };
        return call
          .strategy(name, inner, {
            topK: plan.topK,
            ...(filters ? { filters } : {}),
            ...(call.highlight ? { highlight: call.highlight } : {}),
          })
          .retrieve(asked, own);
      },
      { name: "auto", follow: false },
    );
  },
};

/** The metadata of an index with their kinds and commonest values, among the passages that the target's filters leave. */
export async function describedMetadata(target: StrategyTarget, call: CallOptions): Promise<MetadataInfo[]> {
  const fields = await indexFields(target, call);
  const names = fields.metadata
    .filter(
      (name) =>
        !/^(_|document_id$|doc_id$|ref_doc_id$|headingPath)/.test(name) &&
        !name.endsWith(".keyword") &&
        !name.endsWith(".date"),
    )
    .slice(0, MOST_FIELDS);
  const kinds = names.map((name) => fields.field(`metadata.${name}`)!.type);
  const counted = names.filter((name, i) => kinds[i] !== "text" || fields.field(`metadata.${name}.keyword`));
  const { aggregateIndex } = await import("./aggregate.ts");
  const { aggregations = {} } = await aggregateIndex(
    target,
    {
      size: 0,
      aggs: Object.fromEntries(
        counted.map((name) => [name, { terms: { field: valueField(fields, name, "metadata"), size: MOST_VALUES } }]),
      ),
    },
    call,
  );
  return names.map((name, i) => {
    const buckets =
      (aggregations[name] as { buckets?: { key: unknown; key_as_string?: string }[] } | undefined)?.buckets ?? [];
    const values = buckets.map(({ key, key_as_string: text }) => String(text ?? key).slice(0, LONGEST_VALUE));
    const type = isNumber(kinds[i])
      ? "number"
      : isDate(kinds[i])
        ? "date"
        : kinds[i] === "boolean"
          ? "boolean"
          : "string";
    return { name, type, description: values.length > 0 ? `such as ${values.join(", ")}` : "" };
  });
}
