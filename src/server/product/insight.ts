/** Routes that show why and what there is: a passage's rank explained, metadata counted. */
import { z } from "zod";
import { explainHit, facets } from "../../catalogue/index.ts";
import type { Filters } from "../../schema/index.ts";
import { READS_FILTERED } from "../access/caller.ts";
import { type CollectionAccess, named, within } from "./collections.ts";
import { filtersShape, MAX_QUERY, type QuestionModels, question, searchOptions } from "./questions.ts";
import { defineRoute, type Route } from "./route.ts";

const optionalNumber = z.number().optional();
const listShape = z.looseObject({
  list: z.string(),
  rank: optionalNumber,
  score: optionalNumber,
  adds: optionalNumber,
  terms: z.array(z.looseObject({ field: z.string(), term: z.string(), score: z.number() })),
  missing: z.array(z.string()),
  why: z.string().optional(),
});
const facetShape = z.object({
  field: z.string(),
  kind: z.enum(["values", "dates", "numbers"]),
  interval: z.string().optional(),
  buckets: z.array(
    z.object({ key: z.union([z.string(), z.number(), z.boolean()]), label: z.string(), count: z.number() }),
  ),
  other: z.number(),
});

export function insightRoutes(access: CollectionAccess, models: QuestionModels): Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/collections/{name}/explain",
      id: "explain",
      summary: "Why a passage ranks where it does for a question, list by list and term by term",
      needs: READS_FILTERED,
      params: named,
      body: z.strictObject({
        query: z.string().min(1).max(MAX_QUERY),
        passage: z.string().min(1).describe("Its id, or file#number"),
        ...question,
      }),
      answer: z.looseObject({
        strategy: z.string(),
        rank: optionalNumber,
        score: optionalNumber,
        found: z.boolean(),
        why: z.string(),
        lists: z.array(listShape),
      }),
      run: ({ params: { name }, body: { query, passage, ...asked }, signal }) =>
        within(access.open(name), async (opened) => {
          const explained = await explainHit(opened, query, passage, { ...searchOptions(asked, models), signal });
          const { passage: hit, ...rest } = explained;
          return { ...rest, passage: { id: hit.node.id, text: hit.node.text, metadata: hit.node.metadata } };
        }),
    }),
    defineRoute({
      method: "post",
      path: "/collections/{name}/facets",
      id: "facets",
      summary: "Passages counted by their metadata: those that a question's words match, or all",
      needs: READS_FILTERED,
      params: named,
      body: z.strictObject({
        query: z.string().max(MAX_QUERY).default(""),
        filters: filtersShape,
        fields: z.array(z.string().min(1)).max(50).optional().describe("Names of metadata. Default: what tells most"),
        buckets: z.int().min(1).max(100).default(10),
      }),
      answer: z.object({ total: z.number(), facets: z.array(facetShape) }),
      run: ({ params: { name }, body: { query, filters, fields, buckets }, signal }) =>
        within(access.open(name), (opened) =>
          facets(opened, query, {
            buckets,
            signal,
            ...(filters ? { filters: filters as Filters } : {}),
            ...(fields ? { fields } : {}),
          }),
        ),
    }),
  ];
}
